"""What a ``tournament.toml`` says: the same as the options of ``tournament run``, to be kept and read again.

A file that leaves something out leaves it to the defaults; options of the command line override it.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from cardpit.games import GAMES, value_text
from cardpit.games.seeds import text_seed
from tournament.configuration import Configuration
from tournament.errors import BadConfiguration, unknown
from tournament.request import ConductRequest, Request, TimeOdds
from tournament.statistics import elo_score

FILE = "tournament.toml"

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class MatchSettings(_Section):
    """The section ``[matches]``: how matches are held. Durations are in seconds."""

    move_time: Seconds | None = None
    bank_time: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    match_time: Seconds | None = None
    startup_time: Seconds | None = None
    clock: Literal["lockstep", "realtime"] | None = None
    tick_time: Seconds | None = None
    meter: Literal["wall", "cpu"] | None = None
    ponder: bool | None = None
    max_strikes: Count | None = None
    tables: Count | None = None
    restart: Literal["room", "match"] | None = None
    jail: str | None = None
    transport: Literal["unix", "tcp"] | None = None


class SprtSettings(_Section):
    """The section ``[sprt]``: a sequential test between two bots, of mean scores or of Elo differences."""

    p0: float | None = None
    p1: float | None = None
    elo0: float | None = None
    elo1: float | None = None


class Settings(_Section):
    """A whole file."""

    name: str | None = None
    games: dict[str, dict[str, bool | int | str]] = Field(default_factory=dict)
    """The parameters by game; a section ``[games.<id>]`` for each."""
    bots: list[str] = Field(default_factory=list)
    schedule: str | None = None
    rounds: Count | None = None
    third_place: bool | None = None
    seeds_from: str | None = None
    boards: Count | None = None
    seats: Count | None = None
    bench_after: Annotated[int, Field(ge=0)] | None = None
    seed: str | None = None
    """A text, for tests."""
    jobs: Count | None = None
    time: dict[str, Annotated[list[float], Field(min_length=2, max_length=2)]] = Field(default_factory=dict)
    """Move time and bank time of bots that do not have everybody's."""
    sprt: SprtSettings = Field(default_factory=SprtSettings)
    matches: MatchSettings = Field(default_factory=MatchSettings)

    def request(self, name: str) -> Request:
        """Return what is asked for, for a tournament of this name."""
        conduct = self.matches.model_dump(exclude_none=True)
        max_strikes = conduct.pop("max_strikes", None)
        return Request(
            name=name,
            games=tuple(self.games),
            bots=tuple(self.bots),
            boards=self.boards,
            seats=self.seats,
            parameters=tuple(
                f"{game}.{key}={value_text(value)}"
                for game, parameters in self.games.items()
                for key, value in parameters.items()
            ),
            schedule=self.schedule,
            rounds=self.rounds,
            third_place=self.third_place,
            seeds_from=self.seeds_from,
            max_strikes=max_strikes,
            bench_after=self.bench_after,
            time_odds=tuple(TimeOdds(bot, move, bank) for bot, (move, bank) in self.time.items()),
            sprt=sprt_of(p0=self.sprt.p0, p1=self.sprt.p1, elo0=self.sprt.elo0, elo1=self.sprt.elo1),
            seed=seed_of(self.seed),
            conduct=ConductRequest(**conduct),
        )


def seed_of(text: str | None) -> bytes | None:
    """Return the seed that a text stands for, if there is one."""
    return text_seed(text) if text is not None else None


def sprt_of(
    *, p0: float | None, p1: float | None, elo0: float | None, elo1: float | None
) -> tuple[float, float] | None:
    """Return the mean scores that a test is about; None where nothing is given. Raises :class:`BadConfiguration`."""
    if (p0, p1, elo0, elo1) == (None,) * 4:
        return None
    if p0 is not None and p1 is not None and elo0 is elo1 is None:
        return p0, p1
    if elo0 is not None and elo1 is not None and p0 is p1 is None:
        return elo_score(elo0), elo_score(elo1)
    given = {"p0": p0, "p1": p1, "elo0": elo0, "elo1": elo1}
    shown = ", ".join(f"{name} {value:g}" for name, value in given.items() if value is not None)
    raise BadConfiguration(f"sprt with {shown}: p0 and p1, or elo0 and elo1, are allowed")


def read_settings(path: Path) -> Settings:
    """Return what a file says. Raises :class:`BadConfiguration` naming the file, the key and what is allowed."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be read ({error.strerror}): tournament init writes one") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"{path} is not TOML: {error}") from None
    try:
        return Settings.model_validate(content)
    except ValidationError as error:
        raise BadConfiguration(f"{path}: {_complaint(error.errors(include_url=False)[0])}") from None


def _complaint(error: ErrorDetails) -> str:
    """Return one of pydantic's complaints in the words of this project."""
    words = [str(word) for word in error["loc"]]
    if error["type"] == "extra_forbidden":
        sections: dict[str, type[_Section]] = {"matches": MatchSettings, "sprt": SprtSettings}
        section = sections[words[0]] if len(words) > 1 else Settings
        return str(unknown("key", ".".join(words), _keys(words[:-1], section)))
    allowed = error["msg"].removeprefix("Input should be ")
    if words[0] == "games" and len(words) > 2:
        # Behind the key stands which type was tried: nothing that the reader of the file has written.
        words, allowed = words[:3], "a whole number, a text, true or false"
    if error["type"] == "finite_number":
        allowed = "a number of seconds"
    value = error["input"]
    shown = value_text(value) if isinstance(value, bool) else repr(value)
    return f"{'.'.join(words)} = {shown}: {allowed} is allowed"


def _keys(path: Iterable[str], section: type[_Section]) -> list[str]:
    return [".".join((*path, key)) for key in section.model_fields]


def settings_text(configuration: Configuration) -> str:
    """Return the file that a stored tournament could have been begun with, every bot with its version."""
    pools = configuration.pools
    bots = dict.fromkeys(bot.label for pool in pools for bot in pool.bots)
    strikes = {pool.max_strikes for pool in pools}
    chosen = [pool.seats for pool in pools if GAMES[pool.game].min_seats != GAMES[pool.game].max_seats]
    lines = [
        f"name = {_value(configuration.name)}",
        f"bots = [{', '.join(_value(bot) for bot in bots)}]",
        f"schedule = {_value(pools[0].schedule)}",
        *([f"rounds = {pools[0].rounds}"] if pools[0].rounds is not None else []),
        *(["third_place = true"] if pools[0].third_place else []),
        *([f"seeds_from = {_value(configuration.seeds_from)}"] if configuration.seeds_from is not None else []),
        f"boards = {pools[0].boards}",
        *(f"seats = {seats}" for seats in chosen[:1]),
        f"bench_after = {configuration.bench_after}",
        "",
        "[matches]",
        *(f"{key} = {_value(value)}" for key, value in configuration.conduct.model_dump().items()),
    ]
    # Where turn-based and real-time games are mixed, each has its default.
    lines += [f"max_strikes = {number}" for number in strikes if len(strikes) == 1]
    odds = {bot.label: bot.time_odds for pool in pools for bot in pool.bots if bot.time_odds is not None}
    if odds:
        lines += ["", "[time]", *(f"{_value(bot)} = [{move}, {bank}]" for bot, (move, bank) in odds.items())]
    if configuration.sprt is not None:
        lines += ["", "[sprt]", f"p0 = {configuration.sprt.p0}", f"p1 = {configuration.sprt.p1}"]
    for pool in pools:
        lines += ["", f"[games.{pool.game}]", *(f"{key} = {_value(value)}" for key, value in pool.parameters.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """Return a value as TOML. A name has no character that would have to be escaped."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


TEMPLATE = """\
# A tournament of Cardpit: tournament run --config tournament.toml
# What stands behind a # is the default. An option of the command line overrides what stands here.

name = "cup"
# bots = []                  # who plays: "greedy" is the latest version, "greedy@2" the second; none means all
# schedule = "round-robin"   # or "gauntlet", "every-table", "swiss", "knockout", "playoff": see docs/formats.md
# rounds = 5                 # of a swiss or a playoff; without it as many as the bots need
# third_place = false        # whether the losers of a knockout's semi-finals meet
# seeds_from = "league"      # the tournament whose ratings are a knockout's seeds; else the order of bots
# boards = 50                # for each pairing; each is played once in every rotation of the seats
# seats = 2                  # bots at a table, where the game leaves a choice
# bench_after = 10           # faults in a row after which a bot plays no more; 0 means never
# jobs = 2                   # how many rooms are played at once; without it the number of cores
# seed = "text"              # makes the deals repeatable, and they can be guessed: for tests only

[matches]                    # how matches are held; durations are in seconds
# move_time = 0.1            # free for each decision
# bank_time = 10.0           # for a whole match, drained by what decisions take beyond that
# match_time = 3600.0        # the longest that a match may take
# startup_time = 10.0        # from the start of a bot's process until it says Hello
# clock = "lockstep"         # or "realtime", for exhibitions of real-time games
# tick_time = 0.05           # how long a tick of the realtime clock lasts
# meter = "wall"             # what a decision is charged; or "cpu": the CPU time that it took
# ponder = false             # whether bots may think between their turns
# max_strikes = 3            # late or illegal answers that forfeit a match; in real-time games 50
# tables = 1                 # boards of a room that are played at once
# restart = "room"           # or "match": new processes for every match
# jail = "auto"              # the strictest that works; "require" refuses to start without a strong one
# transport = "unix"         # or "tcp"

[games.landlord]             # one section for each game, with its parameters: tournament games landlord lists them
# cap = 64

# [games.spit]

# [time]                     # move time and bank time of bots that do not have everybody's
# greedy = [0.05, 5.0]       # "greedy@2" for a version

# [sprt]                     # two bots play until a test tells which mean score is the likelier one
# p0 = 0.50                  # or Elo differences: elo0 and elo1
# p1 = 0.53
"""
"""What ``tournament init`` writes."""

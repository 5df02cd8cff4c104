"""What is asked of ``tournament run``, and the configuration that follows from it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple

from cardpit.games import GAMES, BadParameter, Game, Value, value_text
from cardpit.games.seeds import SEED_SIZE, commitment
from referee.clock import default_strikes
from referee.sandbox import CHOICES, STRONG, JailError, choose_jail
from tournament.configuration import (
    ConductConfiguration,
    Configuration,
    EntrantConfiguration,
    PoolConfiguration,
    SprtConfiguration,
)
from tournament.errors import BadConfiguration, unknown
from tournament.home import check_name
from tournament.schedule import ADAPTIVE, SCHEDULES, ScheduleError
from tournament.seeding import seeded
from tournament.statistics import Sprt
from tournament.store.bots import find_version, label, latest_versions, plays
from tournament.store.database import Store
from tournament.store.tables import BotVersion
from tournament.store.tournaments import StoredTournament

BOARDS = 50
SPRT_BOARDS = 10_000
"""At most, where a sequential test ends the tournament."""
SCHEDULE = "round-robin"

BENCH_AFTER = 10


@dataclass(frozen=True, slots=True)
class ConductRequest:
    """How matches shall be held: None where nothing is asked for. Durations are in seconds."""

    move_time: float | None = None
    bank_time: float | None = None
    match_time: float | None = None
    startup_time: float | None = None
    clock: Literal["lockstep", "realtime"] | None = None
    tick_time: float | None = None
    meter: Literal["wall", "cpu"] | None = None
    ponder: bool | None = None
    tables: int | None = None
    restart: Literal["room", "match"] | None = None
    jail: str | None = None
    transport: Literal["unix", "tcp"] | None = None

    @property
    def given(self) -> dict[str, float | int | str]:
        """What is asked for, by its name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) is not None}


class TimeOdds(NamedTuple):
    """The time of a bot that has not everybody's, in seconds."""

    bot: str
    """``name``, ``name@version`` or ``name:version``."""
    move_time: float
    bank_time: float

    @classmethod
    def read(cls, text: str) -> "TimeOdds":
        """Return what ``bot=move,bank`` says. Raises :class:`BadConfiguration`."""
        bot, _, times = text.partition("=")
        move, _, bank = times.partition(",")
        try:
            return cls(bot.strip(), float(move), float(bank))
        except ValueError:
            raise BadConfiguration(
                f"--time {text}: BOT=move,bank with both in seconds is allowed, such as greedy=0.05,5"
            ) from None


@dataclass(frozen=True, slots=True)
class Request:
    """A tournament as it is asked for: None or empty where nothing is asked for."""

    name: str
    games: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    """Each ``name``, ``name@version`` or ``name:version``."""
    boards: int | None = None
    seats: int | None = None
    parameters: tuple[str, ...] = ()
    """Each ``name=value``, or ``game.name=value`` for one game of several."""
    schedule: str | None = None
    rounds: int | None = None
    third_place: bool | None = None
    seeds_from: str | None = None
    """The tournament whose ratings are the seeds of a knockout."""
    add: tuple[str, ...] = ()
    """Bots that come to a tournament that has begun, named as in ``bots``."""
    max_strikes: int | None = None
    bench_after: int | None = None
    """0 means never."""
    time_odds: tuple[TimeOdds, ...] = ()
    sprt: tuple[float, float] | None = None
    """p0 and p1 of a sequential test between the two bots."""
    seed: bytes | None = None
    conduct: ConductRequest = field(default_factory=ConductRequest)

    def over(self, other: "Request") -> "Request":
        """Return this request, with what the other one asks for where this one asks for nothing.

        Parameters of games that are not played then are left out; those of this request count more.
        """
        games = self.games or other.games
        conduct: dict[str, Any] = {**other.conduct.given, **self.conduct.given}
        given = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) not in (None, ())}
        given["conduct"] = ConductRequest(**conduct)
        kept = (text for text in other.parameters if text.partition(".")[0] in games)
        return replace(other, **{**given, "parameters": (*kept, *self.parameters)})


def check(request: Request) -> None:
    """Refuse what no tournament can be, before anything is looked up.

    Raises :class:`tournament.errors.WrongUse` or :class:`cardpit.games.GameError`.
    """
    check_name("tournament", request.name)
    _check_conduct(request)
    games = [_find_game(game) for game in request.games]
    for game in games:
        if request.games.count(game.id) > 1:
            raise BadConfiguration(f"game {game.id} is named twice: once is allowed")
        game.settle_seats(_seats_for(request, game, games))
        if request.conduct.clock == "realtime" and not game.real_time:
            live = ", ".join(each.id for each in GAMES.values() if each.real_time)
            raise BadConfiguration(f"--clock realtime is not for {game.id}, which goes in turns: it is for {live}")
    if games:
        _read_parameters(request.parameters, games)
    if request.sprt is not None:
        _check_sprt(request, games)


def _check_sprt(request: Request, games: Sequence[Game]) -> None:
    try:
        Sprt(*request.sprt or ())
    except ValueError as error:
        raise BadConfiguration(f"--sprt: {error}") from None
    if request.schedule in ADAPTIVE:
        raise BadConfiguration(f"--sprt with --schedule {request.schedule}: {SCHEDULE} is allowed")
    if len(games) > 1:
        raise BadConfiguration(f"--sprt with {len(games)} games: one is allowed")
    if any(game.settle_seats(_seats_for(request, game, games)) != 2 for game in games):
        raise BadConfiguration(f"--sprt is not for {games[0].id} with more than two seats: two are allowed (--seats 2)")
    if len(request.bots) not in (0, 2):
        raise BadConfiguration(f"--sprt with {len(request.bots)} bots: two are allowed")


def settle(request: Request, store: Store) -> Configuration:
    """Return the configuration of a new tournament, of a request that was checked.

    Raises :class:`tournament.errors.WrongUse` or :class:`cardpit.games.GameError` for what cannot be.
    """
    if request.add:
        raise BadConfiguration(f"--add {request.add[0]}: tournament {request.name!r} is new: --bots says who plays")
    if not request.games:
        raise BadConfiguration(f"tournament {request.name!r} is new and needs a --game: known are {', '.join(GAMES)}")
    games = [_find_game(game) for game in request.games]
    parameters = _read_parameters(request.parameters, games)
    versions = _find_bots(request.bots, store, games)
    odds = _find_odds(request, [f"{version.name}@{version.version}" for version in versions])
    pools = tuple(_settle_pool(request, game, parameters[game.id], versions, games, odds, store) for game in games)
    jail = settle_jail(request.conduct.jail, request.conduct.transport)
    conduct = ConductConfiguration.model_validate({**request.conduct.given, "jail": jail})
    bench_after = _settle_bench(request)
    sprt = SprtConfiguration(p0=request.sprt[0], p1=request.sprt[1]) if request.sprt is not None else None
    if sprt is not None and len(pools[0].bots) != 2:
        raise BadConfiguration(f"--sprt needs two bots: {len(pools[0].bots)} play {pools[0].game}")
    return Configuration(
        name=request.name,
        conduct=conduct,
        bench_after=bench_after,
        sprt=sprt,
        seeds_from=request.seeds_from,
        pools=pools,
    )


def _settle_bench(request: Request) -> int:
    """Return after how many faults a bot is benched: never where schedules go by results, which must be complete."""
    if request.schedule not in ADAPTIVE:
        return BENCH_AFTER if request.bench_after is None else request.bench_after
    if request.bench_after:
        raise BadConfiguration(f"--bench-after {request.bench_after} with --schedule {request.schedule}: 0 is allowed")
    return 0


def _find_game(game: str) -> Game:
    if game not in GAMES:
        raise unknown("game", game, GAMES)
    return GAMES[game]


def _check_conduct(request: Request) -> None:
    numbers = {
        "boards": request.boards,
        "rounds": request.rounds,
        "max-strikes": request.max_strikes,
        "tables": request.conduct.tables,
    }
    for option, number in numbers.items():
        if number is not None and number < 1:
            raise BadConfiguration(f"--{option} {number}: 1 or more is allowed")
    for bot, move, bank in request.time_odds:
        if not (math.isfinite(move) and math.isfinite(bank) and move > 0 and bank >= 0):
            raise BadConfiguration(
                f"--time {bot}={move:g},{bank:g}: a move time above 0 and a bank of 0 or more is allowed"
            )
    if request.conduct.meter == "cpu":
        if request.conduct.tables not in (None, 1):
            raise BadConfiguration(
                f"--meter cpu with --tables {request.conduct.tables}: 1 is allowed, "
                "for a process does not tell which of its tables it works for"
            )
        if request.conduct.clock == "realtime":
            raise BadConfiguration("--meter cpu with --clock realtime, which no bot is charged for: wall is allowed")
    if request.bench_after is not None and request.bench_after < 0:
        raise BadConfiguration(f"--bench-after {request.bench_after}: 0 (never) or more is allowed")
    for name, value in request.conduct.given.items():
        if isinstance(value, float) and not (
            math.isfinite(value) and (value > 0 or (name == "bank_time" and value == 0))
        ):
            raise BadConfiguration(f"--{name.replace('_', '-')} {value:g}: a number of seconds above 0 is allowed")
    if request.schedule is not None and request.schedule not in SCHEDULES:
        raise unknown("schedule", request.schedule, SCHEDULES)
    if request.conduct.jail is not None:
        check_jail(request.conduct.jail, request.conduct.transport)


def check_jail(wanted: str, transport: str | None = None) -> None:
    """Refuse a jail that there is not, or that has no use for a transport. Raises :class:`WrongUse`."""
    if wanted not in CHOICES:
        raise unknown("jail", wanted, CHOICES)
    if transport == "tcp" and (wanted in STRONG or wanted == "require"):
        raise BadConfiguration(f"--jail {wanted} has no network for --transport tcp: unix is allowed")


def settle_jail(wanted: str | None, transport: str | None = None) -> str:
    """Return the jail that is meant here. Raises :class:`BadConfiguration` where it does not work.

    Without a wish it is the strictest that works; the loopback interface is out of reach in the strong ones.
    """
    try:
        return choose_jail("process" if transport == "tcp" and wanted in (None, "auto") else wanted or "auto")
    except JailError as error:
        raise BadConfiguration(str(error)) from None


def _read_parameters(texts: Sequence[str], games: Sequence[Game]) -> dict[str, dict[str, Value]]:
    """Return the parameters asked for, by game."""
    found: dict[str, dict[str, Value]] = {game.id: {} for game in games}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadParameter(f"parameter {text!r} has no value: name=value is wanted")
        owner, _, name = key.rpartition(".")
        if owner and owner not in found:
            raise unknown("game of this tournament", owner, found)
        meant = [game for game in games if game.id == owner or not owner]
        takers = [game for game in meant if any(p.name == name for p in game.parameters)]
        if not takers:
            known = [p.name for game in meant for p in game.parameters]
            ids = ", ".join(game.id for game in meant)
            raise unknown(f"parameter of {ids}", name, known, "it has none")
        for game in takers:
            parameter = next(p for p in game.parameters if p.name == name)
            found[game.id][name] = parameter.check(value)
    return found


def _find_bots(names: Sequence[str], store: Store, games: Sequence[Game]) -> list[BotVersion]:
    """Return the bot versions that are named, or the latest of every bot that plays one of the games."""
    if not names:
        return [version for version in latest_versions(store) if any(plays(version, game.id) for game in games)]
    versions = [find_version(store, name) for name in names]
    for version in versions:
        if not any(plays(version, game.id) for game in games):
            ids = " or ".join(game.id for game in games)
            raise BadConfiguration(f"bot {label(version)} does not play {ids}: it plays {_games_text(version)}")
        if sum(other.id == version.id for other in versions) > 1:
            raise BadConfiguration(f"bot {label(version)} is named twice: each version can take part once")
    return versions


def _games_text(version: BotVersion) -> str:
    return ", ".join(game for game in GAMES if plays(version, game))


def _find_odds(request: Request, labels: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the times asked for by the labels of the bots that take part."""
    found: dict[str, tuple[float, float]] = {}
    for bot, move, bank in request.time_odds:
        name, _, number = bot.replace(":", "@").partition("@")
        meant = [
            label for label in labels if label == f"{name}@{number}" or (not number and label.startswith(f"{name}@"))
        ]
        if not meant:
            raise unknown("bot of --time", bot, labels)
        if len(meant) > 1:
            raise BadConfiguration(f"--time {bot}: {' and '.join(meant)} take part: name the version")
        if meant[0] in found:
            raise BadConfiguration(f"--time names bot {meant[0]} twice: once is allowed")
        found[meant[0]] = (move, bank)
    return found


def _entrant(version: BotVersion, odds: Mapping[str, tuple[float, float]]) -> EntrantConfiguration:
    entrant = EntrantConfiguration(bot=version.name, version=version.version, bundle_hash=version.bundle_hash)
    return entrant.model_copy(update={"time_odds": odds.get(entrant.label)})


def _settle_pool(
    request: Request,
    game: Game,
    parameters: Mapping[str, Value],
    versions: Sequence[BotVersion],
    games: Sequence[Game],
    odds: Mapping[str, tuple[float, float]],
    store: Store,
) -> PoolConfiguration:
    seats = game.settle_seats(_seats_for(request, game, games))
    bots = [version for version in versions if plays(version, game.id)]
    if len(bots) < seats:
        have = ", ".join(label(version) for version in bots) or "none"
        raise BadConfiguration(
            f"{game.id} with {seats} seats needs {seats} bots or more: there are {len(bots)} ({have})"
        )
    schedule, third_place = request.schedule or SCHEDULE, bool(request.third_place)
    try:
        made = SCHEDULES[schedule](len(bots), seats, bytes(SEED_SIZE), request.rounds, third_place=third_place)
    except ScheduleError as error:
        raise BadConfiguration(f"schedule {schedule} for {game.id}: {error}") from None
    if request.rounds is not None and made.rounds is None:
        raise BadConfiguration(f"--rounds {request.rounds} with --schedule {schedule}: it is for swiss and playoff")
    if request.seeds_from is not None:
        if schedule != "knockout":
            raise BadConfiguration(f"--seeds-from with --schedule {schedule}: it is for knockout")
        bots = seeded(store, request.seeds_from, game.id, bots)
    strikes = default_strikes(real_time=game.real_time)
    return PoolConfiguration(
        game=game.id,
        rules_version=game.rules_version,
        parameters=game.settle(parameters),
        seats=seats,
        schedule=schedule,
        rounds=made.rounds,
        third_place=third_place,
        boards=request.boards or (BOARDS if request.sprt is None else SPRT_BOARDS),
        max_strikes=request.max_strikes or strikes,
        bots=tuple(_entrant(version, odds) for version in bots),
    )


def _seats_for(request: Request, game: Game, games: Sequence[Game]) -> int | None:
    """Return the number of seats asked for; where some of the games leave no choice it is meant for the others."""
    fixed = game.min_seats == game.max_seats
    if fixed and any(other.min_seats != other.max_seats for other in games):
        return None
    return request.seats


def differences(request: Request, stored: StoredTournament, store: Store) -> list[str]:
    """Return what is asked for and is not as the stored tournament is held, each as one phrase; empty if nothing.

    A bot named without a version means the version that takes part.
    """
    found = []
    configuration = stored.configuration
    if request.seed is not None and commitment(request.seed).hex() != stored.commitment:
        found.append("seed: another one")
    if request.games and request.games != tuple(pool.game for pool in configuration.pools):
        found.append(_difference("game", [pool.game for pool in configuration.pools], request.games))
        return found
    if request.bots:
        found += _bot_differences(request, configuration, store)
    games = [_find_game(pool.game) for pool in configuration.pools]
    parameters = _read_parameters(request.parameters, games)
    for game, pool in zip(games, configuration.pools, strict=True):
        where = f"{game.id} " if len(games) > 1 else ""
        asked: dict[str, Value | None] = {
            "boards": request.boards,
            "seats": _seats_for(request, game, games),
            "schedule": request.schedule,
            "rounds": request.rounds,
            "third_place": request.third_place,
            "max_strikes": request.max_strikes,
        }
        held = pool.model_dump()
        for key, value in asked.items():
            if value is not None and value != held[key]:
                found.append(_difference(where + key, [held[key]], [value]))
        for key, value in parameters[game.id].items():
            if value != pool.parameters[key]:
                found.append(_difference(f"{where}parameter {key}", [pool.parameters[key]], [value]))
    if request.seeds_from not in (None, configuration.seeds_from):
        found.append(_difference("seeds_from", [configuration.seeds_from], [request.seeds_from]))
    if request.bench_after not in (None, configuration.bench_after):
        found.append(_difference("bench_after", [configuration.bench_after], [request.bench_after]))
    if request.time_odds:
        found += _odds_differences(request, configuration)
    held_sprt = (configuration.sprt.p0, configuration.sprt.p1) if configuration.sprt is not None else None
    if request.sprt not in (None, held_sprt):
        found.append(_difference("sprt", held_sprt or ["none"], request.sprt or ()))
    conduct = configuration.conduct.model_dump()
    for option, wanted in request.conduct.given.items():
        if option == "jail" and (wanted == "auto" or (wanted == "require" and conduct["jail"] in STRONG)):
            continue
        if wanted != conduct[option]:
            found.append(_difference(option, [conduct[option]], [wanted]))
    return list(dict.fromkeys(found))


def _difference(what: str, held: Iterable[object], asked: Iterable[object]) -> str:
    return f"{what.replace('_', '-')}: {_text(held)}, not {_text(asked)}"


def _text(values: Iterable[object]) -> str:
    return ",".join("none" if value is None else value_text(value) for value in values)


def _bot_differences(request: Request, configuration: Configuration, store: Store) -> list[str]:
    held = list(dict.fromkeys(bot.label for pool in configuration.pools for bot in pool.bots))
    founders = list(dict.fromkeys(bot.label for pool in configuration.pools for bot in pool.bots if not bot.added))
    asked = []
    for text in request.bots:
        version = find_version(store, text)
        pinned = [entrant for entrant in held if entrant.partition("@")[0] == text]
        asked.append(pinned[0] if len(pinned) == 1 else f"{version.name}@{version.version}")
    # The command that the tournament was begun with goes on with it, whoever has come since.
    return [] if sorted(asked) in (sorted(held), sorted(founders)) else [_difference("bots", held, asked)]


def _odds_differences(request: Request, configuration: Configuration) -> list[str]:
    bots = {bot.label: bot.time_odds for pool in configuration.pools for bot in pool.bots}
    asked = _find_odds(request, list(bots))
    return [
        _difference(f"time of {label}", held or ["everybody's"], asked.get(label, ["everybody's"]))
        for label, held in bots.items()
        if held != asked.get(label)
    ]


def check_rules(configuration: Configuration) -> None:
    """Refuse to go on with other rules than those a tournament was begun with. Raises :class:`BadConfiguration`."""
    for pool in configuration.pools:
        known = _find_game(pool.game).rules_version
        if pool.rules_version != known:
            raise BadConfiguration(
                f"tournament {configuration.name} was begun with rules version {pool.rules_version} of {pool.game}: "
                f"this Cardpit has {known}"
            )

"""What is asked of ``tournament run``, and the configuration that follows from it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Literal

from cardpit.games import GAMES, BadParameter, Game, Value
from cardpit.games.seeds import SEED_SIZE, commitment
from referee.sandbox import CHOICES, STRONG, JailError, choose_jail
from tournament.configuration import (
    ConductConfiguration,
    Configuration,
    EntrantConfiguration,
    PoolConfiguration,
)
from tournament.errors import BadConfiguration, unknown
from tournament.home import check_name
from tournament.schedule import SCHEDULES, ScheduleError
from tournament.store.bots import find_version, label, latest_versions, plays
from tournament.store.database import Store
from tournament.store.tables import BotVersion
from tournament.store.tournaments import StoredTournament

BOARDS = 50
SCHEDULE = "round-robin"

MAX_STRIKES = 3
MAX_STRIKES_IN_REAL_TIME = 50
"""A single decision is worth little where every seat acts in each tick."""


@dataclass(frozen=True, slots=True)
class ConductRequest:
    """How matches shall be held: None where nothing is asked for. Durations are in seconds."""

    move_time: float | None = None
    bank_time: float | None = None
    match_time: float | None = None
    startup_time: float | None = None
    clock: Literal["lockstep", "realtime"] | None = None
    tick_time: float | None = None
    tables: int | None = None
    restart: Literal["room", "match"] | None = None
    jail: str | None = None
    transport: Literal["unix", "tcp"] | None = None

    @property
    def given(self) -> dict[str, float | int | str]:
        """What is asked for, by its name."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) is not None}


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
    max_strikes: int | None = None
    seed: bytes | None = None
    conduct: ConductRequest = field(default_factory=ConductRequest)


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


def settle(request: Request, store: Store) -> Configuration:
    """Return the configuration of a new tournament, of a request that was checked.

    Raises :class:`tournament.errors.WrongUse` or :class:`cardpit.games.GameError` for what cannot be.
    """
    if not request.games:
        raise BadConfiguration(f"tournament {request.name!r} is new and needs a --game: known are {', '.join(GAMES)}")
    games = [_find_game(game) for game in request.games]
    parameters = _read_parameters(request.parameters, games)
    versions = _find_bots(request.bots, store, games)
    pools = tuple(_settle_pool(request, game, parameters[game.id], versions, games) for game in games)
    jail = settle_jail(request.conduct.jail, request.conduct.transport)
    conduct = ConductConfiguration.model_validate({**request.conduct.given, "jail": jail})
    return Configuration(name=request.name, conduct=conduct, pools=pools)


def _find_game(game: str) -> Game:
    if game not in GAMES:
        raise unknown("game", game, GAMES)
    return GAMES[game]


def _check_conduct(request: Request) -> None:
    numbers = {"boards": request.boards, "max-strikes": request.max_strikes, "tables": request.conduct.tables}
    for option, number in numbers.items():
        if number is not None and number < 1:
            raise BadConfiguration(f"--{option} {number}: 1 or more is allowed")
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


def _settle_pool(
    request: Request, game: Game, parameters: Mapping[str, Value], versions: Sequence[BotVersion], games: Sequence[Game]
) -> PoolConfiguration:
    seats = game.settle_seats(_seats_for(request, game, games))
    bots = [version for version in versions if plays(version, game.id)]
    if len(bots) < seats:
        have = ", ".join(label(version) for version in bots) or "none"
        raise BadConfiguration(
            f"{game.id} with {seats} seats needs {seats} bots or more: there are {len(bots)} ({have})"
        )
    schedule = request.schedule or SCHEDULE
    try:
        SCHEDULES[schedule](len(bots), seats, bytes(SEED_SIZE))
    except ScheduleError as error:
        raise BadConfiguration(f"schedule {schedule} for {game.id}: {error}") from None
    strikes = MAX_STRIKES_IN_REAL_TIME if game.real_time else MAX_STRIKES
    return PoolConfiguration(
        game=game.id,
        rules_version=game.rules_version,
        parameters=game.settle(parameters),
        seats=seats,
        schedule=schedule,
        boards=request.boards or BOARDS,
        max_strikes=request.max_strikes or strikes,
        bots=tuple(EntrantConfiguration(bot=v.name, version=v.version, bundle_hash=v.bundle_hash) for v in bots),
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
            "max_strikes": request.max_strikes,
        }
        held = pool.model_dump()
        for key, value in asked.items():
            if value is not None and value != held[key]:
                found.append(_difference(where + key, [held[key]], [value]))
        for key, value in parameters[game.id].items():
            if value != pool.parameters[key]:
                found.append(_difference(f"{where}parameter {key}", [pool.parameters[key]], [value]))
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
    return ",".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)


def _bot_differences(request: Request, configuration: Configuration, store: Store) -> list[str]:
    held = list(dict.fromkeys(bot.label for pool in configuration.pools for bot in pool.bots))
    asked = []
    for text in request.bots:
        version = find_version(store, text)
        pinned = [entrant for entrant in held if entrant.partition("@")[0] == text]
        asked.append(pinned[0] if len(pinned) == 1 else f"{version.name}@{version.version}")
    return [] if sorted(asked) == sorted(held) else [_difference("bots", held, asked)]


def check_rules(configuration: Configuration) -> None:
    """Refuse to go on with other rules than those a tournament was begun with. Raises :class:`BadConfiguration`."""
    for pool in configuration.pools:
        known = _find_game(pool.game).rules_version
        if pool.rules_version != known:
            raise BadConfiguration(
                f"tournament {configuration.name} was begun with rules version {pool.rules_version} of {pool.game}: "
                f"this Cardpit has {known}"
            )

"""What the API answers with."""

from datetime import datetime

from pydantic import BaseModel

from tournament.configuration import Configuration


class Problem(BaseModel):
    """Why there is no other answer."""

    detail: str


PROBLEMS: dict[int | str, dict[str, object]] = {
    404: {"model": Problem, "description": "There is no such thing."},
    422: {"model": Problem, "description": "A value is not allowed."},
    503: {"model": Problem, "description": "The database does not answer."},
}
"""What every route may answer."""

UNSEEN: dict[int | str, dict[str, object]] = {
    403: {"model": Problem, "description": "It is shown when the tournament is finished."},
    **PROBLEMS,
}


class BotName(BaseModel):
    """A bot version."""

    bot: str
    version: int


class PoolAnswer(BaseModel):
    """A game of a tournament and how far it is."""

    game: str
    seats: int
    schedule: str
    bots: list[BotName]
    matches_played: int
    matches_planned: int
    boards_finished: int


class TournamentAnswer(BaseModel):
    """A tournament."""

    name: str
    created_at: datetime
    finished: bool
    games: list[str]


class TournamentPage(BaseModel):
    """Tournaments, newest first."""

    tournaments: list[TournamentAnswer]
    next: int | None
    """The value of ``before`` for the next page; null on the last."""


class TournamentDetails(BaseModel):
    """A tournament with all that is known of it."""

    name: str
    finished: bool
    commitment: str
    """SHA-256 of the seed, in hexadecimal."""
    seed: str | None
    """In hexadecimal; null until the tournament is finished."""
    matches_per_second: float
    remaining_time: float | None
    """Seconds to the end at this rate."""
    pools: list[PoolAnswer]
    configuration: Configuration


class StandingAnswer(BaseModel):
    """A row of the table, as ``tournament ratings --format json`` has it."""

    rank: int
    rank_interval: tuple[int, int]
    bot: str
    version: int
    mu: float
    sigma: float
    half_width: float
    conservative: float
    next_better: float | None
    win_percent_against_average: float
    score_percent: float
    payoff: float
    margin: float
    boards: int
    matches: int
    wins: int
    draws: int
    losses: int
    timeouts: int
    errors: int
    group: str
    benched: bool


class RatingsAnswer(BaseModel):
    """The table of a pool."""

    game: str
    boards: int
    draw_probability: float
    rows: list[StandingAnswer]


class EncounterAnswer(BaseModel):
    """What a bot did against another on all boards that they met on."""

    bot: BotName
    against: BotName
    boards: int
    score_percent: float
    difference: float
    """By how much its score on a board was the higher one, in the mean."""
    probability_better: float
    sign: str
    """``+`` or ``-`` where the difference is not zero at 95 %."""


class CrosstablePage(BaseModel):
    """Encounters: those of the first bot of the pool, then those of the next."""

    encounters: list[EncounterAnswer]
    next: int | None
    """The value of ``start`` for the next page; null on the last."""


class HistoryAnswer(BaseModel):
    """How the ratings came about, in the order of the schedule."""

    bots: list[BotName]
    boards: list[int]
    """On how many of the first boards each point rests."""
    mu: list[list[float]]
    """By point, then by bot."""
    half_width: list[list[float]]


class SeatAnswer(BaseModel):
    """The result of a match for one seat."""

    bot: str
    version: int
    payoff: float
    place: int
    margin: int
    strikes: int
    timeouts: int
    termination: str
    used_time: float


class MatchAnswer(BaseModel):
    """A match that has been played."""

    match: str
    """Its name: tournament, game, pairing, board, room."""
    game: str
    pairing: int
    board: int
    room: int
    termination: str
    decisions: int
    seats: list[SeatAnswer]


class MatchPage(BaseModel):
    """Matches: in the order of the schedule, or those that ended last first."""

    matches: list[MatchAnswer]
    next: str | None
    """The value of ``start`` for the next page; null on the last."""


class VerdictAnswer(BaseModel):
    """A verdict on a seat at fault."""

    match: str
    seat: int
    bot: str
    version: int
    termination: str
    detail: str | None
    """The reason; null until the tournament is finished, for it may tell cards."""
    log: str | None
    """What the bot wrote; null where this server does not show it."""


class VerdictPage(BaseModel):
    """Verdicts, newest first."""

    verdicts: list[VerdictAnswer]
    next: int | None
    """The value of ``before`` for the next page; null on the last."""


class MatchDetails(MatchAnswer):
    """A match, its verdicts, and the other rooms of its board."""

    cards_shown: bool
    """Whether the tournament is finished, so that cards may be told."""
    rooms: list[MatchAnswer]
    verdicts: list[VerdictAnswer]


class VersionAnswer(BaseModel):
    """A version of a bot."""

    bot: str
    version: int
    description: str
    games: list[str]
    bundle_hash: str
    submitted_at: datetime


class BotPage(BaseModel):
    """The latest versions of bots, by name."""

    bots: list[VersionAnswer]
    next: str | None
    """The value of ``after`` for the next page; null on the last."""


class EntryAnswer(BaseModel):
    """What a version of a bot did in a game of a tournament."""

    tournament: str
    game: str
    standing: StandingAnswer


class BotDetails(BaseModel):
    """A bot: its versions, and its results in the newest tournaments."""

    name: str
    versions: list[VersionAnswer]
    entries: list[EntryAnswer]
    next: int | None
    """The value of ``before`` for older tournaments; null where there are none."""


class ParameterAnswer(BaseModel):
    """A parameter of a game."""

    name: str
    default: bool | int | str
    allowed: str
    meaning: str


class GameAnswer(BaseModel):
    """A game."""

    id: str
    name: str
    rules_version: int
    min_seats: int
    max_seats: int
    real_time: bool
    zero_sum: bool
    payoff_unit: str
    longest_match: int
    source: str
    house_rules: list[str]
    parameters: list[ParameterAnswer]

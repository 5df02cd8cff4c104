"""The bot that is examined: its bundle, its processes, and matches with it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cardpit import Bot, Turn
from cardpit.games import find_game
from cardpit.games.seeds import board_seed
from referee.match import Match
from referee.orders import Board, Conduct, MatchReport, Player, Room, Termination
from referee.seats.grpc import BotSession, GrpcSeat
from referee.seats.inprocess import InProcessSeat
from referee.seats.seat import Seat, SeatFault
from tournament.bundle import Bundle
from tournament.errors import Failure
from tournament.qualification import ADVICE


class StepFailed(Exception):
    """The bot has not got through a step."""

    def __init__(self, detail: str, advice: str = "", log: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        self.advice = advice
        """What to do; empty where the step knows best."""
        self.log = log
        """What the bot has written."""


class Opponent(Bot):
    """Plays any legal action."""

    def act(self, turn: Turn) -> int:
        """Draw an action."""
        return self.table.rng.randrange(len(turn.legal_actions))


@dataclass(frozen=True, slots=True)
class Sitting:
    """One match to play: on which board, in which seat of how many."""

    board: int
    seat: int
    seats: int


class Examinee:
    """A bot under examination. Each game has a process of its own, as in a tournament, until it is at fault."""

    def __init__(
        self, path: Path, folder: Path, games: tuple[str, ...], conduct: Conduct, seed: bytes, *, network: bool = False
    ) -> None:
        self.path = path
        self.folder = folder
        """Where its copy is built."""
        self.games = games
        """The games that are asked for, empty for all it plays; once the bundle is read, those that are tried."""
        self.conduct = conduct
        self.network = network
        """Whether its build may use the network."""
        self.bundle: Bundle | None = None
        self.player = Player("", 0, "", path, ())
        """How to start it; known once it is built."""
        self._seed = seed
        self._sessions: dict[str, BotSession] = {}
        self._told: dict[BotSession, int] = {}

    def written(self) -> str:
        """Return what the bot has written since this was last asked for."""
        parts = []
        for session, told in self._told.items():
            parts.append(session.log[told:])
            self._told[session] = len(session.log)
        return "".join(parts)

    async def session(self, game: str) -> BotSession:
        """Return the bot's process for a game, started if there is none. Raises :class:`StepFailed`."""
        if game not in self._sessions:
            session = self._sessions[game] = BotSession(self.player, game, self.conduct)
            self._told[session] = 0
            await session.start()
        session = self._sessions[game]
        if session.fault is not None:
            raise self.failed(session, session.fault)
        return session

    async def play(
        self,
        game: str,
        sittings: Sequence[Sitting],
        *,
        kind: type[GrpcSeat] = GrpcSeat,
        conduct: Conduct | None = None,
    ) -> list[GrpcSeat]:
        """Play matches at once at one process, each against random choices, and return the bot's seats.

        Raises :class:`StepFailed` at the first fault, strike, or decision that nothing has asked for.
        """
        session = await self.session(game)
        unasked = session.unasked
        seats = [session.seat(kind) for _ in sittings]
        matches = [
            self._match(game, sitting, seat, conduct or self.conduct)
            for sitting, seat in zip(sittings, seats, strict=True)
        ]
        for sitting, report in zip(sittings, await asyncio.gather(*matches), strict=True):
            for verdict in report.verdicts:
                where = f"{game}, seat {sitting.seat} of {sitting.seats}: "
                raise self.failed(session, SeatFault(verdict.termination, where + verdict.detail))
        if session.unasked > unasked:
            detail = f"{game}: sent {session.unasked - unasked} decisions that answer no open turn"
            raise self.failed(session, SeatFault(Termination.PROTOCOL, detail))
        return seats

    async def _match(self, game: str, sitting: Sitting, seat: GrpcSeat, conduct: Conduct) -> MatchReport:
        board = Board(sitting.board, board_seed(self._seed, game, sitting.board))
        others = Player("opponent", 0, "", Path(), ())
        players = tuple(self.player if place == sitting.seat else others for place in range(sitting.seats))
        room = Room("", 0, game, find_game(game).settle(None), 0, 0, players, (board,), conduct)
        seats: list[Seat] = [
            seat if place == sitting.seat else InProcessSeat(Opponent) for place in range(sitting.seats)
        ]
        return await Match(room, board, seats).play()

    def failed(self, session: BotSession, fault: SeatFault) -> StepFailed:
        """Return what a fault of a process means for a step. Raises :class:`Failure` for the platform's own."""
        if fault.termination is Termination.PLATFORM:
            raise Failure(f"bot {self.player.bot} cannot be checked: {fault.detail}")
        return StepFailed(f"{fault.termination.value}: {fault.detail}", ADVICE.get(fault.termination, ""), session.log)

    async def end(self) -> list[tuple[BotSession, int | None]]:
        """End all processes; return each with its exit status, None if it had to be killed."""
        sessions, self._sessions = list(self._sessions.values()), {}
        statuses = await asyncio.gather(*(session.end("the check is done") for session in sessions))
        return list(zip(sessions, statuses, strict=True))

"""A bot process that dials in over gRPC: started in a jail, greeted, seated at tables, ended with all it started."""

import asyncio
import itertools
import logging
import secrets
import signal
from typing import Any

from cardpit.v1 import referee_pb2 as pb
from referee.manifest import resolve_command
from referee.orders import Conduct, Player, Termination
from referee.sandbox import BotProcess, JailError, NoProgram
from referee.seats import messages, turns
from referee.seats.lodging import Lodging
from referee.seats.restraint import Restraint
from referee.seats.seat import Answer, Closing, Opening, Question, SeatFault
from referee.seats.stream import MAX_RECEIVED_SIZE, Stream
from referee.seats.zygote import Fork, Zygote

_log = logging.getLogger(__name__)

EXIT_TIME = 1.0
"""Seconds that a bot whose stream has ended may take to end too, before it is ended."""
STREAM_TIME = 0.25
"""Seconds for which the last messages of a bot that has ended are waited for."""


class BotSession:
    """One bot process with its socket, stream and tables. Once it has a fault, it takes no more tables.

    A zygote, where one is given, forks the process; else it is started.
    """

    def __init__(self, player: Player, game: str, conduct: Conduct, zygote: Zygote | None = None) -> None:
        self.player = player
        self.fault: SeatFault | None = None
        """Why the bot cannot go on."""
        self._conduct = conduct
        self._stream = Stream(secrets.token_urlsafe(24), frozenset({game}), conduct.tables)
        self._zygote = zygote
        self._lodging = Lodging() if zygote is None else None
        self._tables = itertools.count(1)
        self._process: BotProcess | Fork | None = None
        self._watch: asyncio.Task[None] | None = None
        self._with_actions = True
        self._ended_log = ""

    @property
    def log(self) -> str:
        """What the bot has written so far, head and tail."""
        if self._process is None:
            return self._ended_log
        restraint = self._stream.restraint
        return self._process.log + (restraint.notice if restraint is not None else "")

    async def start(self) -> None:
        """Start the process and wait for its Hello. What goes wrong with the bot is then in ``fault``."""
        conduct = self._conduct
        try:
            self._process = await self._start_process()
        except (NoProgram, JailError) as error:
            termination = Termination.STARTUP if isinstance(error, NoProgram) else Termination.PLATFORM
            self._fail(SeatFault(termination, f"could not be started: {error}"))
            return
        self._oversee(self._process)
        self._watch = asyncio.create_task(self._watch_process(self._process))
        await _wait_first(conduct.startup_time, self._stream.hello, self._watch)
        if self._stream.hello.done():
            self._with_actions = not self._stream.hello.result().omit_legal_actions
        elif self.fault is None:
            detail = f"said no Hello within its startup time of {conduct.startup_time:g} s"
            self._fail(SeatFault(Termination.STARTUP, detail))

    async def _start_process(self) -> BotProcess | Fork:
        if self._zygote is not None:
            return self._zygote.fork(self._stream)
        assert self._lodging is not None
        self._lodging.stream = self._stream
        command = resolve_command(self.player.command, self.player.folder)
        variables = {"CARDPIT_TOKEN": self._stream.token}
        return await self._lodging.start(command, self.player.folder, self._conduct, variables)

    @property
    def max_tables(self) -> int:
        """How many matches the bot can play at once."""
        hello = self._stream.hello
        return min(self._conduct.tables, max(1, hello.result().max_tables)) if hello.done() else 1

    @property
    def hello(self) -> pb.Hello | None:
        """How the bot has introduced itself; None before it has."""
        hello = self._stream.hello
        return hello.result() if hello.done() else None

    @property
    def unasked(self) -> int:
        """How many decisions it has sent that answer no turn."""
        return self._stream.unasked

    def seat(self, kind: "type[GrpcSeat] | None" = None) -> "GrpcSeat":
        """Return a seat for one match."""
        return (kind or GrpcSeat)(self, self._stream, next(self._tables), self._with_actions)

    async def end(self, reason: str) -> int | None:
        """Say Farewell, wait for the end a while, and kill what is left.

        Return the exit status of a bot that has ended by itself, negative for a signal; None for one that was killed.
        """
        process, status = self._process, None
        if process is not None:
            if self._stream.restraint is not None:
                self._stream.restraint.release()
            if self.fault is None:
                self._stream.send(pb.PlayResponse(farewell=pb.Farewell(reason=reason)))
                await _wait_first(self._conduct.grace_time, process.exit_status)
            if process.exit_status.done():
                status = process.exit_status.result()
            if self._watch is not None:
                self._watch.cancel()
            await process.kill()
            self._ended_log, self._process = self.log, None
        if self._lodging is not None:
            await self._lodging.close()
        return status

    def _oversee(self, process: BotProcess | Fork) -> None:
        if self._conduct.time_control.meter == "cpu":
            self._stream.cpu_clock = lambda: process.cpu_time
        if not self._conduct.ponder:
            self._stream.restraint = Restraint(process, self.player.label)

    def _fail(self, fault: SeatFault) -> None:
        if self.fault is None:
            self.fault = fault
            _log.info("%s: %s: %s", self.player.label, fault.termination.value, fault.detail)
            self._stream.fail(fault)

    async def _watch_process(self, process: BotProcess | Fork) -> None:
        """Turn the end of the process or of the stream into the bot's fault."""
        ended, status = self._stream.ended, process.exit_status
        await _wait_first(None, ended, status)
        if not status.done() and (broken := ended.result()) is not None:
            self._fail(broken)
            return
        # Whichever came first, the other tells more: the stream's last answers, or the exit status.
        await (_wait_first(EXIT_TIME, status) if ended.done() else _wait_first(STREAM_TIME, ended))
        if ended.done() and (broken := ended.result()) is not None:
            self._fail(broken)
        elif not status.done():
            self._fail(self._end_fault())
        else:
            self._fail(self._exit_fault(process, status.result()))

    def _end_fault(self) -> SeatFault:
        if self._stream.broken_off:
            detail = f"broke off its stream: it cancelled, or sent a message of more than {MAX_RECEIVED_SIZE} bytes"
            return SeatFault(Termination.PROTOCOL, detail)
        return SeatFault(Termination.DISCONNECT, "closed its stream while its process went on")

    def _exit_fault(self, process: BotProcess | Fork, status: int) -> SeatFault:
        if process.start_error:
            return SeatFault(Termination.STARTUP, f"could not be started: {process.start_error}")
        if process.jail_error:
            return SeatFault(
                Termination.PLATFORM, f"could not be started: jail {self._conduct.jail}: {process.jail_error}"
            )
        when = "" if self._stream.hello.done() else " before its Hello"
        if process.excess:
            return SeatFault(Termination.MEMORY, process.excess + when)
        if status < 0:
            return SeatFault(Termination.CRASH, f"was killed by {_signal_name(-status)}{when}")
        if status > 0:
            return SeatFault(Termination.CRASH, f"exited with {status}{when}")
        if when:
            return SeatFault(Termination.STARTUP, "ended without an error before its Hello")
        return SeatFault(Termination.DISCONNECT, "ended without an error before the match was over")


class GrpcSeat:
    """A bot process at one table."""

    def __init__(self, session: BotSession, stream: Stream, table: int, with_actions: bool) -> None:
        self._session = session
        self._stream = stream
        self._table = table
        self._with_actions = with_actions
        self._seat = 0
        self.last_turn = b""
        """The last turn that was sent, serialised."""

    @property
    def log(self) -> str:
        """What the bot has written so far, head and tail."""
        return self._session.log

    def open(self, opening: Opening) -> None:
        """Sit down. Raises :class:`SeatFault` if the bot has one already."""
        if self._session.fault is not None:
            raise self._session.fault
        self._seat = opening.seat
        self._send(pb.PlayResponse(table_opened=messages.table_opened(self._table, opening)))

    def ask(self, question: Question) -> asyncio.Future[Answer]:
        """Send a turn. Raises :class:`SeatFault` if the bot has one already."""
        if self._session.fault is not None:
            raise self._session.fault
        self.last_turn = self._encode(question)
        allowance = question.move_time + question.bank_time
        return self._stream.ask((self._table, question.number), self.last_turn, question.limit, allowance)

    def close(self, closing: Closing) -> None:
        """Say how the match ended, unless nobody listens any more."""
        self._stream.withdraw(self._table)
        if self._session.fault is None:
            result = messages.match_result(closing)
            self._send(pb.PlayResponse(table_closed=pb.TableClosed(table=self._table, result=result)))

    def _send(self, message: pb.PlayResponse) -> None:
        self._stream.send(message)

    def _encode(self, question: Question) -> bytes:
        return turns.turn(self._table, self._seat, question, self._with_actions)


async def _wait_first(timeout: float | None, *futures: "asyncio.Future[Any]") -> None:
    """Wait until one of some futures is done, or for so many seconds. None of them is cancelled."""
    await asyncio.wait(futures, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

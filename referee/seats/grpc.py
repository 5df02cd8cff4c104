"""A bot process that dials in over gRPC: started in a jail, greeted, seated at tables, ended with all it started."""

import asyncio
import itertools
import logging
import os
import secrets
import signal
from functools import cache
from typing import Any

import grpc

from cardpit.v1 import referee_pb2 as pb
from referee.manifest import resolve_command
from referee.orders import Conduct, Player, Termination
from referee.sandbox import BotProcess, JailError, Launch, NoProgram, Scratch, find_jail
from referee.seats import messages, turns
from referee.seats.seat import Answer, Closing, Opening, Question, SeatFault
from referee.seats.stream import MAX_RECEIVED_SIZE, SERVER_OPTIONS, Stream

_log = logging.getLogger(__name__)

EXIT_TIME = 1.0
"""Seconds that a bot whose stream has ended may take to end too, before it is ended."""
STREAM_TIME = 0.25
"""Seconds for which the last messages of a bot that has ended are waited for."""
KEPT_VARIABLES = ("LANG", "LC_ALL", "PATH", "TZ")
"""What a bot's environment keeps of the referee's."""


@cache
def _keep_running() -> None:
    """Keep gRPC's event thread until the process ends.

    Otherwise the last server to go ends it, whenever the garbage collector comes by, and may wait for it for ever.
    """
    grpc.aio.init_grpc_aio()


class BotSession:
    """One bot process with its socket, stream and tables. Once it has a fault, it takes no more tables."""

    def __init__(self, player: Player, game: str, conduct: Conduct) -> None:
        self.player = player
        self.fault: SeatFault | None = None
        """Why the bot cannot go on."""
        self._conduct = conduct
        self._stream = Stream(secrets.token_urlsafe(24), frozenset({game}), conduct.tables)
        _keep_running()
        self._server = grpc.aio.server(options=SERVER_OPTIONS)
        self._server.add_generic_rpc_handlers((self._stream.handler,))
        self._tables = itertools.count(1)
        self._process: BotProcess | None = None
        self._watch: asyncio.Task[None] | None = None
        self._with_actions = True
        self._ended_log = ""

    @property
    def log(self) -> str:
        """What the bot has written so far, head and tail."""
        return self._process.log if self._process else self._ended_log

    async def start(self) -> None:
        """Start the process and wait for its Hello. What goes wrong with the bot is then in ``fault``."""
        conduct = self._conduct
        jail = find_jail(conduct.jail)
        scratch = Scratch()
        try:
            environment = self._environment(self._listen(scratch))
            await self._server.start()
            launch = Launch(
                resolve_command(self.player.command, self.player.folder), self.player.folder, environment, scratch
            )
            self._process = BotProcess(jail.confine(launch), scratch, conduct.log_size)
        except (NoProgram, JailError) as error:
            scratch.remove()
            termination = Termination.STARTUP if isinstance(error, NoProgram) else Termination.PLATFORM
            self._fail(SeatFault(termination, f"could not be started: {error}"))
            return
        except BaseException:
            scratch.remove()
            raise
        self._watch = asyncio.create_task(self._watch_process(self._process))
        await _wait_first(conduct.startup_time, self._stream.hello, self._watch)
        if self._stream.hello.done():
            self._with_actions = not self._stream.hello.result().omit_legal_actions
        elif self.fault is None:
            detail = f"said no Hello within its startup time of {conduct.startup_time:g} s"
            self._fail(SeatFault(Termination.STARTUP, detail))

    @property
    def max_tables(self) -> int:
        """How many matches the bot can play at once."""
        hello = self._stream.hello
        return min(self._conduct.tables, max(1, hello.result().max_tables)) if hello.done() else 1

    def seat(self) -> "GrpcSeat":
        """Return a seat for one match."""
        return GrpcSeat(self, self._stream, next(self._tables), self._with_actions)

    async def end(self, reason: str) -> None:
        """Say Farewell, wait for the end a while, and kill what is left."""
        process = self._process
        if process is not None:
            if self.fault is None:
                self._stream.send(pb.PlayResponse(farewell=pb.Farewell(reason=reason)))
                await _wait_first(self._conduct.grace_time, process.exit_status)
            if self._watch is not None:
                self._watch.cancel()
            await process.kill()
            self._ended_log, self._process = process.log, None
        await self._server.stop(None)

    def _listen(self, scratch: Scratch) -> str:
        if self._conduct.transport == "tcp":
            return f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        address = f"unix:{scratch.socket}"
        self._server.add_insecure_port(address)
        return address

    def _environment(self, address: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        return kept | {
            "CARDPIT_ADDRESS": address,
            "CARDPIT_TOKEN": self._stream.token,
            "PYTHONUNBUFFERED": "1",
        }

    def _fail(self, fault: SeatFault) -> None:
        if self.fault is None:
            self.fault = fault
            _log.info("%s: %s: %s", self.player.label, fault.termination.value, fault.detail)
            self._stream.fail(fault)

    async def _watch_process(self, process: BotProcess) -> None:
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

    def _exit_fault(self, process: BotProcess, status: int) -> SeatFault:
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
        self._stream.send(pb.PlayResponse(table_opened=messages.table_opened(self._table, opening)))

    def ask(self, question: Question) -> asyncio.Future[Answer]:
        """Send a turn. Raises :class:`SeatFault` if the bot has one already."""
        if self._session.fault is not None:
            raise self._session.fault
        self.last_turn = turns.turn(self._table, self._seat, question, self._with_actions)
        return self._stream.ask((self._table, question.number), self.last_turn, question.limit)

    def close(self, closing: Closing) -> None:
        """Say how the match ended, unless nobody listens any more."""
        self._stream.withdraw(self._table)
        if self._session.fault is None:
            result = messages.match_result(closing)
            self._stream.send(pb.PlayResponse(table_closed=pb.TableClosed(table=self._table, result=result)))


async def _wait_first(timeout: float | None, *futures: "asyncio.Future[Any]") -> None:
    """Wait until one of some futures is done, or for so many seconds. None of them is cancelled."""
    await asyncio.wait(futures, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

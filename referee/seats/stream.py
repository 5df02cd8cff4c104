"""The referee's end of one bot's stream: who may connect, what is open, when it is late.

A stream never plays: it hands answers and faults to the futures of its open turns. Three facts of ``grpc.aio`` shape
it. A cancelled read ends the stream for ever, so one reader reads until the end and deadlines are timers of our own.
A write can block, so turns are written by a task of its own, which also joins those of many tables into one message.
And every way for a stream to end looks the same, so the verdict comes from the bot's process, not from here.
"""

import asyncio
import hmac
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence

import grpc
from google.protobuf.message import DecodeError

from cardpit.client import PROTOCOL
from cardpit.v1 import referee_pb2 as pb
from referee.clock import WALL_FACTOR
from referee.lag import lag_meter
from referee.orders import Termination
from referee.seats import turns
from referee.seats.restraint import Restraint
from referee.seats.seat import Answer, SeatFault

_log = logging.getLogger(__name__)

MAX_MESSAGE_SIZE = 64 * 1024
"""Bytes in a message of a bot; a larger one ends it."""
MAX_RECEIVED_SIZE = 1024 * 1024
"""Bytes at which gRPC itself breaks off a message, without telling why the stream has ended."""
MAX_COMMENT_LENGTH = 200
MAX_CALLS = 3
"""So many calls without a valid Hello end a bot."""
MAX_UNASKED = 32
"""So many decisions that answer no open turn end a bot."""
HELLO_TIME = 2.0
"""Seconds from the start of a call to its Hello."""
READ_TIME = 0.001
"""Seconds in which an event loop that is on time has read what came in; one that is behind gets four times as much."""
CPU_LOOK_TIME = 0.005
"""Seconds at least between two looks at the CPU time of a bot that is near its limit."""
CANCEL_TIME = 0.05
"""Seconds after the end of a stream within which gRPC cancels the handler, if it was broken off and not closed."""

SERVER_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_RECEIVED_SIZE),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_concurrent_streams", 1),
    ("grpc.compression_enabled_algorithms_bitset", 1),
    ("grpc.server_handshake_timeout_ms", 2000),
    ("grpc.max_connection_idle_ms", 2000),
    ("grpc.max_metadata_size", 4096),
    ("grpc.so_reuseport", 0),
)

Context = grpc.aio.ServicerContext[bytes, bytes]


class _Turn:
    """A turn from its asking to its answer."""

    __slots__ = ("allowance", "cpu_time", "data", "future", "key", "limit", "look", "sent")

    def __init__(
        self, key: tuple[int, int], data: bytes, limit: float, allowance: float, future: asyncio.Future[Answer]
    ) -> None:
        self.key = key
        self.data = data
        self.limit = limit
        self.allowance = allowance
        self.future = future
        self.sent = 0.0
        self.cpu_time = 0.0
        """What the bot had used when it was sent, where that is charged."""
        self.look = 0.0
        """When to look at that next."""


class Stream:
    """One bot's stream.

    All turns that wait for a bot travel in one message: while it has some open, those that come up meanwhile are held
    until its next answer. A bot that holds several tables so shares its clock among them: with m turns open each has
    m times its limit, and those answered by one message share the time since the one before it.
    """

    def __init__(self, token: str, games: frozenset[str], max_tables: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.token = token
        """What the bot must say in its Hello."""
        self.hello: asyncio.Future[pb.Hello] = self.loop.create_future()
        """Done when the bot has said a valid Hello."""
        self.ended: asyncio.Future[SeatFault | None] = self.loop.create_future()
        """Done when the stream has ended; with a fault if the bot broke the protocol."""
        self.broken_off = False
        """Whether it ended in the middle: the bot died or cancelled, or its message was far too large."""
        self.unasked = 0
        """How many decisions were discarded that answer no turn."""
        self.cpu_clock: Callable[[], float] | None = None
        """Tells the CPU seconds that the bot has used so far, where these are charged. It then holds one table."""
        self.restraint: Restraint | None = None
        """Keeps the bot from thinking between its turns, unless it may."""
        self._games = games
        self._max_tables = max_tables
        self._calls = 0
        self._held: deque[_Turn | pb.PlayResponse] = deque()
        self._open: dict[tuple[int, int], _Turn] = {}
        self._expired: set[tuple[int, int]] = set()
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._flushing = False
        self._busy_since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0.0
        self._lag_meter = lag_meter()

    def send(self, message: pb.PlayResponse) -> None:
        """Send something that needs no answer, once what was asked before has its answers."""
        if self.restraint is not None:
            self.restraint.excuse()
        self._held.append(message)
        if not self._open:
            self._flush_soon()

    def ask(self, key: tuple[int, int], turn: bytes, limit: float, allowance: float) -> asyncio.Future[Answer]:
        """Send an encoded turn and return the future of its answer, which is done by the limit, in seconds.

        ``key`` is the table and the number of the turn. Where CPU time is charged, the answer is late as soon as it
        has cost more than the allowance, also in seconds.
        """
        future: asyncio.Future[Answer] = self.loop.create_future()
        self._held.append(_Turn(key, turn, limit, allowance, future))
        if not self._open:
            self._flush_soon()
        return future

    def withdraw(self, table: int) -> None:
        """Forget the turns of a table that has closed. A late answer to them is not held against the bot."""
        for key in [key for key in self._open if key[0] == table]:
            self._open.pop(key).future.cancel()
            self._expired.add(key)
        for turn in [turn for turn in self._held if isinstance(turn, _Turn) and turn.key[0] == table]:
            self._held.remove(turn)
            turn.future.cancel()
        self._rest(answered=False)

    def fail(self, fault: SeatFault) -> None:
        """Hand a fault to every turn that waits for an answer."""
        for turn in [*self._open.values(), *self._held]:
            if isinstance(turn, _Turn) and not turn.future.done():
                turn.future.set_exception(fault)
                turn.future.exception()  # whoever waits sees it; nobody need
        self._open.clear()
        self._held.clear()

    def _flush_soon(self) -> None:
        """Send what is held once the tables that act in this moment have all had their say."""
        if self._max_tables == 1:
            self._flush()
        elif not self._flushing:
            self._flushing = True
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send all that is held: notices, each for itself, then every turn in one message.

        A notice never overtakes a turn of its own table, for those of a table that has closed are withdrawn.
        """
        self._flushing = False
        if self.restraint is not None and any(isinstance(item, _Turn) for item in self._held):
            self.restraint.wake(time.monotonic())
        now = time.monotonic()
        waiting: list[bytes] = []
        for item in self._held:
            if isinstance(item, _Turn):
                item.sent = now
                if self.cpu_clock is not None:
                    item.cpu_time = self.cpu_clock()
                    item.look = now + min(item.allowance, item.limit)
                self._open[item.key] = item
                waiting.append(item.data)
            else:
                self._outbox.append(item.SerializeToString())
        self._held.clear()
        if waiting:
            self._outbox.append(turns.message(waiting))
        self._watch()
        self._wake.set()

    @property
    def handler(self) -> grpc.GenericRpcHandler:
        """What serves ``cardpit.v1.Referee``. Requests stay bytes until their size is known."""
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._serve, request_deserializer=None, response_serializer=None
        )
        return grpc.method_handlers_generic_handler("cardpit.v1.Referee", {"Play": play})

    async def _serve(self, requests: object, context: Context) -> None:
        """Handle one call from its first message to its last."""
        self._calls += 1
        if self.hello.done() or self._calls > MAX_CALLS:
            self._end(SeatFault(Termination.PROTOCOL, self._call_complaint()))
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "this bot has a stream already")
        try:
            hello = await self._read_hello(context)
        except SeatFault as fault:
            _log.warning("a Hello was refused: %s", fault)
            if self._calls >= MAX_CALLS:
                self._end(fault)
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, fault.detail)
        writer = self.loop.create_task(self._write(context))
        fault_at_end: SeatFault | None = None
        try:
            self.hello.set_result(hello)
            await self._read(context)
        except SeatFault as fault:
            fault_at_end = fault
        finally:
            writer.cancel()
            self._end(fault_at_end)

    def _call_complaint(self) -> str:
        if self.hello.done():
            return "opened a second stream: allowed is one"
        return f"made {self._calls} calls without a valid Hello: allowed are {MAX_CALLS}"

    def _end(self, fault: SeatFault | None) -> None:
        if not self.ended.done():
            self.ended.set_result(fault)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _read_hello(self, context: Context) -> pb.Hello:
        reading = asyncio.ensure_future(_receive(context))
        # Where the server stops meanwhile nobody looks at its error: that is no news.
        reading.add_done_callback(lambda read: read.cancelled() or read.exception())
        done, _ = await asyncio.wait({reading}, timeout=HELLO_TIME)
        if not done:
            reading.cancel()
            raise SeatFault(Termination.PROTOCOL, f"said no Hello within {HELLO_TIME:g} s of connecting")
        request = reading.result()
        if request is None or request.WhichOneof("kind") != "hello":
            raise SeatFault(Termination.PROTOCOL, "the first message was no Hello")
        hello = request.hello
        if not hmac.compare_digest(hello.token.encode(), self.token.encode()):
            raise SeatFault(Termination.PROTOCOL, "the token in Hello is wrong")
        if hello.protocol != PROTOCOL:
            raise SeatFault(Termination.PROTOCOL, f"protocol {hello.protocol} in Hello: this referee speaks {PROTOCOL}")
        if hello.games and not self._games <= set(hello.games):
            missing = ", ".join(sorted(self._games - set(hello.games)))
            raise SeatFault(
                Termination.PROTOCOL, f"its Hello says that it plays {', '.join(hello.games)}, not {missing}"
            )
        welcome = pb.Welcome(
            protocol=PROTOCOL,
            max_message_size=MAX_MESSAGE_SIZE,
            max_comment_length=MAX_COMMENT_LENGTH,
            max_tables=min(self._max_tables, max(1, hello.max_tables)),
        )
        await context.write(pb.PlayResponse(welcome=welcome).SerializeToString())
        return hello

    async def _read(self, context: Context) -> None:
        while (request := await _receive(context)) is not None:
            if request.WhichOneof("kind") != "decisions":
                raise SeatFault(Termination.PROTOCOL, "sent something other than decisions after its Hello")
            self._answer(request.decisions.decisions, time.monotonic())
        try:
            await asyncio.sleep(CANCEL_TIME)
        except asyncio.CancelledError:
            self.broken_off = True

    def _answer(self, decisions: Sequence[pb.Decision], now: float) -> None:
        busy_since, self._busy_since = self._busy_since, now
        # What the referee itself came late by is not the bot's.
        arrived = now - self._lag_meter.overdue(now)
        keys = [(decision.table, decision.turn) for decision in decisions]
        # What nobody asked for makes nothing cheaper.
        share = max(1, len(self._open.keys() & set(keys)))
        answered = False
        for key, decision in zip(keys, decisions, strict=True):
            turn = self._open.pop(key, None)
            if turn is None:
                self._discard(key)
            elif not turn.future.done():
                choice = decision.index if decision.WhichOneof("choice") == "index" else decision.action
                used_time = self._cost(turn, busy_since, arrived) / share
                turn.future.set_result(Answer(choice, used_time, decision.comment[:MAX_COMMENT_LENGTH]))
                answered = True
        if self._held:
            self._flush_soon()
        self._rest(answered=answered)

    def _cost(self, turn: _Turn, since: float, until: float) -> float:
        """Return the seconds to be charged for a turn on which a bot has worked since a moment, or since its sending.

        On the CPU meter a bot that sleeps pays for it too, so that it cannot hold up a match for nothing.
        """
        passed = max(0.0, until - max(since, turn.sent))
        if self.cpu_clock is None:
            return passed
        return max(self.cpu_clock() - turn.cpu_time, passed / WALL_FACTOR)

    def _rest(self, *, answered: bool) -> None:
        """Let the bot rest, if it has no turn."""
        if self.restraint is not None and not self._open and not self._held:
            self.restraint.rest(time.monotonic(), answered=answered)

    def _discard(self, key: tuple[int, int]) -> None:
        if key in self._expired:
            self._expired.remove(key)
            _log.debug("a late answer to turn %d at table %d was discarded", key[1], key[0])
            return
        self.unasked += 1
        _log.warning("a decision for table %d, turn %d answers no open turn", *key)
        if self.unasked > MAX_UNASKED:
            detail = f"sent {self.unasked} decisions that nothing had asked for: allowed are {MAX_UNASKED}"
            raise SeatFault(Termination.PROTOCOL, detail)

    def _deadline(self, turn: _Turn) -> float:
        if self.cpu_clock is not None:
            return turn.look
        return max(self._busy_since, turn.sent) + turn.limit * len(self._open)

    def _watch(self) -> None:
        """See to it that the timer does not run out later than the first deadline."""
        if self._open:
            first = min(map(self._deadline, self._open.values()))
            if self._timer is None or first < self._rings:
                if self._timer is not None:
                    self._timer.cancel()
                self._rings = first
                # The loop's own clock may lag behind by a millisecond: then _due looks and waits on.
                self._timer = self.loop.call_later(first - time.monotonic(), self._due)

    def _due(self) -> None:
        """Look at the open turns when the first may be late.

        If one is, the loop gets a moment to read what has come in already, for the lag may be the referee's own.
        """
        self._timer = None
        now = time.monotonic()
        if any(self._deadline(turn) <= now for turn in self._open.values()):
            behind = self._lag_meter.overdue(now) > READ_TIME
            self._timer = self.loop.call_later(READ_TIME * (4 if behind else 1), self._expire)
        else:
            self._watch()

    def _expire(self) -> None:
        self._timer = None
        now = time.monotonic()
        share = len(self._open)
        for turn in [turn for turn in self._open.values() if self._deadline(turn) <= now]:
            used_time = self._cost(turn, self._busy_since, now) / share
            if self.cpu_clock is not None and used_time < turn.allowance and now < turn.sent + turn.limit:
                wait_time = max(turn.allowance - used_time, CPU_LOOK_TIME)
                turn.look = min(turn.sent + turn.limit, now + wait_time)
                continue
            del self._open[turn.key]
            self._expired.add(turn.key)
            if not turn.future.done():
                turn.future.set_result(Answer(None, used_time))
        self._watch()
        if self._held:
            self._flush_soon()
        self._rest(answered=False)

    async def _write(self, context: Context) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._outbox:
                    await context.write(self._outbox.popleft())
        except (grpc.RpcError, grpc.aio.BaseError, asyncio.InvalidStateError) as error:
            _log.debug("a write failed: %s", error)


async def _receive(context: Context) -> pb.PlayRequest | None:
    """Return the next message, or None at the end. Raises :class:`SeatFault` for what is no message or too large."""
    data = await context.read()
    if not isinstance(data, bytes):
        return None
    if len(data) > MAX_MESSAGE_SIZE:
        raise SeatFault(Termination.PROTOCOL, f"sent a message of {len(data)} bytes: allowed are {MAX_MESSAGE_SIZE}")
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        raise SeatFault(Termination.PROTOCOL, "sent bytes that are no PlayRequest") from None

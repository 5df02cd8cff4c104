"""The bot's end of the stream: says Hello, seats a bot at every table, answers turns until Farewell."""

import asyncio
import inspect
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from google.protobuf.duration_pb2 import Duration

import cardpit
from cardpit.bot import BatchBot, Bot, Choice, checked_choice, checked_choices
from cardpit.games import GAMES, Event, Observation, Value, Zone, find_game
from cardpit.v1 import referee_pb2 as pb
from cardpit.views import Result, Substitution, Table, TimeControl, Turn

PROTOCOL = 1
SDK_NAME = "cardpit-python"

_LARGEST_MESSAGE = 64 * 1024 * 1024
"""Bytes: the turns of a thousand tables with long lists of actions."""


def run(bot: type[Bot]) -> None:
    """Play for the referee named in the environment and end the process; without one, practise and return."""
    address = os.environ.get("CARDPIT_ADDRESS")
    if address is None:
        practise(bot)
        return
    status = 1
    try:
        asyncio.run(Client(bot).play(address, os.environ.get("CARDPIT_TOKEN", "")))
        status = 0
    except KeyboardInterrupt:
        status = 130
    except BaseException:  # noqa: BLE001 - whatever a bot raises belongs into its log, and ends it
        traceback.print_exc()
    finally:
        # A Python process that has used gRPC sometimes hangs when it ends by itself.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def practise(bot: type[Bot]) -> None:
    """Say how to submit a bot, and play one quick match against random choices in each of its games."""
    from cardpit.practice import play

    class RandomChoice(Bot):
        """Any legal action."""

        def act(self, turn: Turn) -> Choice:
            """Choose any action."""
            return self.table.rng.randrange(len(turn.legal_actions))

    try:
        path = inspect.getsourcefile(bot) or "bot.py"
    except (OSError, TypeError):  # a class typed in at a prompt has no file
        path = "bot.py"
    print(f"{bot.__name__} plays when a referee starts it. Submit it with: tournament submit {os.path.relpath(path)}")
    for game in [find_game(name) for name in bot.games or tuple(GAMES)]:
        opponents = [RandomChoice] * (game.min_seats - 1)
        outcome = play(game.id, [bot, *opponents], seed=bytes(32))
        print(
            f"One match of {game.name} against random choices: "
            f"place {outcome.places[0]} of {game.min_seats}, {outcome.payoffs[0]:+g} {game.payoff_unit}"
        )


class Seating(NamedTuple):
    """A table and the bot that sits at it."""

    table: Table
    player: Bot


Write = Callable[[pb.PlayRequest], Awaitable[None]]


class Client:
    """One bot process at all of its tables."""

    def __init__(self, bot: type[Bot]) -> None:
        self._bot = bot
        self._batch = bot() if issubclass(bot, BatchBot) else None
        self._seatings: dict[int, Seating] = {}
        self._thinking: set[asyncio.Task[None]] = set()
        self._limits = pb.Welcome(max_message_size=64 * 1024, max_comment_length=200)
        self._ready: list[pb.Decision] = []
        self._writing = False

    async def play(self, address: str, token: str) -> None:
        """Serve the referee at an address until it says Farewell or ends the stream.

        Raises ``grpc.aio.AioRpcError`` where the referee cannot be reached or refuses the bot, and whatever the bot
        raises.
        """
        import grpc

        from cardpit.v1 import referee_pb2_grpc

        options = (("grpc.max_receive_message_length", _LARGEST_MESSAGE), ("grpc.enable_http_proxy", 0))
        async with grpc.aio.insecure_channel(address, options) as channel:
            call = referee_pb2_grpc.RefereeStub(channel).Play()
            await call.write(pb.PlayRequest(hello=self._hello(token)))
            while True:
                message = await call.read()
                if not isinstance(message, pb.PlayResponse):
                    break
                kind = message.WhichOneof("kind")
                if kind == "turns":
                    await self._send(await self._decide(message.turns.turns, call.write), call.write)
                elif kind == "table_opened":
                    self._open(message.table_opened)
                elif kind == "table_closed":
                    self._close(message.table_closed)
                elif kind == "welcome":
                    self._limits = message.welcome
                elif kind == "farewell":
                    break
            await call.done_writing()

    def _hello(self, token: str) -> pb.Hello:
        return pb.Hello(
            token=token,
            protocol=PROTOCOL,
            sdk_name=SDK_NAME,
            sdk_version=cardpit.__version__,
            games=self._bot.games,
            max_tables=self._bot.max_tables,
        )

    def _open(self, message: pb.TableOpened) -> None:
        table = read_table(message)
        player = self._batch or self._bot()
        player.table = table
        self._seatings[table.number] = Seating(table, player)
        player.opened(table)

    def _close(self, message: pb.TableClosed) -> None:
        table, player = self._seatings.pop(message.table)
        player.table = table
        player.closed(read_result(message.result))

    async def _send(self, decisions: Sequence[pb.Decision], write: Write) -> None:
        """Send decisions. Those that become ready while others are being written travel together in the next message.

        A stream takes one write at a time.
        """
        self._ready += decisions
        if self._writing:
            return
        self._writing = True
        try:
            while self._ready:
                ready, self._ready = self._ready, []
                for request in _requests(ready, self._limits.max_message_size):
                    await write(request)
        finally:
            self._writing = False

    async def _decide(self, messages: Sequence[pb.Turn], write: Write) -> list[pb.Decision]:
        """Return the decisions that are ready; what an ``async`` bot ponders is sent by a task of its own."""
        turns = [read_turn(message, self._seatings[message.table].table) for message in messages]
        if isinstance(self._batch, BatchBot):
            choices = self._batch.act_many(turns)
            ready = checked_choices(
                self._batch, await choices if isinstance(choices, Awaitable) else choices, len(turns)
            )
            return [self._decision(self._batch, turn, choice) for turn, choice in zip(turns, ready, strict=True)]
        decisions = []
        for turn in turns:
            player = self._seatings[turn.table.number].player
            choice = player.act(turn)
            if isinstance(choice, Awaitable):
                task = asyncio.ensure_future(self._await_choice(player, turn, choice, write))
                self._thinking.add(task)
                task.add_done_callback(self._thought)
            else:
                decisions.append(self._decision(player, turn, choice))
        return decisions

    async def _await_choice(
        self,
        player: Bot,
        turn: Turn,
        choice: Awaitable[Choice],
        write: Write,
    ) -> None:
        await self._send([self._decision(player, turn, await choice)], write)

    def _thought(self, task: asyncio.Task[None]) -> None:
        self._thinking.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            # An error of a bot ends the process at once, as it does in a bot that is not async.
            traceback.print_exception(error)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)

    def _decision(self, player: Bot, turn: Turn, choice: Choice) -> pb.Decision:
        decision = pb.Decision(table=turn.table.number, turn=turn.number)
        choice = checked_choice(player, choice)
        if isinstance(choice, str):
            decision.action = choice
        else:
            decision.index = choice
        if player.comment:
            decision.comment, player.comment = str(player.comment)[: self._limits.max_comment_length], ""
        return decision


def _requests(decisions: Sequence[pb.Decision], max_size: int) -> Iterator[pb.PlayRequest]:
    """Yield decisions in as few messages as the referee's limit on their size allows."""
    request = pb.PlayRequest(decisions=pb.Decisions(decisions=decisions))
    if request.ByteSize() <= max_size or len(decisions) == 1:
        yield request
    else:
        half = len(decisions) // 2
        yield from _requests(decisions[:half], max_size)
        yield from _requests(decisions[half:], max_size)


def read_table(message: pb.TableOpened) -> Table:
    """Return a table as bots see it."""
    parameters: dict[str, Value] = {p.name: p.value for p in message.parameters}
    if message.game in GAMES:
        parameters = GAMES[message.game].settle(parameters)
    return Table(
        message.table,
        message.game,
        message.rules_version,
        parameters,
        message.seat,
        message.seats,
        read_time_control(message.time_control),
        message.bot_seed,
        Random(message.bot_seed),
    )


def read_time_control(message: pb.TimeControl) -> TimeControl:
    """Return a seat's time as bots see it."""
    return TimeControl(
        seconds(message.move_time),
        seconds(message.bank_time),
        seconds(message.match_time),
        message.max_strikes,
        message.clock == pb.CLOCK_REALTIME,
        seconds(message.tick_time),
        "cpu" if message.meter == pb.METER_CPU else "wall",
    )


def read_turn(message: pb.Turn, table: Table) -> Turn:
    """Return a turn as bots see it. Its observation is read when it is first looked at."""
    return Turn(
        table,
        message.turn,
        lambda: read_observation(message.observation),
        message.legal_actions,
        seconds(message.move_time),
        seconds(message.bank_time),
        read_substitution(message.substitution) if message.HasField("substitution") else None,
    )


def read_substitution(message: pb.Substitution | None) -> Substitution | None:
    """Return what was done in place of an answer as bots see it."""
    if message is None:
        return None
    reason = pb.SubstitutionReason.Name(message.reason).removeprefix("SUBSTITUTION_REASON_")
    return Substitution(reason.lower().replace("_", " "), message.action, message.strikes)


def read_observation(message: pb.Observation) -> Observation:
    """Return an observation as the rules write it."""
    return Observation(
        message.phase,
        tuple(Zone(z.name, z.owner if z.HasField("owner") else None, tuple(z.cards), z.unseen) for z in message.zones),
        tuple((c.name, c.value) for c in message.counters),
        read_events(message.events),
    )


def read_events(messages: Iterable[pb.Event]) -> tuple[Event, ...]:
    """Return events as the rules write them."""
    return tuple(Event(e.seat if e.HasField("seat") else None, e.text) for e in messages)


def read_result(message: pb.MatchResult) -> Result:
    """Return a result as bots see it."""
    names = [pb.Termination.Name(seat.termination).removeprefix("TERMINATION_") for seat in message.seats]
    return Result(
        tuple(seat.payoff for seat in message.seats),
        tuple(seat.place for seat in message.seats),
        tuple(name.lower().replace("_", " ") for name in names),
    )


def seconds(duration: Duration) -> float:
    """Return a duration in seconds."""
    return duration.seconds + duration.nanos / 1e9

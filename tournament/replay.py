"""A match as text that a person can follow: the table drawn from its zones after each step."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from cardpit.cards import BIG_JOKER, is_red
from cardpit.games import ALL, Observation, State, find_game
from cardpit.v1 import record_pb2 as pb
from cardpit.v1 import referee_pb2
from referee.orders import Termination
from referee.record import states

_REASONS = {
    referee_pb2.SUBSTITUTION_REASON_TIMEOUT: "too late, the default action stands in",
    referee_pb2.SUBSTITUTION_REASON_ILLEGAL_ACTION: "illegal, the default action stands in",
    referee_pb2.SUBSTITUTION_REASON_FORFEITED: "forfeited, played on by default actions",
}


class Replay:
    """The replay of one record."""

    def __init__(self, record: pb.Record, timings: pb.Timings, seed: bytes, eyes: int = ALL) -> None:
        self._record = record
        self._times = [time.ToNanoseconds() / 1e9 for time in timings.used_time]
        self._seed = seed
        self._eyes = eyes
        self._players = [f"{p.bot} {p.version}" if p.version else p.bot for p in record.header.players]

    @property
    def length(self) -> int:
        """How many steps the match has."""
        return len(self._record.steps)

    def head(self) -> list[Text]:
        """Return what was played by whom."""
        header = self._record.header
        game = find_game(header.game)
        title = Text(f"{game.name}, rules version {header.rules_version}", "bold")
        parameters = ", ".join(f"{p.name}={p.value}" for p in header.parameters)
        players = [Text(f"  seat {seat}: {name}") for seat, name in enumerate(self._players)]
        return [title, *players, Text(f"  {parameters}")] if parameters else [title, *players]

    def steps(self, first: int, last: int, brief: bool = False) -> Iterator[list[Text]]:
        """Yield the lines of each step from ``first`` to ``last``; step 0 is the deal.

        Raises :class:`referee.record.BadRecord` where the record does not replay.
        """
        for number, state in enumerate(states(self._record, self._seed)):
            if number > last:
                return
            if number >= first:
                yield self._step(number, state, brief)

    def _step(self, number: int, state: State, brief: bool) -> list[Text]:
        lines = self._actions(number) if number else [Text("step 0: the deal", "bold cyan")]
        if not brief:
            lines += draw(state.observe(self._eyes))
            if state.turn:
                lines.append(Text("  to act: " + ", ".join(self._name(seat) for seat in state.turn), "dim"))
        return lines

    def _actions(self, number: int) -> list[Text]:
        steps = self._record.steps
        start = sum(len(step.actions) for step in steps[: number - 1])
        lines = []
        for offset, action in enumerate(steps[number - 1].actions):
            line = Text(f"step {number}: " if not offset else " " * len(f"step {number}: "), "bold cyan")
            line.append(f"{self._name(action.seat)}: ", "default").append(action.action)
            if action.substituted:
                line.append(f"  ({_REASONS[action.substituted]})", "red")
            if start + offset < len(self._times):
                line.append(f"  {self._times[start + offset] * 1000:.1f} ms", "dim not bold")
            if action.comment:
                line.append(f"  “{action.comment}”", "italic not bold")
            lines.append(line)
        return lines

    def _name(self, seat: int) -> str:
        return f"{seat} {self._players[seat]}"

    def result(self) -> list[Text]:
        """Return how the match ended."""
        lines = [Text("result", "bold cyan")]
        for seat, row in enumerate(self._record.result.seats):
            termination = Termination.of(row.termination)
            line = Text(f"  {self._name(seat)}: payoff {row.payoff:g}, place {row.place}, margin {row.margin}")
            if termination is not Termination.NORMAL:
                line.append(f", at fault: {termination.value}", "red")
            if row.strikes:
                line.append(f", strikes {row.strikes}", "yellow")
            lines.append(line)
        return lines


def draw(seen: Observation) -> list[Text]:
    """Return the table as lines: the places with cards, then the numbers, then what happened."""
    lines = [Text(f"  {seen.phase}", "bold")]
    width = max((len(_place(zone.name, zone.owner)) for zone in seen.zones), default=0)
    for zone in seen.zones:
        if not zone.cards and not zone.unseen:
            continue
        line = Text(f"    {_place(zone.name, zone.owner).ljust(width)}  ")
        line.append_text(_cards(zone.cards))
        if zone.unseen:
            line.append(f"{' ' if zone.cards else ''}{'??' if zone.unseen == 1 else f'?? x {zone.unseen}'}", "dim")
        lines.append(line)
    if seen.counters:
        lines.append(Text("    " + " · ".join(f"{name} {value}" for name, value in seen.counters), "dim"))
    happened = [e.text if e.seat is None else f"{e.seat}: {e.text}" for e in seen.events]
    if happened:
        lines.append(Text("    → " + "; ".join(happened), "dim"))
    return lines


def _place(name: str, owner: int | None) -> str:
    return name if owner is None else f"{name} of {owner}"


def _cards(cards: Sequence[str]) -> Text:
    line = Text()
    for number, card in enumerate(cards):
        red = card == BIG_JOKER or (len(card) == 2 and is_red(card))
        line.append(" " if number else "").append(card, "red" if red else "")
    return line

"""One match over seats, from deal to result. One loop serves every game.

Ask the seats that must act, wait for all of them or their limits, put the default action where an answer is missing or
illegal, apply, record, repeat. This is the one place where a seat's fault is caught.

With the realtime clock a tick does not wait: it closes on time, with whatever has come in. A seat has at most one open
turn; while its bot thinks, ticks go by in which it passes, and its answer counts in the tick in which it comes.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from cardpit.games import State, find_game
from cardpit.games.seeds import bot_seed
from cardpit.practice import notation
from cardpit.v1 import referee_pb2 as pb
from referee.clock import SeatClock
from referee.lag import Lag, lag_meter
from referee.orders import Board, MatchReport, Room, Termination, Verdict
from referee.record import Reason, Recorder, final_outcome
from referee.seats.seat import Answer, Closing, Opening, Question, Seat, SeatFault

_log = logging.getLogger(__name__)

_LATE = pb.SUBSTITUTION_REASON_TIMEOUT
_ILLEGAL = pb.SUBSTITUTION_REASON_ILLEGAL_ACTION
_FORFEITED = pb.SUBSTITUTION_REASON_FORFEITED
_MISSED = pb.SUBSTITUTION_REASON_MISSED_TICK
_TOO_LATE = pb.SUBSTITUTION_REASON_TOO_LATE
_NONE = pb.SUBSTITUTION_REASON_UNSPECIFIED


Asked: TypeAlias = "Answer | asyncio.Future[Answer] | None"
"""An answer, one to come, or None from a seat that is out of the match."""


class Action(NamedTuple):
    """What one seat did in one step."""

    notation: str
    substituted: Reason
    used_time: float
    comment: str = ""


class Match:
    """One match: a board in a room."""

    def __init__(self, room: Room, board: Board, seats: Sequence[Seat]) -> None:
        self._room = room
        self._board = board
        self._seats = seats
        self._game = find_game(room.game)
        self._control = room.conduct.time_control
        self._clocks = [SeatClock(control) for control in room.time_controls]
        self._numbers = [0] * len(seats)
        self._substitutions: list[pb.Substitution | None] = [None] * len(seats)
        self._verdicts: dict[int, Verdict] = {}
        self._recorder = Recorder(room, board)
        self._ends = 0.0
        self._thinking: dict[int, tuple[State, Asked]] = {}
        self._tick_ends = 0.0

    async def play(self) -> MatchReport:
        """Play to the end and return the report."""
        with lag_meter().watch() as lag:
            state = await self._play()
        return self._close(state, lag)

    async def _play(self) -> State:
        self._ends = time.monotonic() + self._control.match_time
        state = self._game.deal(self._board.seed, len(self._seats), self._room.parameters)
        self._recorder.deal(state)
        self._open()
        while state.outcome is None and not self._is_decided():
            state = await self._step(state)
            if state.outcome is None and time.monotonic() >= self._ends:
                detail = f"used most of the time of a match that took longer than its {self._control.match_time:g} s"
                self._convict(self._slowest(), SeatFault(Termination.TIMEOUT, detail))
                break
        return state

    def _open(self) -> None:
        for number, seat in enumerate(self._seats):
            opening = Opening(
                self._room.game,
                self._game.rules_version,
                self._room.parameters,
                number,
                len(self._seats),
                self._clocks[number].control,
                bot_seed(self._board.seed, number),
            )
            try:
                seat.open(opening)
            except SeatFault as fault:
                self._convict(number, fault)

    def _is_decided(self) -> bool:
        """Tell whether the referee ends the match: a forfeit of one of two, or of all but one of more."""
        return len(self._verdicts) >= max(1, len(self._seats) - 1)

    async def _step(self, state: State) -> State:
        if self._control.realtime:
            return await (self._tick(state) if state.is_tick else self._pause(state))
        # All are asked before the first is waited for.
        asked = []
        for seat in state.turn:
            legal = state.legal_actions(seat)
            asked.append((seat, legal, self._ask(seat, state, legal, self._limit(seat))))
        actions = {}
        for seat, legal, question in asked:
            actions[seat] = self._judge(seat, state, legal, await self._answer(seat, question))
        return self._apply(state, actions)

    def _apply(self, state: State, actions: dict[int, Action]) -> State:
        state = state.apply({seat: action.notation for seat, action in actions.items()})
        self._recorder.step(actions, state)
        return state

    async def _tick(self, state: State) -> State:
        """Play one tick on the wall clock."""
        for seat in state.turn:
            if seat not in self._thinking:
                self._ponder(seat, state)
        # A tick that the referee was late for is not caught up with: bots are owed its whole length.
        self._tick_ends = max(self._tick_ends, time.monotonic()) + self._control.tick_time
        while (left := min(self._tick_ends, self._ends) - time.monotonic()) > 0:
            await asyncio.sleep(left)
        return self._apply(state, {seat: await self._thought(seat, state) for seat in state.turn})

    async def _pause(self, state: State) -> State:
        """Play a step between ticks on the wall clock: seats that are still thinking come first to their old turns."""
        started = time.monotonic()
        arrivals = await asyncio.gather(*(self._reconsider(seat, state) for seat in state.turn))
        actions = {seat: await self._thought(seat, state) for seat in state.turn}
        ticks = [int((arrival - started) / self._control.tick_time) for arrival in arrivals]
        if ticks.count(min(ticks)) == 1:
            first = state.turn[ticks.index(min(ticks))]
            counted = state.in_order({seat: action.notation for seat, action in actions.items()}, first)
            actions = {seat: action._replace(notation=counted[seat]) for seat, action in actions.items()}
        return self._apply(state, actions)

    async def _reconsider(self, seat: int, state: State) -> float:
        """Have a seat answer to this state, after its old turn if that is still open, and return when it was done."""
        for _ in range(2):
            if seat not in self._thinking:
                self._ponder(seat, state)
            question, asked = self._thinking[seat]
            if isinstance(asked, asyncio.Future):
                await asyncio.wait({asked}, timeout=self._limit(seat))
            if question is state or (isinstance(asked, asyncio.Future) and not asked.done()):
                break
            del self._thinking[seat]
        return time.monotonic()

    def _ponder(self, seat: int, state: State) -> None:
        """Open a turn that stays open until it is answered."""
        asked = self._ask(seat, state, state.legal_actions(seat), max(0.0, self._ends - time.monotonic()))
        self._thinking[seat] = state, asked

    async def _thought(self, seat: int, state: State) -> Action:
        """Return the action that a seat has come to, or its default."""
        question, asked = self._thinking[seat]
        if isinstance(asked, asyncio.Future) and not asked.done():
            return Action(state.default_action(seat), _MISSED, 0.0)
        del self._thinking[seat]
        return self._judge(seat, state, question.legal_actions(seat), await self._answer(seat, asked))

    def _limit(self, seat: int) -> float:
        return min(self._clocks[seat].wall_limit, max(0.0, self._ends - time.monotonic()))

    def _ask(self, seat: int, state: State, legal: Sequence[str], limit: float) -> Asked:
        """Put the question to a seat; None if it is out of the match."""
        if seat in self._verdicts:
            return None
        clock = self._clocks[seat]
        self._numbers[seat] = number = self._numbers[seat] + 1
        substitution, self._substitutions[seat] = self._substitutions[seat], None
        try:
            return self._seats[seat].ask(
                Question(number, state, legal, limit, clock.control.move_time, clock.bank, substitution)
            )
        except SeatFault as fault:
            self._convict(seat, fault)
            return None

    async def _answer(self, seat: int, asked: Asked) -> Answer | None:
        """Wait for a seat's answer; None if it is out of the match."""
        try:
            return await asked if isinstance(asked, asyncio.Future) else asked
        except SeatFault as fault:
            self._convict(seat, fault)
            return None

    def _judge(self, seat: int, state: State, legal: Sequence[str], answer: Answer | None) -> Action:
        """Turn a seat's answer into an action that is legal."""
        if answer is None:
            return Action(state.default_action(seat), _FORFEITED, 0.0)
        clock = self._clocks[seat]
        in_time = self._control.realtime or answer.used_time <= clock.limit
        clock.charge(answer.used_time)
        if answer.choice is None or not in_time:
            return self._substitute(seat, state, answer, _LATE)
        action = notation(answer.choice, legal)
        if action is None:
            return self._substitute(seat, state, answer, _ILLEGAL)
        if self._control.realtime and action not in state.legal_actions(seat):
            return self._come_too_late(seat, state, answer)
        return Action(action, _NONE, answer.used_time, answer.comment)

    def _substitute(self, seat: int, state: State, answer: Answer, reason: Reason) -> Action:
        clock = self._clocks[seat]
        action = state.default_action(seat)
        if reason == _LATE and time.monotonic() >= self._ends:
            # The match was too long, which the slowest seat answers for: no strike for the one that was to act.
            return Action(action, reason, answer.used_time, answer.comment)
        forfeits = clock.strike(late=reason == _LATE)
        self._substitutions[seat] = pb.Substitution(reason=reason, action=action, strikes=clock.strikes)
        if forfeits:
            self._convict(seat, self._strike_fault(seat, state, answer, reason))
        return Action(action, reason, answer.used_time, answer.comment)

    def _come_too_late(self, seat: int, state: State, answer: Answer) -> Action:
        """Pass over an answer that was legal when it was asked for and is no more."""
        action = state.default_action(seat)
        strikes = self._clocks[seat].strikes
        self._substitutions[seat] = pb.Substitution(reason=_TOO_LATE, action=action, strikes=strikes)
        return Action(action, _TOO_LATE, answer.used_time, answer.comment)

    def _strike_fault(self, seat: int, state: State, answer: Answer, reason: Reason) -> SeatFault:
        clock = self._clocks[seat]
        control = clock.control
        strikes = f"strike {clock.strikes} of {control.max_strikes}"
        if reason == _LATE:
            limits = f"the move time of {control.move_time:g} s and the bank of {control.bank_time:g} s"
            meter = " on the CPU meter" if control.meter == "cpu" else ""
            return SeatFault(
                Termination.TIMEOUT, f"{strikes}: no answer in {answer.used_time:.3f} s{meter}, beyond {limits}"
            )
        legal = state.legal_actions(seat)
        shown = ", ".join(legal[:8]) + (f" and {len(legal) - 8} more" if len(legal) > 8 else "")
        return SeatFault(Termination.ILLEGAL_ACTION, f"{strikes}: answered {answer.choice!r}: legal were {shown}")

    def _slowest(self) -> int:
        """Return the seat that has used most time: it answers for a match that takes too long."""
        return max(range(len(self._seats)), key=lambda seat: self._clocks[seat].used)

    def _convict(self, seat: int, fault: SeatFault) -> None:
        if seat in self._verdicts:
            return
        _log.warning("pairing %d, board %d: seat %d: %s", self._room.pairing, self._board.number, seat, fault)
        self._verdicts[seat] = Verdict(
            seat, fault.termination, fault.detail, self._seats[seat].last_turn, self._seats[seat].log
        )

    def _close(self, state: State, lag: Lag) -> MatchReport:
        outcome = final_outcome(
            self._room.game, state, frozenset(self._verdicts), len(self._seats), self._room.parameters
        )
        assert outcome is not None, "a match ends by the rules or by a verdict"
        faults = {seat: verdict.termination for seat, verdict in self._verdicts.items()}
        terminations = tuple(faults.get(seat, Termination.NORMAL) for seat in range(len(self._seats)))
        termination = next(iter(faults.values()), Termination.NORMAL)
        strikes = tuple(clock.strikes for clock in self._clocks)
        closing = Closing(outcome, termination, terminations, strikes)
        for seat in self._seats:
            seat.close(closing)
        record, timings = self._recorder.finish(closing)
        return MatchReport(
            pairing=self._room.pairing,
            board=self._board.number,
            room=self._room.room,
            record=record,
            timings=timings,
            termination=termination,
            payoffs=outcome.payoffs,
            places=outcome.places,
            margins=outcome.margins,
            strikes=strikes,
            timeouts=tuple(clock.timeouts for clock in self._clocks),
            used_times=tuple(clock.used for clock in self._clocks),
            verdicts=tuple(self._verdicts[seat] for seat in sorted(self._verdicts)),
            decisions=sum(self._numbers),
            lag_time=lag.quantile(0.99),
        )

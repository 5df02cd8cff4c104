"""Twenty-Two: whoever takes the last trick of a hand keeps the card, and who has 22 points is out. 2 to 6 seats.

``docs/games/twenty-two.md`` is the page of the game; its rules have the numbers TT-1 to TT-44 there and here.
"""

from collections.abc import Mapping
from operator import ge
from random import Random
from typing import ClassVar, final

from cardpit.games.game import BadPosition, Event, Game, IllegalAction, Observation, Outcome, Parameter, State, Value
from cardpit.games.seeds import SEED_SIZE
from cardpit.games.twenty_two_deal import Deal, Setting, Trail, first_deal
from cardpit.games.twenty_two_imagine import imagined
from cardpit.games.twenty_two_plays import (
    CARD_UNITS,
    FOLLOWS,
    GUARDS,
    LEADS,
    UNITS,
    Ranks,
    can_beat,
    exchanges,
    follows,
    holds,
    leads,
    lowest,
    read_exchange,
)
from cardpit.games.twenty_two_position import NOBODY, Position, last_cards
from cardpit.games.twenty_two_sample import resampled
from cardpit.games.twenty_two_scores import finish, forfeited, next_deal, next_event, result
from cardpit.games.twenty_two_text import read_position, write_position
from cardpit.games.twenty_two_view import observation

_TAKES = tuple((Event(seat, "take"),) for seat in range(6))
_NO_PLAY: tuple[Ranks, int] = ((), 0)
_DEFAULTS = tuple("lead " + rank for rank in UNITS)


@final
class TwentyTwoState(Position, State):
    """A position of Twenty-Two. It never changes once it is made."""

    __slots__ = ()

    def legal_actions(self, seat: int) -> tuple[str, ...]:
        """Return every action of the seat to act, the default action first; the page says in which order."""
        if seat != self.seat:
            return ()
        legal = self.legal
        if legal is None:
            best, hand = self.best, self.hands[seat]
            if best:
                legal = follows(hand, best, self.deal.setting.must_beat)
            elif best is None:
                legal = exchanges(hand, self.size, min(self.size, self.talon))
            else:
                legal = leads(hand, self.size)
            self.legal = legal
        return legal

    def default_action(self, seat: int) -> str:
        """Exchange none, lead one lowest card, follow with the lowest cards that are allowed. (TT-10, TT-21, TT-22)."""
        if seat != self.seat:
            raise IllegalAction(seat, None, f"is not asked: to act is {self._to_act}")
        if self.best is None:
            return "exchange"
        if not self.best:
            return _DEFAULTS[lowest(self.hands[seat], 1)[0]]
        return self.legal_actions(seat)[0]

    def apply(self, actions: Mapping[int, str]) -> "TwentyTwoState":
        """Return the state after an exchange, a lead or a follow, and after the final trick where that comes next.

        Raises :class:`IllegalAction` unless ``actions`` has one legal action of the seat to act and no other.
        """
        seat = self.seat
        action = actions.get(seat)
        if action is None or len(actions) != 1 or not self.turn:
            raise self._misplaced(actions)
        best = self.best
        if best is None:
            return self._exchange(seat, action)
        deal, hands, best_seat, size = self.deal, self.hands, self.best_seat, self.size
        hand = hands[seat]
        if best:
            ranks, cards = FOLLOWS.get(action, _NO_PLAY)
            if len(ranks) != len(best) or (hand | GUARDS) - cards & GUARDS != GUARDS:
                raise self._illegal(seat, action)
            if ranks[0] >= best[0] if len(ranks) == 1 else all(map(ge, ranks, best)):
                best, best_seat = ranks, seat
            elif ranks != lowest(hand, len(ranks)) or (deal.setting.must_beat and can_beat(hand, best)):
                raise self._illegal(seat, action)
        else:
            ranks, cards = LEADS.get(action, _NO_PLAY)
            if not 0 < len(ranks) < size or (hand | GUARDS) - cards & GUARDS != GUARDS:
                raise self._illegal(seat, action)
            best, best_seat = ranks, seat
        hands = (*hands[:seat], hand - cards, *hands[seat + 1 :])
        left = self.left - 1
        if left:
            step: Trail = (self.trail, seat, action, ())
            return TwentyTwoState(deal, deal.following[seat], hands, self.swaps, size, left, best, best_seat, step)
        size -= len(ranks)
        trail: Trail = (self.trail, seat, action, _TAKES[best_seat])
        after = TwentyTwoState(deal, best_seat, hands, self.swaps, size, len(deal.order), (), -1, trail)
        return after if size > 1 else after._final_trick()

    def _exchange(self, seat: int, action: str) -> "TwentyTwoState":
        """Put cards aside and draw as many from the top of the talon. (TT-10)."""
        deal = self.deal
        ranks = read_exchange(action)
        hand = self.hands[seat]
        if ranks is None or len(ranks) > min(self.talon, self.size):
            raise self._illegal(seat, action)
        aside = sum([UNITS[rank] for rank in ranks])
        if not holds(hand, aside):
            raise self._illegal(seat, action)
        start = len(deal.pack) - self.talon
        hand += sum([CARD_UNITS[card] for card in deal.pack.top(start, start + len(ranks))]) - aside
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        trail = (self.trail, seat, f"exchanged {len(ranks)}", ())
        left = self.left - 1
        return TwentyTwoState(
            deal,
            deal.following[seat],
            hands,
            (*self.swaps, ranks),
            self.size,
            left or len(deal.order),
            None if left else (),
            -1,
            trail,
        )

    def _final_trick(self) -> "TwentyTwoState":
        """Play the last card of each seat, score, and deal the next hand unless the match has ended. (TT-30)."""
        deal, (before, seat, action, takes) = self.deal, self.trail
        place = deal.order.index(self.seat)
        cards = last_cards(self)
        end = finish(deal, [(player, cards[player]) for player in deal.order[place:] + deal.order[:place]])
        outcome = result(end)
        if outcome is None:
            events = (*takes, *end.events, next_event(deal, end))
            return opening(next_deal(deal, end, (before, seat, action, events)))
        trail = (before, seat, action, takes + end.events)
        last = TwentyTwoState(deal, NOBODY, self.hands, self.swaps, 0, 0, (), -1, trail)
        last.outcome, last.end = outcome, end
        return last

    def observe(self, seat: int) -> Observation:
        """Return what a seat sees; the page of the game lists the zones, counters and events.

        For :data:`PUBLIC` and :data:`ALL` the events are those of the last transition.
        """
        return observation(self, seat)

    @property
    def chance(self) -> tuple[str, ...]:
        """The pack of a hand that the last transition dealt, bottom to top; before the first, the cards drawn."""
        deal = self.deal
        if self.trail is not deal.trail:
            return ()
        cuts = tuple(f"cut {event.seat} {event.text[4:]}" for event in self.trail[3] if event.text.startswith("cut "))
        return (*cuts, deal.chance)

    def resample(self, seat: int, rng: Random) -> "TwentyTwoState":
        """Return a state drawn from all that agree with what the seat has seen; later hands are drawn anew too."""
        deal, hands, swaps = resampled(self, seat, rng)
        state = TwentyTwoState(
            deal, self.seat, hands, swaps, self.size, self.left, self.best, self.best_seat, self.trail
        )
        state.outcome, state.end = self.outcome, self.end
        return state

    @property
    def text(self) -> str:
        """The position as the deal of this hand and what was done since: the page gives the grammar."""
        return write_position(self)

    @property
    def _to_act(self) -> str:
        return f"seat {self.seat}" if self.turn else "nobody, the match has ended"

    def _misplaced(self, actions: Mapping[int, str]) -> IllegalAction:
        for seat, action in actions.items():
            if seat not in self.turn:
                return IllegalAction(seat, action, f"is not asked: to act is {self._to_act}")
        return IllegalAction(self.seat, None, f"is no action: to act is {self._to_act}")

    def _illegal(self, seat: int, action: str) -> IllegalAction:
        legal = self.legal_actions(seat)
        shown = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return IllegalAction(seat, action, f"is not legal: allowed is {shown}")


def opening(deal: Deal) -> TwentyTwoState:
    """Return the state after a deal, before the exchange."""
    hands = [0] * deal.setting.seats
    for seat, cards in deal.hands.items():
        hands[seat] = sum([CARD_UNITS[card] for card in cards])
    return TwentyTwoState(deal, deal.order[0], tuple(hands), (), deal.size, len(deal.order), None, -1, deal.trail)


class TwentyTwo(Game):
    """Twenty-Two, as data and as the dealer of its matches."""

    id: ClassVar[str] = "twenty-two"
    name: ClassVar[str] = "Twenty-Two"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 6
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("min_deal", 2, "the least number of cards dealt to each seat after the first hand", low=2, high=11),
        Parameter("must_beat", False, "whether a seat that can beat the best play has to"),
    )
    zero_sum: ClassVar[bool] = False
    real_time: ClassVar[bool] = False
    payoff_unit: ClassVar[str] = "points"
    longest_match: ClassVar[int] = 177
    """A hand of c cards asks a seat c times at most; the first has 7, and a later one no more cards than the hand
    before it brought points; before the last hand four seats have 32 points at most and two have 21."""
    source: ClassVar[str] = "Twenty-Two as on gamerules.com and pagat.com"
    house_rules: ClassVar[tuple[str, ...]] = (
        "Seats that tie for the highest card draw for dealer again, from a full pack.",
        "A hand has as many cards as the card that took the last final trick has points, and at least min_deal.",
        "Score cards stay out of the pack as long as their owner is in.",
        "Cards put aside are not drawn again in the same hand.",
        "A seat that can beat may play its lowest cards all the same, unless must_beat.",
        "Plays are compared card by card, from the lowest up.",
        "The last seat to equal or beat the best play wins the trick.",
        "All who tie for the highest card of the final trick score their own; of them, who played last deals next.",
        "A seat that goes out deals the next hand in name only.",
        "If all seats left go out in one hand, the lowest total wins.",
        "Seats rank by the hand in which they went out, then by the lower total.",
        "Of the cards of one rank, a seat plays the one that it got first.",
    )

    def deal(
        self, seed: bytes, seats: int | None = None, parameters: Mapping[str, Value] | None = None
    ) -> TwentyTwoState:
        """Return the first state of a match: the dealer is drawn and seven cards are dealt to each seat.

        ``seed`` is 32 bytes. Raises :class:`BadSeats` or :class:`BadParameter`.
        """
        settled = self.settle(parameters)
        min_deal, must_beat = settled["min_deal"], settled["must_beat"]
        if len(seed) != SEED_SIZE:
            raise ValueError(f"a seed of {len(seed)} bytes: it must have {SEED_SIZE}")
        setting = Setting(seed, self.settle_seats(seats), int(min_deal), bool(must_beat))
        return opening(first_deal(setting))

    def parse(self, text: str) -> TwentyTwoState:
        """Return the state that a line of text describes. Raises :class:`BadPosition`."""
        deal, actions = read_position(text)
        state = opening(deal)
        for seat, action in actions:
            if state.deal is not deal:
                raise BadPosition(f"{action!r} comes after the end of hand {deal.number}")
            try:
                state = state.apply({seat: action})
            except IllegalAction as error:
                raise BadPosition(f"no position of {self.id}: {error}") from error
        if state.deal is not deal:
            raise BadPosition(f"hand {deal.number} is over: a position shows the hand that is being played")
        return state

    def imagine(
        self,
        observation: Observation,
        seat: int,
        seats: int,
        parameters: Mapping[str, Value],
        before: State | None = None,
    ) -> TwentyTwoState:
        """Return a state that looks to a seat like what it observes at its turn."""
        assert before is None or isinstance(before, TwentyTwoState)
        settled = self.settle(parameters)
        setting = Setting(bytes(SEED_SIZE), seats, int(settled["min_deal"]), bool(settled["must_beat"]))
        return TwentyTwoState(*imagined(observation, seat, setting, before))

    def payoff_bounds(self, seats: int, parameters: Mapping[str, Value]) -> tuple[float, float]:
        """Return the payoff of a sole last seat, 0, and that of a sole winner."""
        return 0.0, float(self.settle_seats(seats) - 1)

    def forfeit(self, state: State, at_fault: frozenset[int], seats: int, parameters: Mapping[str, Value]) -> Outcome:
        """Return the outcome with the seats at fault last, together, with the worst payoff, 0, and margin.

        The others keep their order in ``state``, played on to its end by default actions.
        """
        while state.outcome is None:
            state = state.apply({seat: state.default_action(seat) for seat in state.turn})
        return forfeited(state.outcome, at_fault)

"""How Landlord is played in the thoughts of a search: by plans for each hand, quickly."""

from collections.abc import Container, Sequence
from random import Random
from typing import ClassVar

from cardpit.games import State
from cardpit.games.landlord_deal import sum_cards
from cardpit.games.landlord_lists import Book
from cardpit.games.landlord_plays import PASS, Play, at_least, count
from cardpit.games.landlord_states import CALL, NO, AuctionState, PlayState
from cardpit.search.guide import Guide
from cardpit.search.landlord_plan import plan, turns

ACE = 9
"""The place of the ace among the ranks: what is above it is seldom beaten."""
CLOSE = 6
"""An opponent with so many cards to go is close to the end."""
CALL_FROM, GRAB_FROM = 3.0, 5.0
"""From which worth of a hand to call, and to grab for the first time; each grab before asks for one more."""
HIGH_CARDS = ((9, 1.0), (10, 2.0), (11, 3.0), (12, 4.0))
"""The worth of aces, twos and jokers, by the place of their rank."""
FEW = 3
"""How many answers that are not in the plan of a hand are looked at."""


class LandlordGuide(Guide):
    """Leads what is low and long, beats where it costs no turn, and keeps bombs for the end."""

    decisions: ClassVar[int] = 10

    def __init__(self, root: State, seat: int) -> None:
        super().__init__(root, seat)
        self._orders: dict[tuple[int, int], list[str]] = {}

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return a quick choice of a seat that is to act."""
        if isinstance(state, AuctionState):
            return speak(state, seat)
        assert isinstance(state, PlayState)
        play = _chosen(state, seat, state.hands[seat], state.beat, _to_go(state), rng)
        return PASS if play is None else play.text

    def untried(self, state: State, seat: int, legal: Sequence[str], tried: Container[str], rng: Random) -> str:
        """Return what a seat should try next: for the own hand, which is known, in the order of what it costs."""
        if seat != self.seat or not isinstance(state, PlayState):
            return super().untried(state, seat, legal, tried, rng)
        key = (state.hands[seat], state.beat.cards if state.beat else 0)
        order = self._orders.get(key)
        if order is None:
            order = self._orders[key] = _ordered(state, seat, legal)
        return next(action for action in order if action not in tried)

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return the points of a match that is played on by plans."""
        while isinstance(state, AuctionState):
            state = state.apply({seat: self.choose(state, seat, rng) for seat in state.turn})
        assert isinstance(state, PlayState)
        return state.outcome.payoffs if state.outcome else _played_out(state, rng)


def speak(state: AuctionState, seat: int) -> str:
    """Call or grab with a strong hand."""
    asked = state.legal_actions(seat)[0]
    hand = sum_cards(state.deal.hands[seat])
    worth = sum(value * (hand >> 4 * place & 7) for place, value in HIGH_CARDS)
    worth += 4 * at_least(hand, 4).bit_count() - 0.8 * (turns(hand) - 8)
    return asked if worth >= (CALL_FROM if asked == CALL else GRAB_FROM + state.grabs) else NO


def _to_go(state: PlayState) -> tuple[int, int]:
    """Return how many cards each seat has to play until it has won."""
    landlord = state.contract.landlord
    alone, farmer = count(state.hands[landlord]), state.left - state.contract.ceded
    return (farmer, alone) if landlord else (alone, farmer)


def _chosen(
    state: PlayState, seat: int, hand: int, beat: Play | None, to_go: Sequence[int], rng: Random
) -> Play | None:
    """Return the play of a hand; None for a pass."""
    if beat is None:
        return _lead(hand, to_go[seat], to_go[1 - seat], rng)
    return _answer(state.contract.book, hand, beat, to_go[seat], to_go[1 - seat], rng)


def _lead(hand: int, own: int, other: int, rng: Random) -> Play:
    """Return the lowest and longest play of the plan; none with which the opponent goes out, if it can be helped."""
    plays = plan(hand)
    best, least = plays[-1], float("inf")
    for play in plays:
        if play.size >= own:
            return play
        cost = play.high - 0.4 * play.size + 3 * rng.random()
        if play.power:
            cost += -50 if len(plays) == 2 else 50
        elif play.size == other:
            cost += 30 - 2 * play.high
        if cost < least:
            best, least = play, cost
    return best


def _answer(book: Book, hand: int, beat: Play, own: int, other: int, rng: Random) -> Play | None:
    """Return the cheapest play that beats; None where it costs more than the lead is worth."""
    plays = plan(hand)
    answers = [play for play in plays if play.beats(beat)]
    for play in answers:
        if play.size >= own:
            return play
    ordinary = [play for play in answers if not play.power]
    if ordinary:
        play = min(ordinary, key=lambda play: play.high)
        if play.high <= ACE or other <= CLOSE or len(plays) <= 3 or rng.random() < 0.5:
            return play
        return None
    legal = book.answers(hand, beat)
    if len(legal) == 1:
        return None
    if answers and (len(plays) <= 2 or other <= CLOSE // 2):
        return answers[0]
    now = turns(hand) + (2 if other <= CLOSE else 0)
    for text in legal[: min(FEW, len(legal) - 1)]:
        play = book.by_text[text]
        if play.size >= own:
            return play
        if turns(hand - play.cards) + (play.power > 0) <= now:
            return play
    return None


def _ordered(state: PlayState, seat: int, legal: Sequence[str]) -> list[str]:
    """Return legal actions, first those that leave the fewest turns, among them the lowest and longest."""
    hand = state.hands[seat]
    cost: dict[str, float] = {PASS: turns(hand) + 0.9}
    for text in legal:
        play = state.contract.plays.get(text)
        if play is not None:
            cost[text] = turns(hand - play.cards) + 0.08 * play.high - 0.05 * play.size + (2 if play.power else 0)
    return sorted(legal, key=cost.__getitem__)


def _played_out(state: PlayState, rng: Random) -> Sequence[float]:
    """Return the points at the end of a match that is played on by plans. States are left out, for speed."""
    contract = state.contract
    rules = contract.deal.rules
    hands, to_go = list(state.hands), list(_to_go(state))
    seat, beat, bombs = state.turn[0], state.beat, state.bombs
    made = _plays_made(state)
    while True:
        play = _chosen(state, seat, hands[seat], beat, to_go, rng)
        if play is not None:
            hands[seat] -= play.cards
            to_go[seat] -= play.size
            made[seat] += 1
            bombs += play.power > 0
            if to_go[seat] <= 0:
                break
        beat = play
        seat = 1 - seat
    spring = rules.spring_x2 and made[1 - seat] == (seat != contract.landlord)
    worth = 1 << contract.ceded + (bombs if rules.bomb_x2 else 0) + spring
    points = float(min(worth, rules.cap))
    return (-points, points) if seat else (points, -points)


def _plays_made(state: PlayState) -> list[int]:
    """Return how many plays each seat has made."""
    made = [0, 0]
    trail = state.trail
    while trail is not None:
        trail, seat, text = trail
        if seat is not None and text in state.contract.plays:
            made[seat] += 1
    return made

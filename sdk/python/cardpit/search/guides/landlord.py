"""How Landlord is played in the thoughts of a search: by plans for each hand, quickly."""

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from cardpit.games import State
from cardpit.games.landlord_deal import sum_cards
from cardpit.games.landlord_plays import PASS, at_least
from cardpit.games.landlord_states import CALL, NO, AuctionState, PlayState
from cardpit.search.guide import Guide
from cardpit.search.guides.landlord_plan import plan, turns
from cardpit.search.guides.landlord_playout import answer, cards_to_go, lead, play_out

CALL_FROM, GRAB_FROM = 3.0, 5.0
"""From which worth of a hand to call, and to grab for the first time; each grab before asks for one more."""
HIGH_CARDS = ((9, 1.0), (10, 2.0), (11, 3.0), (12, 4.0))
"""The worth of aces, twos and jokers, by the place of their rank."""


class LandlordGuide(Guide):
    """Leads what is low and long, beats where it costs no turn, and keeps bombs for the end."""

    decisions: ClassVar[int] = 10

    def choose(self, state: State, seat: int, rng: Random) -> str:
        """Return a quick choice of a seat that is to act."""
        if isinstance(state, AuctionState):
            return speak(state, seat)
        assert isinstance(state, PlayState)
        plays, to_go = list(plan(state.hands[seat])), cards_to_go(state)
        if state.beat is None:
            return lead(plays, to_go[seat], to_go[1 - seat], rng).text
        play = answer(plays, state.beat, to_go[seat], to_go[1 - seat], rng)
        return PASS if play is None else play.text

    def ranked(self, state: State, seat: int) -> Sequence[str]:
        """Return the legal actions, first those that leave the fewest turns, among them the lowest and longest."""
        legal = state.legal_actions(seat)
        if not isinstance(state, PlayState):
            return legal
        hand = state.hands[seat]
        cost: dict[str, float] = {PASS: turns(hand) + 0.9}
        for text in legal:
            play = state.contract.plays.get(text)
            if play is not None:
                cost[text] = turns(hand - play.cards) + 0.08 * play.high - 0.05 * play.size + (2 if play.power else 0)
        return sorted(legal, key=cost.__getitem__)

    def play_out(self, state: State, rng: Random) -> Sequence[float]:
        """Return the points of a match that is played on by plans."""
        while isinstance(state, AuctionState):
            state = state.apply({seat: speak(state, seat) for seat in state.turn})
        assert isinstance(state, PlayState)
        return play_out(state, rng)


def speak(state: AuctionState, seat: int) -> str:
    """Call or grab with a strong hand."""
    asked = state.legal_actions(seat)[0]
    hand = sum_cards(state.deal.hands[seat])
    worth = sum(value * (hand >> 4 * place & 7) for place, value in HIGH_CARDS)
    worth += 4 * at_least(hand, 4).bit_count() - 0.8 * (turns(hand) - 8)
    return asked if worth >= (CALL_FROM if asked == CALL else GRAB_FROM + state.grabs) else NO

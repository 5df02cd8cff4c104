"""Landlord played out quickly from two known hands: each by its plan, without states.

A plan is changed only where a play is not in it, so most decisions take a few microseconds.
"""

from collections.abc import Sequence
from random import Random

from cardpit.games.landlord_plays import Play, count
from cardpit.games.landlord_states import PlayState
from cardpit.search.guides.landlord_plan import BOOK, BY_CARDS, plan

ACE = 9
"""The place of the ace among the ranks: what is above it is seldom beaten."""
CLOSE = 6
"""An opponent with so many cards to go is close to the end."""
SETS = ("single", "pair", "triple")
"""The kinds from which, but for the first, a card or two can be broken off."""

Plays = list[Play]


def play_out(state: PlayState, rng: Random) -> Sequence[float]:
    """Return the points of each seat at the end of a match that is played on by plans."""
    if state.outcome is not None:
        return state.outcome.payoffs
    contract = state.contract
    rules = contract.deal.rules
    plans = (list(plan(state.hands[0])), list(plan(state.hands[1])))
    to_go = cards_to_go(state)
    seat, beat, bombs = state.turn[0], state.beat, state.bombs
    made = _plays_made(state)
    while True:
        own, other = to_go[seat], to_go[1 - seat]
        if beat is None:
            play: Play | None = lead(plans[seat], own, other, rng)
        else:
            play = answer(plans[seat], beat, own, other, rng)
        if play is not None:
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


def cards_to_go(state: PlayState) -> list[int]:
    """Return how many cards each seat has to play until it has won."""
    landlord = state.contract.landlord
    alone, farmer = count(state.hands[landlord]), state.left - state.contract.ceded
    return [farmer, alone] if landlord else [alone, farmer]


def lead(plays: Plays, own: int, other: int, rng: Random) -> Play:
    """Take out of a plan its lowest and longest play; none with which the opponent goes out, if it can be helped.

    ``own`` and ``other`` are how many cards the seat and the opponent have to go.
    """
    place, least = 0, float("inf")
    for number, play in enumerate(plays):
        if play.size >= own:
            return plays.pop(number)
        cost = play.high - 0.4 * play.size + 3 * rng.random()
        if play.power:
            cost += -50 if len(plays) == 2 else 50
        elif play.size == other:
            cost += 30 - 2 * play.high
        if cost < least:
            place, least = number, cost
    return plays.pop(place)


def answer(plays: Plays, beat: Play, own: int, other: int, rng: Random) -> Play | None:
    """Take out of a plan the cheapest play that beats; None where it costs more than the lead is worth."""
    place, lowest = -1, 99
    bomb = -1
    size, kind, high = beat.size, beat.kind, beat.high
    for number, play in enumerate(plays):
        if play.power:
            if play.power > beat.power and bomb < 0:
                bomb = number
        elif play.high > high and play.size == size and play.kind == kind and play.high < lowest:
            if size >= own:
                return plays.pop(number)
            place, lowest = number, play.high
    if place >= 0 and not beat.power:
        if lowest <= ACE or other <= CLOSE or len(plays) <= 3 or rng.random() < 0.5:
            return plays.pop(place)
        return None
    if bomb >= 0 and (len(plays) <= 2 or other <= CLOSE // 2 or plays[bomb].size >= own or rng.random() < 0.05):
        return plays.pop(bomb)
    if beat.power:
        return None
    broken = _break_off(plays, beat) if size <= 2 else None
    if broken is None and other <= CLOSE:
        broken = _rearranged(plays, beat)
    return broken


def _break_off(plays: Plays, beat: Play) -> Play | None:
    """Take the lowest single or pair that beats from a pair or triple of the plan, which stays as good as it was."""
    place, lowest = -1, 99
    for number, play in enumerate(plays):
        if beat.high < play.high < lowest and play.size > beat.size and play.kind in SETS:
            place, lowest = number, play.high
    if place < 0:
        return None
    play = plays.pop(place)
    part = BY_CARDS[beat.size * play.body]
    plays.append(BY_CARDS[play.cards - part.cards])
    return part


def _rearranged(plays: Plays, beat: Play) -> Play | None:
    """Take the lowest play of the whole hand that beats, and plan the rest anew."""
    hand = sum([play.cards for play in plays])
    legal = BOOK.answers(hand, beat)
    if len(legal) == 1:
        return None
    play = BOOK.by_text[legal[0]]
    plays[:] = plan(hand - play.cards)
    return play


def _plays_made(state: PlayState) -> list[int]:
    """Return how many plays each seat has made."""
    made = [0, 0]
    trail = state.trail
    while trail is not None:
        trail, seat, text = trail
        if seat is not None and text in state.contract.plays:
            made[seat] += 1
    return made

"""A hand of Twenty-Two played out quickly from known hands, without states, and what the points are worth then."""

from collections.abc import Sequence
from functools import cache
from random import Random

from cardpit.cards import RANKS
from cardpit.games.twenty_two import TwentyTwoState
from cardpit.games.twenty_two_deal import OUT_AT, POINTS, totals
from cardpit.games.twenty_two_plays import Ranks, spread

CARELESS = 0.12
"""How often a quick choice is another than the usual one, so that a search sees more than one line of play."""
COSTS = tuple(POINTS[rank] for rank in RANKS)
"""What a card of each rank costs, by its place."""

SCORES = {2: 0.02, 3: 0.11, 4: 0.2, 5: 0.14, 6: 0.1, 7: 0.11, 8: 0.09, 9: 0.07, 10: 0.15, 11: 0.01}
"""How likely it is that a final trick costs so many points, as counted in matches of careful bots."""
SHARED = 0.13
"""How likely it is that two seats take it together."""


def play_out(state: TwentyTwoState, rng: Random) -> Sequence[float]:
    """Return what each seat can expect when the hand is over. The exchange must be over; ``must_beat`` is ignored."""
    deal = state.deal
    following = deal.following
    hands = [list(spread(hand)) for hand in state.hands]
    seat, size, left = state.seat, state.size, state.left
    best, best_seat = state.best or (), state.best_seat
    while size > 1:
        while left:
            hand = hands[seat]
            if not best:
                best = lead(hand, rng)
                best_seat = seat
            else:
                play, beaten = follow(hand, best, rng)
                if beaten:
                    best, best_seat = play, seat
            left -= 1
            seat = following[seat]
        size -= len(best)
        seat, left, best = best_seat, len(deal.order), ()
    highest = max([hands[player][0] for player in deal.order])
    points = list(totals(deal.piles, deal.falls))
    outs = [fall[1] if fall else 0 for fall in deal.falls]
    for player in deal.order:
        if hands[player][0] == highest:
            points[player] += COSTS[highest]
            if points[player] >= OUT_AT:
                outs[player] = deal.number
    return prospects(points, outs)


def lead(hand: list[int], rng: Random) -> Ranks:
    """Take the lead out of a hand, ascending: the highest rank, as many as there are, but for one card."""
    rank = hand[-1] if rng.random() >= CARELESS else hand[int(rng.random() * len(hand))]
    number = min(hand.count(rank), len(hand) - 1)
    place = hand.index(rank)
    del hand[place : place + number]
    return (rank,) * number


def follow(hand: list[int], best: Ranks, rng: Random) -> tuple[Ranks, bool]:
    """Take the answer out of a hand, ascending: the cheapest that beats, without the lowest card if it can be spared.

    Tell whether it beats; else it is the lowest cards.
    """
    places = cheapest(hand, best, 1) or cheapest(hand, best, 0)
    if places and rng.random() < CARELESS:
        places = []
    if not places:
        play = tuple(hand[: len(best)])
        del hand[: len(best)]
        return play, all(map(int.__ge__, play, best))
    play = tuple([hand[place] for place in places])
    for place in reversed(places):
        del hand[place]
    return play, True


def cheapest(hand: Sequence[int], best: Ranks, place: int) -> list[int]:
    """Return the places of the lowest cards that beat a play, from a place on; none if no cards do."""
    places: list[int] = []
    size = len(hand)
    for bar in best:
        while place < size and hand[place] < bar:
            place += 1
        if place == size:
            return []
        places.append(place)
        place += 1
    return places


def prospects(points: Sequence[int], outs: Sequence[int]) -> Sequence[float]:
    """Return the payoff that each seat can expect after a hand: how many others it will outlast.

    ``points`` are the totals, ``outs`` the hand in which each seat went out, 0 for one that is in.
    """
    seats = range(len(points))
    return [
        sum([_outlasts(points[seat], outs[seat], points[other], outs[other]) for other in seats if other != seat])
        for seat in seats
    ]


def _outlasts(own: int, own_out: int, other: int, other_out: int) -> float:
    """Return how likely a seat is to be in for longer than another, a tie as one half."""
    if own_out == other_out:
        return _race(own, other)
    return float(not own_out or (other_out != 0 and own_out > other_out))


@cache
def _race(own: int, other: int) -> float:
    """Return how likely a seat with so many points is to outlast another, if all final tricks fall by chance."""
    if own >= OUT_AT and other >= OUT_AT:
        return 0.5 if own == other else float(own < other)
    if own >= OUT_AT or other >= OUT_AT:
        return float(own < OUT_AT)
    alone = (1 - SHARED) / 2
    return sum(
        chance
        * (alone * (_race(own + cost, other) + _race(own, other + cost)) + SHARED * _race(own + cost, other + cost))
        for cost, chance in SCORES.items()
    )

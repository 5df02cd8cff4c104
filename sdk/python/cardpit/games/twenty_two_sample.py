"""What a seat of Twenty-Two cannot know, dealt anew so that it agrees with all that the seat has seen."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from cardpit.cards import RANKS
from cardpit.games.game import PUBLIC, BadSeats
from cardpit.games.seeds import SEED_SIZE
from cardpit.games.twenty_two_deal import Deal, Pack
from cardpit.games.twenty_two_plays import CARD_UNITS, Ranks, beats
from cardpit.games.twenty_two_position import Holding, Position, holdings, plays

_TRIES = 30
"""How often hands are drawn before a proof of weakness makes it too rare that they fit."""
_SWAPS = 20
"""How many exchanges of two hidden cards are then tried for each hidden card, from the true hands on."""


class _Hidden(NamedTuple):
    """The cards left in a hand that is not seen, and what is proven of them."""

    cards: list[str]
    floor: int
    """No card is below this rank. (TT-22)."""
    ceiling: int
    """No card is of this rank or above."""
    weak: list[tuple[Ranks, list[int]]]
    """Best plays that the hand could not beat, each with what it has played from then on. (``must_beat``)."""

    def may_have(self, card: str) -> bool:
        """Tell whether nothing is proven against a single card."""
        return self.floor <= RANKS.index(card[0]) < self.ceiling

    def choose(self, free: list[str]) -> tuple[list[str], list[str]]:
        """Return the first cards that it may have, as many as it has or all there are, and the others."""
        number = len(self.cards)
        if self.floor == 0 and self.ceiling == len(RANKS):
            return free[:number], free[number:]
        left: list[str] = []
        others: list[str] = []
        for card in free:
            (left if len(left) < number and self.may_have(card) else others).append(card)
        return left, others

    def may_be(self, cards: Iterable[str]) -> bool:
        """Tell whether nothing is proven against these cards together, each of which it may have."""
        ranks = [RANKS.index(card[0]) for card in cards] if self.weak else []
        return not any(beats(tuple(sorted(ranks + played))[-len(best) :], best) for best, played in self.weak)


def resampled(position: Position, seat: int, rng: Random) -> tuple[Deal, tuple[int, ...], tuple[str, ...]]:
    """Return the deal, the hands and the exchanges of a position that looks the same to a seat.

    The seat may be :data:`PUBLIC`, which knows no hand. Every such position can be drawn.
    """
    deal = position.deal
    seats = deal.setting.seats
    if seat != PUBLIC and not 0 <= seat < seats:
        raise BadSeats(f"no seat {seat}: allowed is 0 to {seats - 1}, or PUBLIC")
    cards, played = holdings(position), plays(position)
    shown: dict[int, list[str]] = {}
    hidden: dict[int, _Hidden] = {}
    for player in deal.order:
        if player == seat:
            continue
        shown[player], left = cards[player].split(played[player].ranks)
        if position.end:
            shown[player], left = shown[player] + left, []
        ranks = [RANKS.index(card[0]) for card in shown[player]]
        weak = [(best, ranks[before:]) for best, before in played[player].unbeaten if deal.setting.must_beat]
        ceiling = min([best[0] for best, _ in weak if len(best) == 1], default=len(RANKS))
        hidden[player] = _Hidden(left, played[player].floor, ceiling, [pair for pair in weak if len(pair[0]) > 1])
    talon = deal.pack.top(len(deal.pack) - position.talon, len(deal.pack))
    others = [card for player in hidden for card in cards[player].aside] + talon
    lefts, others = _drawn_anew(hidden, others, rng)
    hands, swaps = list(position.hands), list(position.swaps)
    for player, left in lefts.items():
        put_aside = len(cards[player].aside)
        aside, others = others[:put_aside], others[put_aside:]
        cards[player] = _received(shown[player], left, aside, rng)
        if not position.end:
            hands[player] = sum([CARD_UNITS[card] for card in left])
        if deal.order.index(player) < len(swaps):
            ranks = sorted(RANKS.index(card[0]) for card in aside)
            swaps[deal.order.index(player)] = "".join(RANKS[rank] for rank in ranks)
    dealt = {player: deal.hands[player] if player == seat else _dealt(cards[player], rng) for player in deal.order}
    order = [dealt[player][turn] for turn in range(deal.size) for player in deal.order]
    order += [card for player in deal.order for card in cards[player].drawn]
    pack = Pack((order + others)[::-1])
    setting = replace(deal.setting, seed=rng.randbytes(SEED_SIZE))
    again = Deal(setting, deal.number, deal.dealer, deal.wanted, deal.piles, deal.falls, pack, deal.trail)
    return again, tuple(hands), tuple(swaps)


def _drawn_anew(
    hidden: Mapping[int, _Hidden], others: Sequence[str], rng: Random
) -> tuple[dict[int, list[str]], list[str]]:
    """Return new cards for each unseen hand, and in random order those that lie elsewhere.

    Hands with a high floor choose first. With floors alone each choice leaves as many cards to the next hand, so that
    every distribution is as likely as the others; with other proofs hands are drawn until they fit.
    """
    choosing = sorted(hidden, key=lambda player: (-hidden[player].floor, hidden[player].ceiling))
    pool = [card for player in hidden for card in hidden[player].cards] + list(others)
    for _ in range(_TRIES):
        free = list(pool)
        rng.shuffle(free)
        lefts: dict[int, list[str]] = {}
        for player in choosing:
            left, free = hidden[player].choose(free)
            if len(left) < len(hidden[player].cards) or not hidden[player].may_be(left):
                break
            lefts[player] = left
        else:
            return lefts, free
    return _swapped(hidden, others, rng)


def _swapped(
    hidden: Mapping[int, _Hidden], others: Sequence[str], rng: Random
) -> tuple[dict[int, list[str]], list[str]]:
    """Return the hands and other cards after many exchanges of two cards that agree with all proofs."""
    places = [(player, place) for player in hidden for place in range(len(hidden[player].cards))]
    places += [(PUBLIC, place) for place in range(len(others))]
    lists = {player: list(hidden[player].cards) for player in hidden} | {PUBLIC: list(others)}
    for _ in range(_SWAPS * len(places)):
        (one, at), (other, there) = rng.choice(places), rng.choice(places)
        if one == other:
            continue
        lists[one][at], lists[other][there] = lists[other][there], lists[one][at]
        moved = ((player, lists[player][place]) for player, place in ((one, at), (other, there)) if player != PUBLIC)
        if not all(hidden[player].may_have(card) and hidden[player].may_be(lists[player]) for player, card in moved):
            lists[one][at], lists[other][there] = lists[other][there], lists[one][at]
    rest = lists.pop(PUBLIC)
    rng.shuffle(rest)
    return lists, rest


def _received(shown: Sequence[str], left: Sequence[str], aside: Sequence[str], rng: Random) -> Holding:
    """Return what a seat has got, in an order in which it played what it played."""
    cards = [*shown, *left]
    rng.shuffle(cards)
    cards = _first_of_rank(cards, shown)
    kept = len(cards) - len(aside)
    return Holding(cards[:kept], list(aside), cards[kept:])


def _dealt(holding: Holding, rng: Random) -> list[str]:
    """Return the cards dealt to a seat, in an order in which it put aside what it put aside."""
    cards = list(holding.kept)
    for card in holding.aside:
        cards.insert(rng.randint(0, len(cards)), card)
    return _first_of_rank(cards, holding.aside + holding.kept)


def _first_of_rank(cards: list[str], first: Sequence[str]) -> list[str]:
    """Return the cards with those of one rank changed among their places: ``first`` before the others, in its order."""
    settled: dict[str, int] = {}
    for card in first:
        place = settled.get(card[0], 0)
        while cards[place][0] != card[0]:
            place += 1
        settled[card[0]] = place + 1
        cards[cards.index(card)], cards[place] = cards[place], card
    return cards

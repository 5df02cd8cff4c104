"""The cards of one deal of Landlord: who was dealt what, and which of them each viewer sees.

Suits mean nothing in play, yet real cards lie on the table. Of one rank, a seat plays first the bottom cards that it
took, which all know, then the others in the order in which they were dealt. So a card that is played tells nothing
of those that stay in the hand.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from cardpit.cards import PACK as FULL_PACK
from cardpit.games.game import ALL, Parameter, Value, Zone
from cardpit.games.landlord_lists import find_book
from cardpit.games.landlord_plays import RANK_BITS, RANKS, Play
from cardpit.games.seeds import Stream, coin

PACK = (*(card for card in FULL_PACK if card[0] not in "34"), "x", "X")
"""The 46 cards in the order in which every shuffle starts."""

HAND_SIZE = 17
BOTTOM_SIZE = 3

_NO_BOTTOM = Zone("bottom", None, ())
_NO_TRICK = Zone("trick", None, ())
_WEIGHTS = {card: RANK_BITS[card[0]] for card in PACK}
_ORDER = {card: (RANKS.index(card[0]), place) for place, card in enumerate(PACK)}

Cards = tuple[str, ...]

Trail = tuple["Trail | None", int | None, str]
"""What happened, linked backwards, so that the states of a match share their past: what was before, the seat that
acted or None for the table, the notation."""


PARAMETERS = (
    Parameter(
        "all_pass",
        "first",
        "Who is landlord when nobody calls: the seat asked first, or a new deal decides",
        choices=("first", "redeal"),
    ),
    Parameter("max_grabs", 4, "How often the landlord may be grabbed", low=0, high=4),
    Parameter("four_plus_pair_as_singles", False, "Whether the two singles of a four with two may be a pair"),
    Parameter("bomb_x2", True, "Whether each bomb and rocket that is played doubles the points"),
    Parameter(
        "spring_x2", True, "Whether the points double when the loser has played nothing, or only the opening lead"
    ),
    Parameter("cap", 64, "The most points that a match can be worth", low=1, high=65536),
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The value of each parameter."""

    all_pass: str
    max_grabs: int
    four_plus_pair_as_singles: bool
    bomb_x2: bool
    spring_x2: bool
    cap: int

    @classmethod
    def from_settled(cls, settled: Mapping[str, Value]) -> "Rules":
        """Return the rules that settled parameters describe."""
        return cls(
            str(settled["all_pass"]),
            int(settled["max_grabs"]),
            bool(settled["four_plus_pair_as_singles"]),
            bool(settled["bomb_x2"]),
            bool(settled["spring_x2"]),
            int(settled["cap"]),
        )

    @property
    def changed(self) -> tuple[str, ...]:
        """The parameters that differ from their default, each as ``name=value``."""
        values = ((p, getattr(self, p.name)) for p in PARAMETERS)
        return tuple(f"{p.name}={str(value).lower()}" for p, value in values if value != p.default)


@dataclass(frozen=True, slots=True)
class Deal:
    """Where each of the 46 cards was dealt."""

    rules: Rules
    seed: bytes
    """What later deals of the match come from."""
    number: int
    """0 for the first deal of a match; one more for each redeal."""
    first: int
    """The seat that speaks first."""
    hands: tuple[Cards, Cards]
    """By seat, in the order dealt."""
    bottom: Cards
    unused: Cards

    @classmethod
    def from_seed(cls, rules: Rules, seed: bytes, number: int) -> "Deal":
        """Deal 17 cards to seat 0, 17 to seat 1 and 3 to the bottom; 9 stay unused."""
        cards = Stream(seed, f"deal/{number}").shuffled(PACK)
        hands = (cards[:HAND_SIZE], cards[HAND_SIZE : 2 * HAND_SIZE])
        bottom, unused = cards[2 * HAND_SIZE : 2 * HAND_SIZE + BOTTOM_SIZE], cards[2 * HAND_SIZE + BOTTOM_SIZE :]
        return cls(rules, seed, number, coin(seed, f"first/{number}"), hands, bottom, unused)

    @property
    def chance(self) -> tuple[str, ...]:
        """What chance decided, each behind its stream: the 46 cards in the order dealt, the seat that speaks first."""
        cards = (*self.hands[0], *self.hands[1], *self.bottom, *self.unused)
        return (f"deal/{self.number} {' '.join(cards)}", f"first/{self.number} {self.first}")

    @property
    def text(self) -> str:
        """The deal in one line: parameters that are not the default, then everything else."""
        places = {"hand0": self.hands[0], "hand1": self.hands[1], "bottom": self.bottom, "unused": self.unused}
        return " ".join(
            [
                "landlord",
                *self.rules.changed,
                f"seed={self.seed.hex()}",
                f"deal={self.number}",
                f"first={self.first}",
                *(f"{name}={','.join(cards)}" for name, cards in places.items()),
            ]
        )

    def redrawn(self, known: Sequence[Sequence[str]], rng: Random) -> "Deal":
        """Return a deal in which only the known cards of seat 0, of seat 1 and of the bottom are where they were.

        The known cards of a hand come first in it. The seed is drawn as well.
        """
        fixed = {card for cards in known for card in cards}
        pool = [card for card in PACK if card not in fixed]
        rng.shuffle(pool)
        places: list[Cards] = []
        for cards, dealt in zip(known, (*self.hands, self.bottom), strict=True):
            missing = len(dealt) - len(cards)
            places.append((*cards, *pool[:missing]))
            del pool[:missing]
        seed = rng.randbytes(len(self.seed))
        return replace(self, seed=seed, hands=(places[0], places[1]), bottom=places[2], unused=tuple(pool))

    def zones(self, viewer: int) -> tuple[Zone, ...]:
        """Return every place where cards lie during the auction, as a viewer sees it."""
        return (
            *(_place("hand", seat, in_order(cards), viewer in (seat, ALL)) for seat, cards in enumerate(self.hands)),
            _place("bottom", None, in_order(self.bottom), viewer == ALL),
            _NO_TRICK,
            Zone("played", 0, ()),
            Zone("played", 1, ()),
            _place("unused", None, self.unused, viewer == ALL),
        )


class Layout:
    """Which cards are in each hand and which are played, at any count of each rank."""

    __slots__ = ("_held_cards", "_played_cards", "gone", "held")

    def __init__(self, hands: Sequence[Cards]) -> None:
        self._held_cards: tuple[dict[int, Cards], ...] = tuple({} for _ in hands)
        self._played_cards: tuple[dict[int, Cards], ...] = tuple({} for _ in hands)
        runs = [[[card for card in hand if card[0] == rank] for rank in RANKS] for hand in hands]
        self.held: list[list[list[Cards]]] = [
            [[in_order(run[len(run) - left :]) for left in range(len(run) + 1)] for run in hand] for hand in runs
        ]
        """By seat, place of the rank and number left: the cards still in the hand."""
        self.gone: list[list[list[Cards]]] = [
            [[tuple(run[: len(run) - left]) for left in range(len(run) + 1)] for run in hand] for hand in runs
        ]
        """By seat, place of the rank and number left: the cards played, oldest first."""

    def cards_held(self, seat: int, hand: int) -> Cards:
        """Return the cards of a hand, lowest rank first."""
        return self._gathered(self._held_cards[seat], self.held[seat], hand)

    def cards_played(self, seat: int, hand: int) -> Cards:
        """Return the cards that a seat has played when it still holds a hand, lowest rank first."""
        return self._gathered(self._played_cards[seat], self.gone[seat], hand)

    def _gathered(self, known: dict[int, Cards], by_rank: list[list[Cards]], hand: int) -> Cards:
        # Both seats look at each hand, and a hand stays as it is while the other seat plays.
        cards = known.get(hand)
        if cards is None:
            cards = known[hand] = _gather(by_rank, hand)
        return cards


class Contract:
    """What the auction has settled, and the cards as they are once the landlord has taken the bottom ones."""

    __slots__ = ("_layout", "book", "ceded", "deal", "landlord", "plays", "start")

    def __init__(self, deal: Deal, landlord: int, ceded: int) -> None:
        self.deal = deal
        self.landlord = landlord
        """Its seat."""
        self.ceded = ceded
        """With so many cards left the farmer has won: the number of grabs."""
        self.book = find_book(deal.rules.four_plus_pair_as_singles)
        self.plays = self.book.by_text
        """The combinations by notation."""
        hands = [sum_cards(hand) for hand in deal.hands]
        hands[landlord] += sum_cards(deal.bottom)
        self.start = (hands[0], hands[1])
        """The hands at the opening lead, by seat."""
        self._layout: Layout | None = None

    @property
    def layout(self) -> Layout:
        """Which cards lie where: of one rank, the landlord plays the bottom ones first."""
        if self._layout is None:
            hands = list(self.deal.hands)
            hands[self.landlord] = (*self.deal.bottom, *hands[self.landlord])
            self._layout = Layout(hands)
        return self._layout

    def played(self, seat: int, hand: int) -> Cards:
        """Return the cards that a seat has played when it still holds a hand, lowest rank first."""
        return self.layout.cards_played(seat, hand)

    def zones(self, hands: tuple[int, int], trick: Play | None, maker: int, viewer: int) -> tuple[Zone, ...]:
        """Return every place where cards lie during the play, as a viewer sees it; ``maker`` has laid the trick."""
        covered = list(hands)
        laid: Cards = ()
        if trick:
            covered[maker] += trick.cards
            laid = self._laid(trick, maker, hands[maker])
        return (
            self._hand_zone(0, hands[0], viewer),
            self._hand_zone(1, hands[1], viewer),
            _NO_BOTTOM,
            Zone("trick", maker, laid) if trick else _NO_TRICK,
            Zone("played", 0, self.played(0, covered[0])),
            Zone("played", 1, self.played(1, covered[1])),
            _place("unused", None, self.deal.unused, viewer == ALL),
        )

    def _hand_zone(self, seat: int, hand: int, viewer: int) -> Zone:
        """Return a hand: the bottom cards that the landlord has not played are seen by all."""
        cards = self.layout.cards_held(seat, hand)
        if viewer in (seat, ALL):
            return Zone("hand", seat, cards)
        known = tuple(card for card in cards if card in self.deal.bottom) if seat == self.landlord else ()
        return Zone("hand", seat, known, len(cards) - len(known))

    def _laid(self, trick: Play, maker: int, left: int) -> Cards:
        """Return the cards of a play in the order of its notation."""
        laid: list[str] = []
        for rank in dict.fromkeys(trick.text.removeprefix("play ").replace("+", "")):
            place = RANKS.index(rank)
            after = left >> 4 * place & 7
            before = after + (trick.cards >> 4 * place & 7)
            gone = self.layout.gone[maker][place]
            laid += gone[after][len(gone[before]) :]
        return tuple(laid)


def sum_cards(cards: Iterable[str]) -> int:
    """Return cards as a hand of counted ranks."""
    return sum([_WEIGHTS[card] for card in cards])


def in_order(cards: Iterable[str]) -> Cards:
    """Return cards as a hand is shown: lowest rank first, suits in the order of the pack."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def _place(name: str, owner: int | None, cards: Cards, seen: bool) -> Zone:
    return Zone(name, owner, cards) if seen else Zone(name, owner, (), len(cards))


def _gather(by_rank: list[list[Cards]], hand: int) -> Cards:
    cards: Cards = ()
    for by_count in by_rank:
        cards += by_count[hand & 7]
        hand >>= 4
    return cards

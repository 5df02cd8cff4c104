"""A hand of Twenty-Two as it is dealt, from the seed to the cards, and the scores with which it begins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hmac import digest
from struct import unpack

from cardpit.cards import PACK, RANKS
from cardpit.games.game import Event
from cardpit.games.seeds import derive

FIRST_COUNT = 7
"""How many cards each seat gets in the first hand. (TT-4)."""
OUT_AT = 22
"""A seat with so many points is out. (TT-33)."""
POINTS = {rank: {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}.get(rank) or int(rank) for rank in RANKS}
"""What a card of each rank counts. (TT-32)."""

Fall = tuple[int, int]
"""How a seat went out: with how many points, and in which hand."""
Trail = tuple["Trail | None", int | None, str, tuple[Event, ...]]
"""What all seats saw, newest last: the trail before, a seat, its action, and what the table did because of it.

The first entry has no seat and no action.
"""


class Pack:
    """A pack in its order, made from the top down only as far as somebody looks: most talons are never looked at."""

    __slots__ = ("_block", "_key", "_order", "_unsettled")

    def __init__(self, cards: Iterable[str], key: bytes = b"") -> None:
        """Take cards bottom to top, in their order before the shuffle; without a key they stay in it."""
        self._order = list(cards)
        self._key = key
        self._block = 0
        self._unsettled = len(self._order) if key else 0

    def __len__(self) -> int:
        return len(self._order)

    def top(self, start: int, stop: int) -> list[str]:
        """Return the cards from place ``start`` to before ``stop``, counted from the top, in the order of dealing."""
        size = len(self._order)
        if size - stop < self._unsettled:
            self._settle(size - stop)
        return self._order[size - stop : size - start][::-1]

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card, bottom to top."""
        self._settle(0)
        return tuple(self._order)

    def _settle(self, place: int) -> None:
        """Go on with the shuffle of :class:`cardpit.games.seeds.Stream` until it has settled this place.

        The shuffle settles the last place first, so its beginning is enough for the cards on top. Eight numbers a
        block, taken here in one go, make it three times as fast as asking the stream for each.
        """
        order, last = self._order, self._unsettled - 1
        while last >= max(place, 1):
            for value in unpack(">8I", digest(self._key, self._block.to_bytes(8, "big"), "sha256")):
                bound = last + 1
                if value < 0x1_0000_0000 - 0x1_0000_0000 % bound:
                    other = value % bound
                    order[last], order[other] = order[other], order[last]
                    last -= 1
                    if not last:
                        break
            self._block += 1
        self._unsettled = last + 1 if last > 0 else 0


@dataclass(frozen=True)
class Setting:
    """What is fixed for a whole match."""

    seed: bytes
    seats: int
    min_deal: int
    must_beat: bool


class Deal:
    """The start of a hand: who plays, with what score, and the pack. It never changes."""

    __slots__ = (
        "dealer",
        "falls",
        "following",
        "hands",
        "number",
        "order",
        "pack",
        "piles",
        "setting",
        "size",
        "trail",
        "wanted",
    )

    def __init__(
        self,
        setting: Setting,
        number: int,
        dealer: int,
        wanted: int,
        piles: tuple[tuple[str, ...], ...],
        falls: tuple[Fall | None, ...],
        pack: Pack,
        trail: Trail,
    ) -> None:
        self.setting = setting
        self.number = number
        """Counts the hands of the match, from 1."""
        self.dealer = dealer
        """The seat that deals, perhaps in name only. (TT-34)."""
        self.wanted = wanted
        """How many cards each seat would get from a pack without end."""
        self.piles = piles
        """The score cards of each seat, oldest first; none for seats that are out."""
        self.falls = falls
        """How each seat went out; None while it is in."""
        self.pack = pack
        self.trail = trail
        """What happened before this hand."""
        self.order = order = seats_after(dealer, falls)
        """The seats that play, from the dealer's left. (TT-5, TT-10)."""
        self.following = dict(zip(order, order[1:] + order[:1], strict=True))
        """The seat on the left of each seat that plays. (TT-1)."""
        players = len(order)
        self.size = min(wanted, len(pack) // players)
        """How many cards each seat gets. (TT-4)."""
        dealt = pack.top(0, players * self.size)
        self.hands = {seat: dealt[place::players] for place, seat in enumerate(order)}
        """The cards dealt to each seat that plays, in the order in which it got them. (TT-5)."""

    @property
    def talon(self) -> int:
        """How many cards are left for the exchange."""
        return len(self.pack) - self.size * len(self.order)

    @property
    def chance(self) -> str:
        """The pack, bottom to top, for the record."""
        return f"deal {self.number} {' '.join(self.pack.cards)}"


def total(pile: Iterable[str]) -> int:
    """Return the points of score cards. (TT-32)."""
    return sum([POINTS[card[0]] for card in pile])


def totals(piles: Sequence[tuple[str, ...]], falls: Sequence[Fall | None]) -> tuple[int, ...]:
    """Return the points of each seat; those with which it went out for a seat that is out."""
    return tuple([fall[0] if fall else total(pile) for pile, fall in zip(piles, falls, strict=True)])


def deal_event(number: int, dealer: int) -> Event:
    """Tell the table that a hand begins."""
    return Event(None, f"hand {number} dealer {dealer}")


def seats_after(dealer: int, falls: Sequence[Fall | None]) -> tuple[int, ...]:
    """Return the seats that are in, from the dealer's left, the dealer last. (TT-1)."""
    seats = len(falls)
    return tuple([seat % seats for seat in range(dealer + 1, dealer + 1 + seats) if not falls[seat % seats]])


def shuffled_pack(seed: bytes, number: int, piles: Iterable[tuple[str, ...]]) -> Pack:
    """Return the pack of a hand: the 52 cards without the score cards, shuffled. (TT-3)."""
    out = {card for pile in piles for card in pile}
    return Pack([card for card in PACK if card not in out], derive(seed, f"deal/{number}"))


def first_deal(setting: Setting) -> Deal:
    """Return the first hand. (TT-2, TT-4)."""
    events: list[Event] = []
    drawing = list(range(setting.seats))
    draw = 0
    while len(drawing) > 1:
        draw += 1
        pack = Pack(PACK, derive(setting.seed, f"dealer/{draw}"))
        drawn = dict(zip(drawing, pack.top(0, len(drawing)), strict=True))
        events += [Event(seat, f"cut {card}") for seat, card in drawn.items()]
        highest = max(RANKS.index(card[0]) for card in drawn.values())
        drawing = [seat for seat, card in drawn.items() if RANKS.index(card[0]) == highest]
    dealer = drawing[0]
    trail: Trail = (None, None, "", (*events, deal_event(1, dealer)))
    nobody: tuple[None, ...] = (None,) * setting.seats
    empty: tuple[tuple[str, ...], ...] = ((),) * setting.seats
    return Deal(setting, 1, dealer, FIRST_COUNT, empty, nobody, shuffled_pack(setting.seed, 1, empty), trail)

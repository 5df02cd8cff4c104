"""Slots and legal actions of Spit, looked up instead of worked out: they are asked for twice a tick.

A slot is one number: 53 times its face-down cards, plus one more than its topmost face-up card if it has one. So 0 is
an empty slot. A layout is five such numbers; with four piles the fifth is :data:`ABSENT`.
"""

from functools import cache

from cardpit.games.real_time import NEAR, PASS, PASS_ONLY

WIDTH = 53
"""One more than there are cards: the step from one face-down card to the next."""

ABSENT = 5 * WIDTH
"""The fifth slot where there are four."""

NO_PILE = 52
"""In place of the top card of the second pile where there is one pile."""

FIVE_EMPTY = (0, 0, 0, 0, 0)
FOUR_EMPTY = (0, 0, 0, 0, ABSENT)

IDLE, PLAY, FLIP, MOVE, STACK = range(5)
"""What an action does; IDLE is a pass."""

_EMPTY, _DOWN, _UP, _OVER, _NOT_THERE = 0, 1, 2, 6, 10
"""Kinds of a slot: empty; face-down on top; one face-up card alone, or over face-down ones; not there.

To the third and the fourth is added 1 where the card can be played on pile 0, and 2 where on pile 1.
"""

Cards = tuple[int, ...]
Slots = tuple[int, ...]
"""The five slots of a player."""

Buried = tuple[Cards, ...]
"""Cards in each of five slots, bottom to top."""

Kinds = tuple[int, int, int, int, int]

PLAYS = tuple(tuple(f"play {slot} {pile}" for pile in range(2)) for slot in range(5))
FLIPS = tuple(f"flip {slot}" for slot in range(5))
MOVES = tuple(tuple(f"move {slot} {target}" for target in range(5)) for slot in range(5))
STACKS = tuple(tuple(f"stack {slot} {target}" for target in range(5)) for slot in range(5))

OPERATIONS: dict[str, tuple[int, int, int]] = {
    PASS: (IDLE, 0, 0),
    **{PLAYS[slot][pile]: (PLAY, slot, pile) for slot in range(5) for pile in range(2)},
    **{FLIPS[slot]: (FLIP, slot, 0) for slot in range(5)},
    **{MOVES[slot][target]: (MOVE, slot, target) for slot in range(5) for target in range(5)},
    **{STACKS[slot][target]: (STACK, slot, target) for slot in range(5) for target in range(5)},
}
"""What each notation does: the kind, the slot, and the pile or the other slot."""


def top_card(slot: int) -> int:
    """Return the topmost face-up card of a slot; -1 if it has none."""
    return slot % WIDTH - 1


def face_down(slot: int) -> int:
    """Return how many face-down cards a slot has."""
    return 0 if slot == ABSENT else slot // WIDTH


def fits(card: int, top: int, alternate_colours: bool) -> bool:
    """Tell whether a card may be played on a top card: the next rank, up or down; if asked, of the other colour."""
    if not NEAR[top >> 2] >> (card >> 2) & 1:
        return False
    return not alternate_colours or is_red(card) != is_red(top)


def is_red(card: int) -> bool:
    """Tell whether a card is a heart or a diamond."""
    return card & 3 in (1, 2)


def acted(
    slots: tuple[int, ...], downs: tuple[tuple[int, ...], ...], kind: int, place: int, target: int
) -> tuple[int, ...]:
    """Return the slots of a seat after an accepted action. ``downs`` are its face-down cards, bottom to top."""
    after = list(slots)
    slot = after[place]
    top = slot % WIDTH
    after[place] = slot - top
    if kind == FLIP:
        after[place] = slot - WIDTH + downs[place][slot // WIDTH - 1] + 1
    elif kind == MOVE:
        after[target] = top
    elif kind == STACK:
        after[target] += top - after[target] % WIDTH
    return tuple(after)


class Rows(dict[int, bytes]):
    """The kind of every slot, by the tops of the piles: 53 times the first, plus the second or :data:`NO_PILE`."""

    def __init__(self, alternate_colours: bool) -> None:
        super().__init__()
        self._alternate = alternate_colours

    def __missing__(self, tops: int) -> bytes:
        first, second = divmod(tops, WIDTH)
        alike = WIDTH * self._least_alike(first) + self._least_alike(second)
        self[tops] = row = self[alike] if alike != tops else self._row(first, second)
        return row

    def _least_alike(self, card: int) -> int:
        """Return the lowest card on which the same cards can be played."""
        if card == NO_PILE:
            return card
        return card & ~3 | (is_red(card) if self._alternate else 0)

    def _row(self, first: int, second: int) -> bytes:
        plays = [
            fits(card, first, self._alternate) + 2 * (second != NO_PILE and fits(card, second, self._alternate))
            for card in range(WIDTH - 1)
        ]
        alone = bytes([_EMPTY, *(_UP + mask for mask in plays)])
        over = bytes([_DOWN, *(_OVER + mask for mask in plays)])
        return alone + over * (ABSENT // WIDTH - 1) + bytes([_NOT_THERE])


class Menus(dict[Kinds, tuple[str, ...]]):
    """The legal actions of a seat, by the kinds of its slots: plays, flips, moves, pass."""

    def __init__(self, must_play: bool) -> None:
        super().__init__()
        self._must_play = must_play

    def __missing__(self, kinds: Kinds) -> tuple[str, ...]:
        menu = self[kinds] = self.listed(kinds)
        return menu

    def listed(self, kinds: Kinds, stacks: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the actions of a seat, worked out. ``stacks`` come after the moves."""
        plays = tuple(
            PLAYS[slot][pile]
            for slot, kind in enumerate(kinds)
            if _UP <= kind < _NOT_THERE
            for pile in range(2)
            if kind - _UP >> pile & 1
        )
        if plays and self._must_play:
            return plays
        flips = tuple(FLIPS[slot] for slot, kind in enumerate(kinds) if kind == _DOWN)
        moves = tuple(
            MOVES[slot][target]
            for slot, kind in enumerate(kinds)
            if _OVER <= kind < _NOT_THERE
            for target, other in enumerate(kinds)
            if other == _EMPTY
        )
        return (*plays, *flips, *moves, *stacks, PASS) if plays or flips or moves or stacks else PASS_ONLY


@cache
def rows(alternate_colours: bool) -> Rows:
    """Return the kinds of slots of a variation; they fill as they are asked for."""
    return Rows(alternate_colours)


@cache
def menus(must_play: bool) -> Menus:
    """Return the lists of legal actions of a variation; they fill as they are asked for."""
    return Menus(must_play)


def stacking_menu(slots: Slots, buried: Buried, row: bytes, menu: Menus) -> tuple[str, ...]:
    """Return the actions of a seat where equal ranks may be stacked. ``buried`` are the face-up cards below the top.

    A card moves or is stacked only as the one face-up card of its slot, so that no two actions can undo each other.
    """
    first, second, third, fourth, fifth = (
        row[slot] - (_OVER - _UP) if under and slot >= WIDTH else row[slot]
        for slot, under in zip(slots, buried, strict=True)
    )
    stacks = tuple(
        STACKS[slot][target]
        for slot in range(5)
        if top_card(slots[slot]) >= 0 and not buried[slot]
        for target in range(5)
        if target != slot
        and top_card(slots[target]) >= 0
        and top_card(slots[target]) >> 2 == top_card(slots[slot]) >> 2
    )
    return menu.listed((first, second, third, fourth, fifth), stacks)

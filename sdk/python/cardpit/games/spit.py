"""Spit: two players get rid of their cards at the same time, tick by tick.

``docs/games/spit.md`` has the rules in words; the numbers SP-... in this module are theirs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import ClassVar, NamedTuple, Self

from cardpit.cards import format_cards
from cardpit.games.game import ALL, BadPosition, Event, Game, Observation, Outcome, Parameter, State, Value, Zone
from cardpit.games.real_time import (
    NAMES,
    NO_BIT,
    NUMBERS,
    PACK_NUMBERS,
    PACK_ORDER,
    PASS,
    PASS_ONLY,
    Trail,
    cards_text,
    check_pack,
    check_seed,
    follow,
    parse_cards_text,
    parse_number,
    parse_seed,
    parse_trail,
    parse_words,
    priority_label,
    refusal,
    trail_events,
    trail_text,
    words_text,
)
from cardpit.games.seeds import Stream, coin
from cardpit.games.spit_actions import (
    ABSENT,
    FIVE_EMPTY,
    FOUR_EMPTY,
    IDLE,
    MOVE,
    NO_PILE,
    OPERATIONS,
    PLAY,
    STACK,
    WIDTH,
    Menus,
    Rows,
    face_down,
    menus,
    rows,
    stacking_menu,
    top_card,
)

Cards = tuple[int, ...]
Slots = tuple[int, ...]
Buried = tuple[Cards, ...]

NOTHING_BURIED: Buried = ((), (), (), (), ())
DEFAULT_CAPS = {False: 100, True: 300}
"""The layouts after which a match ends, with five and with four piles (SP-51)."""

SPITS = ("spit 0", "spit 1")
SLAPS = ("slap 0", "slap 1")
TAKES = ("take 0", "take 1")


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same during a match: the seed, the parameters, and the tables made from them."""

    seed: bytes
    values: tuple[tuple[str, Value], ...]
    """Every parameter, in the game's order."""
    piles: int
    """How many slots each player has."""
    winner_chooses: bool
    slap_tie: str
    stack_equal: bool
    auto_flip: bool
    literal_win: bool
    max_layouts: int
    stall: int
    rows: Rows
    menus: Menus

    @classmethod
    def settled(cls, seed: bytes, values: Mapping[str, Value]) -> Self:
        """Return the rules of a match from checked parameters."""
        four = bool(values["four_piles"])
        return cls(
            seed=check_seed(seed),
            values=tuple(values.items()),
            piles=4 if four else 5,
            winner_chooses=bool(values["winner_chooses"]),
            slap_tie=str(values["slap_tie"]),
            stack_equal=bool(values["stack_equal"]),
            auto_flip=bool(values["auto_flip"]),
            literal_win=bool(values["literal_win"]),
            max_layouts=int(values["max_layouts"]) or DEFAULT_CAPS[four],
            stall=int(values["stall"]),
            rows=rows(bool(values["alternate_colours"])),
            menus=menus(bool(values["must_play"])),
        )

    @property
    def empty(self) -> Slots:
        """The slots of a player who has none left."""
        return FIVE_EMPTY if self.piles == 5 else FOUR_EMPTY

    @property
    def full_layout(self) -> int:
        """How many cards fill all slots: 15, or 10 with four piles."""
        return self.piles * (self.piles + 1) // 2

    def bit(self, layout: int, tick: int) -> int:
        """Return the seat that is served first in a tick."""
        return coin(self.seed, priority_label(layout, tick))


class Layout(NamedTuple):
    """What stays the same during a layout."""

    number: int
    """Counts from 1."""
    downs: tuple[Buried, Buried]
    """By seat and slot, bottom to top: the cards dealt face-down. A slot with n left has the first n of them."""
    held: tuple[int, int]
    """By seat: how many cards it was dealt; in the end, how many it holds."""
    two_piles: bool
    spitter: int
    """The seat that has spit cards in a layout with one pile; -1 with two."""
    seen: frozenset[int]
    """The cards that lay face-up in an earlier layout, so that all know who has them."""


class _Fields(NamedTuple):
    rules: Rules
    layout: Layout
    phase: str
    turn: tuple[int, ...]
    slots0: Slots
    slots1: Slots
    buried: tuple[Buried, Buried]
    spits0: Cards
    spits1: Cards
    pile0: Cards
    pile1: Cards
    lock: int
    finisher: int
    tick: int
    stall: int
    legal0: tuple[str, ...]
    legal1: tuple[str, ...]
    trail: Trail
    chance: tuple[str, ...]
    outcome: Outcome | None


class SpitState(_Fields, State):
    """A position of Spit."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, SpitState) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def legal_actions(self, seat: int) -> tuple[str, ...]:
        """Return every action that the seat may choose now: plays, flips, moves, stacks, pass."""
        return self.legal0 if seat == 0 else self.legal1 if seat == 1 else ()

    def default_action(self, seat: int) -> str:
        """Return ``pass`` (SP-13), or what SP-23, SP-40 and V2 say for the other questions."""
        legal = self.legal_actions(seat)
        if self.phase == "play":
            return PASS if PASS in legal else legal[0]
        if self.phase == "choose" and len(self.pile0) != len(self.pile1):
            return TAKES[len(self.pile1) < len(self.pile0)]
        return legal[seat]

    def apply(self, actions: Mapping[int, str]) -> Self:
        """Return the state after a tick and all that follows from it: spits, the end of a layout, a new deal."""
        if self.phase != "play":
            return self._answered(actions)
        (
            rules, layout, phase, turn, slots0, slots1, buried, spits0, spits1, pile0, pile1, lock, finisher,
            tick, stall, legal0, legal1, trail, _, outcome,
        ) = self  # fmt: skip
        first = actions.get(0)
        second = actions.get(1)
        if first not in legal0 or second not in legal1 or len(actions) != 2:
            raise refusal(turn, (legal0, legal1), actions) or AssertionError(actions)
        assert first is not None
        assert second is not None
        kind0, slot0, target0 = OPERATIONS[first]
        kind1, slot1, target1 = OPERATIONS[second]
        bit = NO_BIT
        if kind0 == PLAY and kind1 == PLAY and target0 == target1:
            bit = rules.bit(layout.number, tick)
            if bit:
                kind0 = IDLE
            else:
                kind1 = IDLE
        if rules.stack_equal and (kind0 or kind1):
            buried = (
                _buried_after(buried[0], slots0, kind0, slot0, target0),
                _buried_after(buried[1], slots1, kind1, slot1, target1),
            )
        if kind0:
            card, slots0 = _act(slots0, layout.downs[0], kind0, slot0, target0, self.buried[0])
            if kind0 == PLAY:
                if target0:
                    pile1 += (card,)
                else:
                    pile0 += (card,)
            if rules.auto_flip:
                slots0 = _turned_up(slots0, layout.downs[0])
        if kind1:
            card, slots1 = _act(slots1, layout.downs[1], kind1, slot1, target1, self.buried[1])
            if kind1 == PLAY:
                if target1:
                    pile1 += (card,)
                else:
                    pile0 += (card,)
            if rules.auto_flip:
                slots1 = _turned_up(slots1, layout.downs[1])
        row = rules.rows[pile0[-1] * WIDTH + (pile1[-1] if pile1 else NO_PILE)]
        if rules.stack_equal:
            legal0 = stacking_menu(slots0, buried[0], row, rules.menus)
            legal1 = stacking_menu(slots1, buried[1], row, rules.menus)
        else:
            a, b, c, d, e = slots0
            legal0 = rules.menus[row[a], row[b], row[c], row[d], row[e]]
            a, b, c, d, e = slots1
            legal1 = rules.menus[row[a], row[b], row[c], row[d], row[e]]
        idle = not (kind0 or kind1)
        trail = (None, first, second, bit, ())
        state = tuple.__new__(
            self.__class__,
            (
                rules, layout, phase, turn, slots0, slots1, buried, spits0, spits1, pile0, pile1, lock, finisher,
                tick + 1, stall + 1 if idle else 0, legal0, legal1, trail,
                () if bit == NO_BIT else (BITS[bit],), outcome,
            ),
        )  # fmt: skip
        if (
            (legal0 is PASS_ONLY and legal1 is PASS_ONLY)
            or (idle and stall + 1 >= rules.stall)
            or slots0 == rules.empty
            or slots1 == rules.empty
        ):
            return state._settled([])
        return state


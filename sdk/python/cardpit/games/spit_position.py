"""A position of Spit: what it consists of, and its line of text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import NamedTuple, Self

from cardpit.games.game import BadPosition, Outcome, Value
from cardpit.games.real_time import (
    NAMES,
    PACK_ORDER,
    Trail,
    cards_text,
    check_pack,
    check_seed,
    parse_cards_text,
    parse_number,
    parse_trail,
    priority_label,
    trail_text,
    words_text,
)
from cardpit.games.seeds import Key
from cardpit.games.spit_actions import (
    ABSENT,
    FIVE_EMPTY,
    FLIP,
    FOUR_EMPTY,
    NO_PILE,
    PLAY,
    STACK,
    WIDTH,
    Buried,
    Cards,
    Menus,
    Rows,
    Slots,
    acted,
    face_down,
    menus,
    rows,
    stacking_menu,
    top_card,
)

NOTHING_BURIED: Buried = ((), (), (), (), ())

DEFAULT_CAPS = {False: 100, True: 300}
"""The layouts after which a match ends, with five and with four piles (SP-51)."""

SPITS = ("spit 0", "spit 1")
SLAPS = ("slap 0", "slap 1")
TAKES = ("take 0", "take 1")

WORDS = (
    "seed", "rules", "layout", "tick", "stall", "phase", "slots0", "spits0", "slots1", "spits1", "pile0", "pile1",
    "lock", "finisher", "spitter", "held", "seen", "trail", "chance",
)  # fmt: skip
"""The words of a position's text."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same during a match: the seed, the parameters, and the tables made from them."""

    seed: bytes
    key: Key
    """Of the seed, for the priority bits."""
    values: tuple[tuple[str, Value], ...]
    """Every parameter, in the game's order."""
    piles: int
    """How many slots each player has."""
    empty: Slots
    """The slots of a player who has no card in them."""
    winner_chooses: bool
    finisher_first: bool
    """Whether the finisher gets the pile that both slapped (SP-41)."""
    stack_equal: bool
    auto_flip: bool
    plain: bool
    """Whether neither of the last two holds."""
    literal_win: bool
    max_layouts: int
    stall: int
    rows: Rows
    menus: Menus

    @classmethod
    def settled(cls, seed: bytes, values: Mapping[str, Value]) -> Self:
        """Return the rules of a match from checked parameters. Raises ``ValueError`` for a seed not of 32 bytes."""
        four = bool(values["four_piles"])
        return cls(
            seed=check_seed(seed),
            key=Key(seed),
            values=tuple(values.items()),
            piles=4 if four else 5,
            empty=FOUR_EMPTY if four else FIVE_EMPTY,
            winner_chooses=bool(values["winner_chooses"]),
            finisher_first=values["slap_tie"] == "finisher",
            stack_equal=bool(values["stack_equal"]),
            auto_flip=bool(values["auto_flip"]),
            plain=not values["stack_equal"] and not values["auto_flip"],
            literal_win=bool(values["literal_win"]),
            max_layouts=int(values["max_layouts"]) or DEFAULT_CAPS[four],
            stall=int(values["stall"]),
            rows=rows(bool(values["alternate_colours"])),
            menus=menus(bool(values["must_play"])),
        )

    def reseeded(self, rng: Random) -> Self:
        """Return the rules of a match in which all that is to come is drawn anew."""
        seed = rng.randbytes(len(self.seed))
        return replace(self, seed=seed, key=Key(seed))

    def bit(self, layout: int, tick: int) -> int:
        """Return the seat that is served first in a tick."""
        return self.key.coin(priority_label(layout, tick))

    def acted(
        self, slots: Slots, downs: Buried, buried: tuple[Buried, Buried], seat: int, operation: tuple[int, int, int]
    ) -> tuple[Slots, tuple[Buried, Buried]]:
        """Return what is left in the slots of a seat, and below the tops, after an action that was accepted."""
        kind, place, target = operation
        own = list(buried[seat])
        after = list(acted(slots, downs, kind, place, target))
        if kind == PLAY and own[place]:
            after[place] += own[place][-1] + 1
            own[place] = own[place][:-1]
        elif kind == STACK:
            own[target] = (*own[target], top_card(slots[target]))
        if self.auto_flip:
            for under, slot in enumerate(after):
                if slot >= WIDTH and slot % WIDTH == 0 and slot != ABSENT:
                    after[under] = acted(tuple(after), downs, FLIP, under, 0)[under]
        return tuple(after), (tuple(own), buried[1]) if seat == 0 else (buried[0], tuple(own))

    def legal(
        self, slots: tuple[Slots, Slots], buried: tuple[Buried, Buried], pile0: Cards, pile1: Cards
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the legal actions in a tick, by seat."""
        row = self.rows[pile0[-1] * WIDTH + (pile1[-1] if pile1 else NO_PILE)]
        if self.stack_equal:
            return (
                stacking_menu(slots[0], buried[0], row, self.menus),
                stacking_menu(slots[1], buried[1], row, self.menus),
            )
        a, b, c, d, e = slots[0]
        first = self.menus[row[a], row[b], row[c], row[d], row[e]]
        a, b, c, d, e = slots[1]
        return first, self.menus[row[a], row[b], row[c], row[d], row[e]]


class Layout(NamedTuple):
    """What stays the same during a layout."""

    number: int
    """Counts from 1."""
    downs: tuple[Buried, Buried]
    """By seat and slot, bottom to top: the cards dealt face-down. A slot with n left has the first n of them."""
    held: tuple[int, int]
    """By seat: how many cards it was dealt; in the end, how many it holds."""
    spitter: int
    """The seat that has spit cards in a layout with one pile; -1 where there are two."""
    shown: tuple[Cards, ...]
    """The cards that lay face-up at the end of each earlier layout."""

    def seen(self) -> frozenset[int]:
        """Return the cards that lay face-up in an earlier layout, so that all know who has them."""
        return frozenset(chain.from_iterable(self.shown))


class Position(NamedTuple):
    """The fields of a state."""

    rules: Rules
    layout: Layout
    phase: str
    turn: tuple[int, ...]
    slots0: Slots
    slots1: Slots
    buried: tuple[Buried, Buried]
    """By seat and slot: the face-up cards below the top, bottom to top; there are some only with ``stack_equal``."""
    spits0: Cards
    """The next to be flipped first."""
    spits1: Cards
    pile0: Cards
    """Bottom to top."""
    pile1: Cards
    """Empty where there is one pile."""
    lock: int
    """The pile for lone spits; -1 before the first."""
    finisher: int
    """The seat that ended the layout; -1 if none has."""
    tick: int
    stall: int
    """How many ticks in a row had no accepted action."""
    legal0: tuple[str, ...]
    legal1: tuple[str, ...]
    trail: Trail
    chance: tuple[str, ...]
    outcome: Outcome | None

    def slots(self, seat: int) -> Slots:
        """Return the slots of a seat, as numbers."""
        return self.slots1 if seat else self.slots0

    def spits(self, seat: int) -> Cards:
        """Return the spit cards of a seat, the next to be flipped first."""
        return self.spits1 if seat else self.spits0

    def slot_cards(self, seat: int, place: int) -> tuple[Cards, Cards]:
        """Return the face-down and the face-up cards of a slot, bottom to top."""
        slot = self.slots(seat)[place]
        card = top_card(slot)
        up = (*self.buried[seat][place], card) if card >= 0 else ()
        return self.layout.downs[seat][place][: face_down(slot)], up

    def unplayed(self, seat: int) -> Cards:
        """Return all cards in the slots of a seat."""
        cards = list(chain.from_iterable(self.buried[seat])) if self.rules.stack_equal else []
        for slot, downs in zip(self.slots(seat), self.layout.downs[seat], strict=True):
            if slot:
                cards += downs[: slot // WIDTH]
                if slot % WIDTH:
                    cards.append(slot % WIDTH - 1)
        return tuple(cards)

    def hidden(self, seat: int) -> Cards:
        """Return the cards of a seat that nobody may see, in the order of their places."""
        return (*chain.from_iterable(self.slot_cards(seat, place)[0] for place in range(5)), *self.spits(seat))

    def face_up(self) -> Cards:
        """Return the cards that all may see."""
        ups = [slot % WIDTH - 1 for slot in (*self.slots0, *self.slots1) if slot % WIDTH]
        if self.rules.stack_equal:
            ups += chain.from_iterable(chain(*self.buried))
        return (*self.pile0, *self.pile1, *ups)


def position_text(position: Position) -> str:
    """Return a position as one line; ``docs/games/spit.md`` says what its words mean."""
    layout = position.layout
    hidden = {*position.hidden(0), *position.hidden(1)}
    words = {
        "seed": position.rules.seed.hex(),
        "rules": ",".join(f"{name}:{str(value).lower()}" for name, value in position.rules.values),
        "layout": str(layout.number),
        "tick": str(position.tick),
        "stall": str(position.stall),
        "phase": position.phase,
    }
    for seat in range(2):
        slots = (position.slot_cards(seat, place) for place in range(position.rules.piles))
        words[f"slots{seat}"] = ",".join(f"{cards_text(down)}/{cards_text(up)}" for down, up in slots)
        words[f"spits{seat}"] = cards_text(position.spits(seat))
    words |= {
        "pile0": cards_text(position.pile0),
        "pile1": cards_text(position.pile1),
        "lock": str(position.lock),
        "finisher": str(position.finisher),
        "spitter": str(layout.spitter),
        "held": f"{layout.held[0]},{layout.held[1]}",
        "seen": cards_text(sorted(hidden & layout.seen(), key=PACK_ORDER.__getitem__)),
        "trail": trail_text(position.trail),
        "chance": ",".join(position.chance) or "-",
    }
    return words_text("spit", words)


def parse_position(rules: Rules, words: Mapping[str, str]) -> Position:
    """Return the position that words describe; those after ``pile1`` may be left out. Raises :class:`BadPosition`."""
    slots, downs, buried = zip(*(_parse_slots(rules, words, f"slots{seat}") for seat in range(2)), strict=True)
    spits = [parse_cards_text(words.get(f"spits{seat}", "-")) for seat in range(2)]
    piles = [parse_cards_text(words.get(f"pile{number}", "-")) for number in range(2)]
    spitter = parse_number(words, "spitter", -1 if piles[1] else int(bool(spits[1])), -1, 1)
    layout = Layout(
        number=parse_number(words, "layout", 1, 1, rules.max_layouts),
        downs=(downs[0], downs[1]),
        held=_parse_held(words),
        spitter=spitter,
        shown=(parse_cards_text(words.get("seen", "-")),),
    )
    position = Position(
        rules, layout, words.get("phase", "play"), (), slots[0], slots[1], (buried[0], buried[1]), spits[0], spits[1],
        piles[0], piles[1],
        lock=parse_number(words, "lock", -1, -1, 1),
        finisher=parse_number(words, "finisher", -1, -1, 1),
        tick=parse_number(words, "tick", 0, 0, 1_000_000),
        stall=parse_number(words, "stall", 0, 0, rules.stall),
        legal0=(),
        legal1=(),
        trail=parse_trail(words.get("trail", "-,-,-1")),
        chance=tuple(words["chance"].split(",")) if words.get("chance", "-") != "-" else (),
        outcome=None,
    )  # fmt: skip
    check_pack((*position.face_up(), *position.hidden(0), *position.hidden(1)))
    if not piles[0] or bool(piles[1]) != (spitter < 0) or (spitter >= 0 and spits[1 - spitter]):
        raise BadPosition("pile0 must have a card, and pile1 too unless one seat, the spitter, has all spit cards")
    return _asked(position)


def _asked(position: Position) -> Position:
    """Return the position with the turn and the legal actions of its phase. Raises :class:`BadPosition`."""
    finisher, two_piles = position.finisher, position.layout.spitter < 0
    lone = two_piles and bool(position.spits0) != bool(position.spits1) and position.lock < 0
    if position.phase == "play":
        slots = (position.slots0, position.slots1)
        legal = position.rules.legal(slots, position.buried, position.pile0, position.pile1)
        return position._replace(turn=(0, 1), legal0=legal[0], legal1=legal[1])
    if position.phase == "spit" and lone:
        return question(position, "spit", 0 if position.spits0 else 1, SPITS)
    if position.phase == "choose" and finisher >= 0 and two_piles:
        return question(position, "choose", finisher, TAKES)
    if position.phase == "slap" and two_piles:
        return position._replace(turn=(0, 1), legal0=SLAPS, legal1=SLAPS)
    if position.phase == "end":
        return position._replace(outcome=outcome(position.layout.held))
    raise BadPosition(
        f"phase cannot be {position.phase!r} here: allowed is play, spit (one seat has all spit cards, two piles, no "
        "lock), choose (a finisher, two piles), slap (two piles) or end"
    )


def question(position: Position, phase: str, seat: int, legal: tuple[str, ...]) -> Position:
    """Return the position in which one seat alone is asked."""
    return position._replace(
        phase=phase, turn=(seat,), legal0=legal if seat == 0 else (), legal1=legal if seat == 1 else ()
    )  # fmt: skip


def outcome(held: tuple[int, int]) -> Outcome:
    """Return the outcome for the cards that each holds in the end: fewer wins (SP-50, SP-51, SP-52)."""
    lead = held[1] - held[0]
    if lead == 0:
        return Outcome((0.5, 0.5), (1, 1), (0, 0))
    return Outcome((float(lead > 0), float(lead < 0)), (1, 2) if lead > 0 else (2, 1), (lead, -lead))


def _parse_slots(rules: Rules, words: Mapping[str, str], name: str) -> tuple[Slots, Buried, Buried]:
    texts = words.get(name, "").split(",")
    if len(texts) != rules.piles:
        raise BadPosition(f"{name} has {len(texts)} slots: allowed is {rules.piles}")
    slots: list[int] = []
    downs: list[Cards] = []
    buried: list[Cards] = []
    for text in texts:
        below, sign, above = text.partition("/")
        down, up = parse_cards_text(below), parse_cards_text(above)
        ranks = {card >> 2 for card in up}
        if not sign or len(down) > 4 or len(ranks) > 1 or (len(up) > 1 and not rules.stack_equal):
            raise BadPosition(
                f"{name} cannot have {text!r}: allowed is up to 4 face-down cards, a slash, and one face-up card, "
                "or more of one rank with stack_equal"
            )
        slots.append(len(down) * WIDTH + (up[-1] + 1 if up else 0))
        downs.append(down)
        buried.append(up[:-1])
    missing = 5 - rules.piles
    return (*slots, *(ABSENT,) * missing), (*downs, *((),) * missing), (*buried, *((),) * missing)


def _parse_held(words: Mapping[str, str]) -> tuple[int, int]:
    first, sign, second = words.get("held", "26,26").partition(",")
    both = {"first": first, "second": second or sign or "-"}
    held = tuple(parse_number(both, name, 0, 0, len(NAMES)) for name in both)
    if sum(held) != len(NAMES):
        raise BadPosition(f"held cannot be {words['held']!r}: allowed is two numbers with the sum {len(NAMES)}")
    return held[0], held[1]

"""Spit: two players get rid of their cards at the same time, tick by tick.

``docs/games/spit.md`` has the rules in words; the numbers SP-... in this module are theirs.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Self

from cardpit.cards import format_cards
from cardpit.games.game import ALL, Event, Game, Observation, Parameter, State, Value, Zone
from cardpit.games.real_time import (
    CHANCE,
    FIRST_TRAIL,
    NAMES,
    NO_BIT,
    PACK_NUMBERS,
    PACK_ORDER,
    PASS,
    PASS_ONLY,
    Trail,
    check,
    exchanged,
    exchanged_chance,
    follow,
    named,
    parse_seed,
    parse_values,
    parse_words,
    told_trail,
    trail_events,
)
from cardpit.games.seeds import SEED_SIZE, Stream
from cardpit.games.spit_actions import (
    ABSENT,
    IDLE,
    NO_PILE,
    OPERATIONS,
    PLAY,
    WIDTH,
    Buried,
    Cards,
    Slots,
    acted,
)
from cardpit.games.spit_imagine import imagined
from cardpit.games.spit_position import (
    NOTHING_BURIED,
    SLAPS,
    SPITS,
    TAKES,
    WORDS,
    Layout,
    Position,
    Rules,
    outcome,
    parse_position,
    position_text,
    question,
)

STANDSTILL = Event(None, "standstill")
STALL = Event(None, "stall")
SPATS = tuple(
    tuple(tuple(Event(seat, f"spit {name} {pile}") for name in NAMES) for pile in range(2)) for seat in range(2)
)
LONGEST_LAYOUT = 3 * (52 + 40 - 1) + 5
"""The most ticks that a layout can take, with five piles and ``stall=3``.

Cards in slots, at most 40 flips and moves of face-down cards and the cards on them, and spits are 52 + 40 less the
spit at the start; each has at most two idle ticks before it, or three before a spit and before the end; then one
question for the lone spit and one slap.
"""


class SpitState(Position, State):
    """A position of Spit."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, SpitState) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def in_order(self, actions: Mapping[int, str], first: int) -> Mapping[int, str]:
        """Return slaps as they count where one came earlier: its hand is underneath, the other gets the other pile."""
        if self.phase != "slap" or len(set(actions.values())) == len(actions):
            return actions
        (other,) = set(SLAPS) - {actions[first]}
        return {seat: action if seat == first else other for seat, action in actions.items()}

    @property
    def is_tick(self) -> bool:
        """Whether both seats act in a tick."""
        return self.phase == "play"

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

    def apply(self, actions: Mapping[int, str]) -> Self:  # noqa: PLR0915 - calls would cost a third of the time
        """Return the state after a tick and all that follows from it: spits, the end of a layout, a new deal."""
        (
            rules, layout, phase, turn, slots0, slots1, buried, spits0, spits1, pile0, pile1, lock, finisher,
            tick, stall, legal0, legal1, _, _, outcome,
        ) = self  # fmt: skip
        if phase != "play":
            return self._answered(actions)
        try:
            first = actions[0]
            second = actions[1]
            kind0, place0, target0 = OPERATIONS[first]
            kind1, place1, target1 = OPERATIONS[second]
        except (KeyError, TypeError):
            check(turn, (legal0, legal1), actions)
            raise
        if first not in legal0 or second not in legal1 or len(actions) != 2:
            check(turn, (legal0, legal1), actions)
        bit = NO_BIT
        if kind0 == PLAY and kind1 == PLAY and target0 == target1:
            bit = rules.bit(layout.number, tick)
            if bit:
                kind0 = IDLE
            else:
                kind1 = IDLE
        if kind0:
            if kind0 == PLAY:
                card = (slots0[place0] % WIDTH - 1,)
                if target0:
                    pile1 += card
                else:
                    pile0 += card
            if rules.plain:
                slots0 = acted(slots0, layout.downs[0], kind0, place0, target0)
            else:
                slots0, buried = rules.acted(slots0, layout.downs[0], buried, 0, (kind0, place0, target0))
        if kind1:
            if kind1 == PLAY:
                card = (slots1[place1] % WIDTH - 1,)
                if target1:
                    pile1 += card
                else:
                    pile0 += card
            if rules.plain:
                slots1 = acted(slots1, layout.downs[1], kind1, place1, target1)
            else:
                slots1, buried = rules.acted(slots1, layout.downs[1], buried, 1, (kind1, place1, target1))
        if not kind0 and not kind1:
            stall += 1
        else:
            stall = 0
            if rules.plain:
                row = rules.rows[pile0[-1] * WIDTH + (pile1[-1] if pile1 else NO_PILE)]
                a, b, c, d, e = slots0
                legal0 = rules.menus[row[a], row[b], row[c], row[d], row[e]]
                a, b, c, d, e = slots1
                legal1 = rules.menus[row[a], row[b], row[c], row[d], row[e]]
            else:
                legal0, legal1 = rules.legal((slots0, slots1), buried, pile0, pile1)
        state = tuple.__new__(
            self.__class__,
            (
                rules, layout, phase, turn, slots0, slots1, buried, spits0, spits1, pile0, pile1, lock, finisher,
                tick + 1, stall, legal0, legal1, (None, first, second, bit, ()), CHANCE[bit], outcome,
            ),
        )  # fmt: skip
        if (
            stall >= rules.stall
            or (legal0 is PASS_ONLY and (legal1 is PASS_ONLY or slots0 == rules.empty))
            or (legal1 is PASS_ONLY and slots1 == rules.empty)
        ):
            return state._after_tick()
        return state

    def _answered(self, actions: Mapping[int, str]) -> Self:
        """Return the state after the answers to a question that is asked between ticks of play."""
        check(self.turn, (self.legal0, self.legal1), actions)
        trail = follow(self.trail, actions.get(0), actions.get(1), NO_BIT)
        state = self._replace(trail=trail, chance=(), tick=self.tick + 1)
        named = {seat: int(action[-1]) for seat, action in actions.items()}
        if self.phase == "spit":
            return state._replace(phase="play", turn=(0, 1), lock=named[self.turn[0]])._spitting([])
        if self.phase == "choose":
            return state._taken(self.finisher, named[self.finisher], [])
        underneath = 0
        if named[0] == named[1]:
            if self.rules.finisher_first and self.finisher >= 0:
                underneath = self.finisher
            else:
                underneath = self.rules.bit(self.layout.number, self.tick)
                state = state._with_bit(underneath)
        return state._taken(underneath, named[underneath], [])

    def _after_tick(self) -> Self:
        """Return what a tick leads to in which a player got out (SP-30) or after which nobody acts (SP-20, SP-21)."""
        empty = self.rules.empty
        out0, out1 = self.slots0 == empty, self.slots1 == empty
        if not out0 and not out1:
            stuck = self.legal0 is PASS_ONLY and self.legal1 is PASS_ONLY
            return self._spitting([STANDSTILL if stuck else STALL])
        state, finisher = self, int(out1)
        if out0 and out1:
            finisher = self.rules.bit(self.layout.number, self.tick - 1)
            state = state._with_bit(finisher)
            if self.rules.literal_win and bool(self.spits0) != bool(self.spits1):
                finisher = int(bool(self.spits0))
        return state._replace(finisher=finisher)._layout_over([Event(finisher, "out")])

    def _with_bit(self, bit: int) -> Self:
        return self._replace(trail=(*self.trail[:3], bit, self.trail[4]), chance=CHANCE[bit])

    def _told(self, told: list[Event], dealt: tuple[str, ...] = ()) -> Self:
        """Return the state with what the table did, and the cards it dealt, added to the last transition."""
        return self._replace(trail=told_trail(self.trail, told), chance=self.chance + dealt)

    def _spitting(self, told: list[Event], dealt: tuple[str, ...] = ()) -> Self:
        """Return the state after a spit, and after more until someone can act (SP-22 to SP-25)."""
        rules, layout = self.rules, self.layout
        slots = (self.slots0, self.slots1)
        spits0, spits1, pile0, pile1 = self.spits0, self.spits1, self.pile0, self.pile1
        legal: tuple[tuple[str, ...], tuple[str, ...]] = (PASS_ONLY, PASS_ONLY)
        while legal[0] is PASS_ONLY and legal[1] is PASS_ONLY:
            if spits0 and spits1:
                told += (SPATS[0][0][spits0[0]], SPATS[1][1][spits1[0]])
                pile0, spits0 = pile0 + spits0[:1], spits0[1:]
                pile1, spits1 = pile1 + spits1[:1], spits1[1:]
            elif spits0 or spits1:
                seat = 0 if spits0 else 1
                target = self.lock if layout.spitter < 0 else 0
                if target < 0:
                    state = self._replace(spits0=spits0, spits1=spits1, pile0=pile0, pile1=pile1, stall=0)
                    return type(self)(*question(state, "spit", seat, SPITS))._told(told, dealt)
                card = spits0[:1] or spits1[:1]
                told.append(SPATS[seat][target][card[0]])
                if target:
                    pile1 += card
                else:
                    pile0 += card
                spits0, spits1 = (spits0, spits1[1:]) if seat else (spits0[1:], spits1)
            else:
                return self._replace(spits0=(), spits1=(), pile0=pile0, pile1=pile1)._layout_over(told, dealt)
            legal = rules.legal(slots, self.buried, pile0, pile1)
        return type(self)(
            *self[:7], spits0, spits1, pile0, pile1, self.lock, self.finisher, self.tick, 0, legal[0], legal[1],
            told_trail(self.trail, told), self.chance + dealt, self.outcome,
        )  # fmt: skip

    def _layout_over(self, told: list[Event], dealt: tuple[str, ...] = ()) -> Self:
        """Return what the end of a layout leads to (SP-31 to SP-50)."""
        rules, finisher, two_piles = self.rules, self.finisher, self.layout.spitter < 0
        if finisher >= 0 and not self.spits(finisher) and (rules.literal_win or not two_piles):
            return self._ended((52, 0) if finisher else (0, 52), told, dealt)
        if not two_piles:
            taker = 1 - finisher
            if finisher < 0:
                lead = len(self.unplayed(1)) - len(self.unplayed(0))
                taker = self.layout.spitter if lead == 0 else int(lead > 0)
            return self._taken(taker, 0, told, dealt)
        if finisher >= 0 and rules.winner_chooses:
            return type(self)(*question(self, "choose", finisher, TAKES))._told(told, dealt)
        return self._replace(phase="slap", turn=(0, 1), legal0=SLAPS, legal1=SLAPS)._told(told, dealt)

    def _taken(self, taker: int, pile: int, told: list[Event], dealt: tuple[str, ...] = ()) -> Self:
        """Return the state after a seat took a pile, and the other seat the other pile if there is one."""
        piles = (self.pile0, self.pile1)
        hands: list[Cards] = []
        for seat in range(2):
            took = pile if seat == taker else 1 - pile
            if piles[took]:
                told.append(Event(seat, f"take {took}"))
            cards = (*piles[took], *self.unplayed(seat), *self.spits(seat))
            hands.append(tuple(sorted(cards, key=PACK_ORDER.__getitem__)))
        number = self.layout.number + 1
        if number > self.rules.max_layouts:
            told.append(Event(None, "cap"))
            return self._ended((len(hands[0]), len(hands[1])), told, dealt)
        first, second = (Stream(self.rules.seed, f"layout/{number}/{seat}").shuffled(hands[seat]) for seat in range(2))
        shown = (*self.layout.shown, self.face_up())
        position, laid = _laid_out(self.rules, number, (first, second), shown, self.trail)
        state = type(self)(*position)._replace(chance=self.chance)
        return state._started([*told, *laid], dealt + _deals(number, (first, second)))

    def _started(self, told: list[Event], dealt: tuple[str, ...]) -> Self:
        """Return the state in which a new layout can be played (SP-20)."""
        if self.legal0 is PASS_ONLY and self.legal1 is PASS_ONLY:
            return self._spitting([*told, STANDSTILL], dealt)
        return self._told(told, dealt)

    def _ended(self, held: tuple[int, int], told: list[Event], dealt: tuple[str, ...]) -> Self:
        layout = self.layout._replace(held=held)
        state = self._replace(layout=layout, phase="end", turn=(), legal0=(), legal1=(), outcome=outcome(held))
        return state._told(told, dealt)

    def observe(self, seat: int) -> Observation:
        """Return what a seat sees: in Spit all seats see the same (SP-6)."""
        zones: list[Zone] = []
        for owner in range(2):
            for place in range(self.rules.piles):
                down, up = self.slot_cards(owner, place)
                cards = down + up if seat == ALL else up
                zones.append(Zone(f"slot {place}", owner, named(cards), len(down) + len(up) - len(cards)))
            spits = self.spits(owner)
            zones.append(
                Zone("spit", owner, named(spits[::-1]), 0) if seat == ALL else Zone("spit", owner, (), len(spits))
            )
        zones += (Zone("pile 0", None, named(self.pile0)), Zone("pile 1", None, named(self.pile1)))
        counters = (
            ("layout", self.layout.number),
            ("tick", self.tick),
            ("stall", self.stall),
            ("piles", 2 if self.layout.spitter < 0 else 1),
            ("spit 0", len(self.spits0)),
            ("spit 1", len(self.spits1)),
            ("lock", self.lock),
            ("finisher", self.finisher),
            ("cards 0", self.layout.held[0]),
            ("cards 1", self.layout.held[1]),
        )
        return Observation(self.phase, tuple(zones), counters, trail_events(self.trail, seat))

    def resample(self, seat: int, rng: Random) -> Self:
        """Return a state drawn from all that agree with what the seat has seen.

        A face-down card that lay face-up in an earlier layout is known to be its owner's, but not where; the cards
        that nobody has seen yet may be either player's.
        """
        rules = self.rules.reseeded(rng)
        if seat == ALL:
            return self._replace(rules=rules)
        hidden = (self.hidden(0), self.hidden(1))
        seen = self.layout.seen()
        pool = [card for card in (*hidden[0], *hidden[1]) if card not in seen]
        pool.sort()
        rng.shuffle(pool)
        unseen = iter(pool)
        others: dict[int, int] = {}
        for cards in hidden:
            drawn = sorted(card for card in cards if card in seen)
            drawn += (next(unseen) for _ in range(len(cards) - len(drawn)))
            rng.shuffle(drawn)
            others.update(zip(cards, drawn, strict=True))
        downs = tuple(tuple(exchanged(slot, others) for slot in slots) for slots in self.layout.downs)
        return self._replace(
            rules=rules,
            layout=self.layout._replace(downs=(downs[0], downs[1])),
            spits0=exchanged(self.spits0, others),
            spits1=exchanged(self.spits1, others),
            chance=exchanged_chance(self.chance, others),
        )

    @property
    def text(self) -> str:
        """The whole position as one line, seed included."""
        return position_text(self)


def _laid_out(
    rules: Rules, number: int, hands: tuple[Cards, Cards], shown: tuple[Cards, ...], trail: Trail
) -> tuple[Position, list[Event]]:
    """Return a new layout and what the table did for it (SP-3 to SP-5, SP-45). Hands are in the order of dealing."""
    slots: list[Slots] = []
    downs: list[Buried] = []
    spits: list[Cards] = []
    for hand in hands:
        numbers: list[int] = []
        below: list[Cards] = []
        start = 0
        for size in range(1, rules.piles + 1):
            cards = hand[start : start + size]
            start += size
            numbers.append(WIDTH * (len(cards) - 1) + cards[-1] + 1 if cards else 0)
            below.append(cards[:-1])
        missing = 5 - rules.piles
        slots.append((*numbers, *(ABSENT,) * missing))
        downs.append((*below, *((),) * missing))
        spits.append(hand[start:])
    two_piles = bool(spits[0] and spits[1])
    spitter = -1 if two_piles else int(bool(spits[1]))
    told = [Event(None, f"layout {number}")]
    piles: list[Cards] = []
    for seat in range(2):
        if spits[seat]:
            told.append(Event(seat, f"spit {NAMES[spits[seat][0]]} {len(piles)}"))
            piles.append(spits[seat][:1])
            spits[seat] = spits[seat][1:]
    if not two_piles:
        piles.append(())
    nothing = (NOTHING_BURIED, NOTHING_BURIED)
    legal = rules.legal((slots[0], slots[1]), nothing, piles[0], piles[1])
    layout = Layout(number, (downs[0], downs[1]), (len(hands[0]), len(hands[1])), spitter, shown)
    position = Position(
        rules, layout, "play", (0, 1), slots[0], slots[1], nothing, spits[0], spits[1], piles[0], piles[1],
        lock=-1, finisher=-1, tick=0, stall=0, legal0=legal[0], legal1=legal[1], trail=trail, chance=(), outcome=None,
    )  # fmt: skip
    return position, told


def _deals(layout: int, hands: tuple[Cards, Cards]) -> tuple[str, ...]:
    """Return what chance decided at the deal of a layout: each hand in the order of dealing."""
    return tuple(f"deal {layout} {seat} {format_cards(named(hand))}" for seat, hand in enumerate(hands))


class Spit(Game):
    """Two players, five slots each, two piles in the middle, no turns."""

    id: ClassVar[str] = "spit"
    name: ClassVar[str] = "Spit"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 2
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("four_piles", False, "four slots each instead of five, and 16 spit cards instead of 11"),
        Parameter("winner_chooses", False, "the player who is out first names the pile he takes, and nobody slaps"),
        Parameter("alternate_colours", False, "a card is played only on a card of the other colour"),
        Parameter(
            "slap_tie",
            "coin",
            "who gets the pile that both slapped: the seat with the priority bit, or the player who is out",
            choices=("coin", "finisher"),
        ),
        Parameter("stack_equal", False, "a face-up card may be put on one of the same rank in another own slot"),
        Parameter("auto_flip", False, "a face-down card that comes to the top turns face-up at once"),
        Parameter("must_play", False, "a player who can play a card must"),
        Parameter("literal_win", False, "a player without a card in slots and spit cards wins even with two piles"),
        Parameter("max_layouts", 0, "layouts after which fewer cards win; 0 is 100, or 300 with four slots", high=1000),
        Parameter("stall", 3, "ticks in a row without an accepted action that count as a standstill", low=1, high=20),
    )
    zero_sum: ClassVar[bool] = False
    real_time: ClassVar[bool] = True
    payoff_unit: ClassVar[str] = "wins"
    longest_match: ClassVar[int] = 100 * LONGEST_LAYOUT
    source: ClassVar[str] = "pagat.com, Spit; D. Parlett, The Penguin Book of Card Games"
    house_rules: ClassVar[tuple[str, ...]] = (
        "Both players act in the same tick; where both play on one pile, a coin drawn for the tick says who is first.",
        "Turning a card up and moving it into an empty slot take a tick each, as a play does.",
        "Three ticks in a row without an accepted action count as a standstill.",
        "Both slap at the same time, unseen by the other; where both slap one pile, the coin of the tick decides.",
        "Unused spit cards stay with their owner for the next layout.",
        "With exactly 15 cards a player has a full layout and no spit cards.",
        "At a standstill with one pile and no spit cards, the player with more cards in his slots takes the pile.",
        "After 100 layouts the player with fewer cards wins.",
    )

    def deal(self, seed: bytes, seats: int | None = None, parameters: Mapping[str, Value] | None = None) -> SpitState:
        """Return the first state of a match: the pack shuffled, its halves laid out in order."""
        self.settle_seats(seats)
        rules = Rules.settled(seed, self.settle(parameters))
        pack = Stream(seed, "deal").shuffled(PACK_NUMBERS)
        hands = (pack[:26], pack[26:])
        position, told = _laid_out(rules, 1, hands, (), FIRST_TRAIL)
        return SpitState(*position)._started(told, _deals(1, hands))

    def parse(self, text: str) -> SpitState:
        """Return the state that a line of text describes."""
        words = parse_words(self.id, text, WORDS)
        rules = Rules.settled(parse_seed(words), parse_values(self, words))
        return SpitState(*parse_position(rules, words))

    def imagine(
        self,
        observation: Observation,
        seat: int,
        seats: int,
        parameters: Mapping[str, Value],
        before: State | None = None,
    ) -> SpitState:
        """Return a state that looks to a seat like what it observes at its turn."""
        assert before is None or isinstance(before, SpitState)
        rules = Rules.settled(bytes(SEED_SIZE), self.settle(parameters))
        return SpitState(*imagined(observation, seat, rules, before))

    def payoff_bounds(self, seats: int, parameters: Mapping[str, Value]) -> tuple[float, float]:
        """Return 0 for a loss and 1 for a win."""
        return 0.0, 1.0

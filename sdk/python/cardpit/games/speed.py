"""Speed: two players race to play their hands and stocks, tick by tick.

``docs/games/speed.md`` has the rules in words; the numbers SD-... in this module are theirs.
"""

from collections.abc import Mapping
from itertools import pairwise
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
    named,
    parse_seed,
    parse_values,
    parse_words,
    told_trail,
    trail_events,
)
from cardpit.games.seeds import SEED_SIZE, Stream
from cardpit.games.speed_hands import (
    BEATEN_SIGNS,
    DRAW,
    HAND,
    NO_CLUES,
    PLAY_SIGNS,
    PLAYED,
    STANDSTILL_SIGN,
    cards_of,
    hand_of,
    menu,
    near_ranks,
    rows,
)
from cardpit.games.speed_imagine import imagined
from cardpit.games.speed_position import (
    WORDS,
    Cards,
    Position,
    Rules,
    outcome,
    parse_position,
    position_text,
)

TRIES = 50
"""How often two hidden hands are drawn in search of a pair with which the table need not slide."""

STANDSTILL = Event(None, "standstill")
STALL = Event(None, "stall")
SLIDES = tuple(tuple(Event(None, f"slide {name} {side}") for name in NAMES) for side in range(2))
ROWS = rows()


class SpeedState(Position, State):
    """A position of Speed."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, SpeedState) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def is_tick(self) -> bool:
        """Whether both seats act in a tick."""
        return self.outcome is None

    def legal_actions(self, seat: int) -> tuple[str, ...]:
        """Return every action that the seat may choose now: plays by rank and pile, draw, pass."""
        return self.legal0 if seat == 0 else self.legal1 if seat == 1 else ()

    def default_action(self, seat: int) -> str:
        """Return ``pass`` (SD-12)."""
        return PASS

    def apply(self, actions: Mapping[int, str]) -> Self:  # noqa: PLR0915 - calls would cost a third of the time
        """Return the state after a tick and all that follows from it: slides, new side piles, a new game."""
        (
            rules, game, turn, order, hand0, hand1, stock0, stock1, side0, side1, pile0, pile1, tick, stall, reshuffles,
            plays, clues, signs, score, legal0, legal1, _, _, ended,
        ) = self  # fmt: skip
        try:
            first = actions[0]
            second = actions[1]
        except KeyError:
            check(turn, (legal0, legal1), actions)
            raise
        if first not in legal0 or second not in legal1 or len(actions) != 2:
            check(turn, (legal0, legal1), actions)
        play0 = PLAYED.get(first)
        play1 = PLAYED.get(second)
        bit = NO_BIT
        if play0 and play1 and play0[1] == play1[1]:
            bit = rules.bit(game, tick)
            if bit:
                signs += BEATEN_SIGNS[first][0]
                play0 = None
            else:
                signs += BEATEN_SIGNS[second][1]
                play1 = None
        stall += 1
        if play0:
            card = hand0 & play0[0]
            if card & card - 1:
                card = _drawn_first(card, order)
            hand0 ^= card
            number = card.bit_length() - 1
            if play0[1]:
                pile1 += (number,)
            else:
                pile0 += (number,)
            stall = 0
            plays += 1
            signs += PLAY_SIGNS[0][number >> 2]
        elif first == DRAW:
            hand0, stock0 = _filled(hand0, stock0)
            stall = 0
        if play1:
            card = hand1 & play1[0]
            if card & card - 1:
                card = _drawn_first(card, order)
            hand1 ^= card
            number = card.bit_length() - 1
            if play1[1]:
                pile1 += (number,)
            else:
                pile0 += (number,)
            stall = 0
            plays += 1
            signs += PLAY_SIGNS[1][number >> 2]
        elif second == DRAW:
            hand1, stock1 = _filled(hand1, stock1)
            stall = 0
        draws0 = draws1 = False
        if rules.automatic:
            hand0, stock0 = _filled(hand0, stock0)
            hand1, stock1 = _filled(hand1, stock1)
        else:
            draws0 = stock0 != () and hand0.bit_count() < HAND
            draws1 = stock1 != () and hand1.bit_count() < HAND
        low0, high0, low1, high1, menus, stuck = ROWS[13 * (pile0[-1] >> 2) + (pile1[-1] >> 2)]
        number = 16 if draws0 else 0
        if hand0 & low0:
            number += 1
        if hand0 & high0:
            number += 2
        if hand0 & low1:
            number += 4
        if hand0 & high1:
            number += 8
        legal0 = menus[number]
        number = 16 if draws1 else 0
        if hand1 & low0:
            number += 1
        if hand1 & high0:
            number += 2
        if hand1 & low1:
            number += 4
        if hand1 & high1:
            number += 8
        legal1 = menus[number]
        tick += 1
        over = stall >= rules.stall or tick >= rules.max_ticks
        if legal0 is PASS_ONLY:
            if legal1 is PASS_ONLY or not (hand0 or stock0):
                over = True
            elif not draws1:
                signs += stuck[1]
        elif legal1 is PASS_ONLY:
            if not (hand1 or stock1):
                over = True
            elif not draws0:
                signs += stuck[0]
        state = tuple.__new__(
            self.__class__,
            (
                rules, game, turn, order, hand0, hand1, stock0, stock1, side0, side1, pile0, pile1, tick, stall,
                reshuffles, plays, clues, signs, score, legal0, legal1, (None, first, second, bit, ()), CHANCE[bit],
                ended,
            ),
        )  # fmt: skip
        return state._after_tick() if over else state

    def _after_tick(self) -> Self:
        """Return what a tick leads to in which a player got out (SD-30), or after which nobody acts, or the last."""
        out0, out1 = not (self.hand0 or self.stock0), not (self.hand1 or self.stock1)
        if out0 or out1:
            return self._game_over(-1 if out0 and out1 else int(out1), [])
        if self.tick >= self.rules.max_ticks:
            return self._game_over(self._ahead(), [Event(None, "cap")])
        stuck = self.legal0 is PASS_ONLY and self.legal1 is PASS_ONLY
        return self._slid([STANDSTILL if stuck else STALL])

    def _slid(self, told: list[Event], dealt: tuple[str, ...] = ()) -> Self:
        """Return the state after a slide, and after more until someone can act (SD-20 to SD-22)."""
        side0, side1, pile0, pile1 = self.side0, self.side1, self.pile0, self.pile1
        reshuffles, plays, signs = self.reshuffles, self.plays, self.signs
        hand0, hand1, legal0, legal1 = self.hand0, self.hand1, self.legal0, self.legal1
        draws0, draws1 = DRAW in legal0, DRAW in legal1
        while True:
            if legal0 is PASS_ONLY and legal1 is PASS_ONLY:
                sizes = 8 * hand0.bit_count() + hand1.bit_count()
                signs += ((STANDSTILL_SIGN, sizes, near_ranks(pile0[-1], pile1[-1])),)
            if not side0 and not side1:
                pool = sorted((*pile0[:-1], *pile1[:-1]), key=PACK_ORDER.__getitem__)
                if not pool or (reshuffles and not plays):
                    state = self._replace(pile0=pile0, pile1=pile1, side0=(), side1=(), reshuffles=reshuffles)
                    return state._game_over(state._ahead(), [*told, Event(None, "deadlock")], dealt)
                reshuffles += 1
                plays = 0
                shuffled = Stream(self.rules.seed, f"sides/{self.game}/{reshuffles}").shuffled(pool)
                half = (len(pool) + 1) // 2
                side0, side1, pile0, pile1 = shuffled[:half], shuffled[half:], pile0[-1:], pile1[-1:]
                told.append(Event(None, f"reshuffle {len(side0)} {len(side1)}"))
                dealt += tuple(
                    f"sides {self.game} {reshuffles} {side} {format_cards(named(cards))}".rstrip()
                    for side, cards in enumerate((side0, side1))
                )
            if side0:
                told.append(SLIDES[0][side0[-1]])
                pile0, side0 = pile0 + side0[-1:], side0[:-1]
            if side1:
                told.append(SLIDES[1][side1[-1]])
                pile1, side1 = pile1 + side1[-1:], side1[:-1]
            row = ROWS[13 * (pile0[-1] >> 2) + (pile1[-1] >> 2)]
            legal0, legal1 = menu(row, hand0, draws0), menu(row, hand1, draws1)
            if legal0 is not PASS_ONLY or legal1 is not PASS_ONLY:
                break
        if legal0 is PASS_ONLY and not draws1:
            signs += row[5][1]
        elif legal1 is PASS_ONLY and not draws0:
            signs += row[5][0]
        return type(self)(
            *self[:8], side0, side1, pile0, pile1, self.tick, 0, reshuffles, plays, self.clues, signs, self.score,
            legal0, legal1, told_trail(self.trail, told), self.chance + dealt, self.outcome,
        )  # fmt: skip

    def _told(self, told: list[Event], dealt: tuple[str, ...]) -> Self:
        """Return the state with what the table did, and the cards it dealt, added to the last transition."""
        return self._replace(trail=told_trail(self.trail, told), chance=self.chance + dealt)

    def _ahead(self) -> int:
        """Return the seat with fewer cards in hand and stock; -1 if both have as many (SD-22)."""
        lead = self.cards_left(1) - self.cards_left(0)
        return -1 if lead == 0 else int(lead < 0)

    def _game_over(self, winner: int, told: list[Event], dealt: tuple[str, ...] = ()) -> Self:
        """Return what the end of a game leads to (SD-30 to SD-33); the winner is -1 for a draw."""
        rules, score = self.rules, self.score
        if winner < 0:
            told.append(Event(None, "draw"))
        else:
            points = self.cards_left(1 - winner)
            told.append(Event(winner, f"win {points}"))
            score = (score[0], score[1] + points) if winner else (score[0] + points, score[1])
        if max(score) >= rules.target or self.game >= rules.max_games:
            state = self._replace(score=score, turn=(), legal0=(), legal1=(), outcome=outcome(score))
            return state._told(told, dealt)
        position, pack = _dealt(rules, self.game + 1, score, self.trail)
        state = type(self)(*position)._replace(chance=self.chance)
        return state._started([*told, Event(None, f"game {state.game}")], (*dealt, pack))

    def _started(self, told: list[Event], dealt: tuple[str, ...]) -> Self:
        """Return the state in which a new game can be played (SD-20)."""
        if self.legal0 is PASS_ONLY and self.legal1 is PASS_ONLY:
            return self._slid([*told, STANDSTILL], dealt)
        row = ROWS[13 * (self.pile0[-1] >> 2) + (self.pile1[-1] >> 2)]
        signs = row[5][1] if self.legal0 is PASS_ONLY else row[5][0] if self.legal1 is PASS_ONLY else ()
        return self._replace(signs=signs)._told(told, dealt)

    def observe(self, seat: int) -> Observation:
        """Return what a seat sees: its own hand, the piles, and how many cards lie elsewhere (SD-4)."""
        zones: list[Zone] = []
        for owner in range(2):
            hand = named(cards_of(self.hand(owner)))
            stock = self.stock(owner)
            zones.append(Zone("hand", owner, hand, 0) if seat in (owner, ALL) else Zone("hand", owner, (), len(hand)))
            zones.append(_face_down("stock", owner, stock, seat))
        zones += (_face_down("side 0", None, self.side0, seat), _face_down("side 1", None, self.side1, seat))
        zones += (Zone("pile 0", None, named(self.pile0)), Zone("pile 1", None, named(self.pile1)))
        counters = (
            ("game", self.game),
            ("tick", self.tick),
            ("stall", self.stall),
            ("reshuffles", self.reshuffles),
            ("plays", self.plays),
            ("score 0", self.score[0]),
            ("score 1", self.score[1]),
        )
        phase = "end" if self.outcome else "play"
        return Observation(phase, tuple(zones), counters, trail_events(self.trail, seat))

    def resample(self, seat: int, rng: Random) -> Self:
        """Return a state drawn from all that agree with what the seat has seen.

        New side piles hold cards that have been seen, in an unknown order; the cards that have not are in stocks,
        hidden hands and the first side piles. A hidden hand agrees with every standstill and every play that was
        beaten to its pile.
        """
        state = self._replace(rules=self.rules.reseeded(rng))
        if seat == ALL:
            return state
        for _ in range(TRIES):
            drawn = state._redealt(seat, rng)
            if self.outcome or drawn.legal0 is not PASS_ONLY or drawn.legal1 is not PASS_ONLY:
                return drawn
        return state

    def _redealt(self, seat: int, rng: Random) -> Self:
        """Return the state with the hidden cards dealt anew."""
        hidden = [owner for owner in range(2) if owner != seat]
        piles = [self.stock0, self.stock1]
        sides = [self.side0, self.side1]
        if not self.reshuffles:
            piles, sides = piles + sides, []
        pool = sorted(card for cards in (*(cards_of(self.hand(owner)) for owner in hidden), *piles) for card in cards)
        others: dict[int, int] = {}
        for owner in hidden:
            held = self.drawn(owner)
            hand = self.clues_of(owner).drawn(pool, len(held), len(hidden) > 1, rng)
            if hand is None:
                return self
            others.update(zip(held, hand, strict=True))
            pool = [card for card in pool if card not in hand]
        for places, cards in (
            ([card for pile in piles for card in pile], pool),
            ([card for pile in sides for card in pile], sorted(card for pile in sides for card in pile)),
        ):
            rng.shuffle(cards)
            others.update(zip(places, cards, strict=True))
        state = self._replace(
            order=exchanged(self.order, others),
            hand0=hand_of(exchanged(cards_of(self.hand0), others)),
            hand1=hand_of(exchanged(cards_of(self.hand1), others)),
            stock0=exchanged(self.stock0, others),
            stock1=exchanged(self.stock1, others),
            side0=exchanged(self.side0, others),
            side1=exchanged(self.side1, others),
            chance=exchanged_chance(self.chance, others),
        )
        if self.outcome:
            return state
        legal = state.legal()
        return state._replace(legal0=legal[0], legal1=legal[1])

    @property
    def text(self) -> str:
        """The whole position as one line, seed included."""
        return position_text(self)


def _drawn_first(hand: int, order: Cards) -> int:
    """Return the card of a hand that was drawn before the others, as a bit."""
    first = hand & -hand
    rest = hand ^ first
    while rest:
        card = rest & -rest
        if order.index(card.bit_length() - 1) < order.index(first.bit_length() - 1):
            first = card
        rest ^= card
    return first


def _filled(hand: int, stock: Cards) -> tuple[int, Cards]:
    """Return a hand filled from its stock to five cards, and the stock."""
    missing = HAND - hand.bit_count()
    if missing <= 0 or not stock:
        return hand, stock
    for card in stock[-missing:]:
        hand |= 1 << card
    return hand, stock[:-missing]


def _dealt(rules: Rules, game: int, score: tuple[int, int], trail: Trail) -> tuple[Position, str]:
    """Return a new game (SD-2, SD-3) and its deal as a text."""
    pack = Stream(rules.seed, f"deal/{game}").shuffled(PACK_NUMBERS)
    side, stock = rules.side, 25 - rules.side
    ends = [0, 1, 2]
    for size in (side, side, stock, stock):
        ends.append(ends[-1] + size)
    pile0, pile1, side0, side1, stock0, stock1 = (pack[start:end] for start, end in pairwise(ends))
    hand0, stock0 = _filled(0, stock0)
    hand1, stock1 = _filled(0, stock1)
    position = Position(
        rules, game, (0, 1), pack[::-1], hand0, hand1, stock0, stock1, side0, side1, pile0, pile1,
        tick=0, stall=0, reshuffles=0, plays=0, clues=(NO_CLUES, NO_CLUES), signs=(), score=score,
        legal0=(), legal1=(), trail=trail, chance=(), outcome=None,
    )  # fmt: skip
    legal = position.legal()
    return position._replace(legal0=legal[0], legal1=legal[1]), f"deal {game} {format_cards(named(pack))}"


def _face_down(name: str, owner: int | None, cards: Cards, seat: int) -> Zone:
    return Zone(name, owner, named(cards), 0) if seat == ALL else Zone(name, owner, (), len(cards))


class Speed(Game):
    """Two players, five cards in hand, two piles in the middle, no turns."""

    id: ClassVar[str] = "speed"
    name: ClassVar[str] = "Speed"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 2
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("side", "10", "cards in each side pile; the players share the rest", choices=("10", "5")),
        Parameter("refill", "action", "hands are filled by a draw, or of themselves", choices=("action", "auto")),
        Parameter("stall", 3, "ticks in a row without an accepted action that count as a standstill", low=1, high=20),
        Parameter("max_ticks", 500, "ticks after which a game ends", low=1, high=5000),
        Parameter("target", 0, "points that win a match of several games; 0 is a single game", high=100),
    )
    zero_sum: ClassVar[bool] = False
    real_time: ClassVar[bool] = True
    payoff_unit: ClassVar[str] = "wins"
    longest_match: ClassVar[int] = 500
    source: ClassVar[str] = "pagat.com, Speed"
    house_rules: ClassVar[tuple[str, ...]] = (
        "Both players act in the same tick; where both play on one pile, a coin drawn for the tick says who is first.",
        "Ranks are a circle: an ace goes on a king or a two, and a king or a two on an ace.",
        "A draw fills the hand to five cards and takes a tick.",
        "Three ticks in a row without an accepted action count as a standstill.",
        "Empty side piles are made anew from both piles in the middle, shuffled together.",
        "Where new side piles have run out and no card was played meanwhile, fewer cards win.",
        "Two players who play their last cards in the same tick draw.",
        "A game ends after 500 ticks, and fewer cards win.",
    )

    def deal(self, seed: bytes, seats: int | None = None, parameters: Mapping[str, Value] | None = None) -> SpeedState:
        """Return the first state of a match."""
        self.settle_seats(seats)
        position, pack = _dealt(Rules.settled(seed, self.settle(parameters)), 1, (0, 0), FIRST_TRAIL)
        return SpeedState(*position)._started([Event(None, "game 1")], (pack,))

    def parse(self, text: str) -> SpeedState:
        """Return the state that a line of text describes."""
        words = parse_words(self.id, text, WORDS)
        rules = Rules.settled(parse_seed(words), parse_values(self, words))
        return SpeedState(*parse_position(rules, words))

    def imagine(
        self,
        observation: Observation,
        seat: int,
        seats: int,
        parameters: Mapping[str, Value],
        before: State | None = None,
    ) -> SpeedState:
        """Return a state that looks to a seat like what it observes at its turn."""
        assert before is None or isinstance(before, SpeedState)
        rules = Rules.settled(bytes(SEED_SIZE), self.settle(parameters))
        return SpeedState(*imagined(observation, seat, rules, before))

    def payoff_bounds(self, seats: int, parameters: Mapping[str, Value]) -> tuple[float, float]:
        """Return 0 for a loss and 1 for a win."""
        return 0.0, 1.0

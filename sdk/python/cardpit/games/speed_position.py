"""A position of Speed: what it consists of, and its line of text."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple, Self

from cardpit.cards import RANKS
from cardpit.games.game import BadPosition, Outcome, Value
from cardpit.games.real_time import (
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
from cardpit.games.speed_hands import HAND, NO_CLUES, Clues, Sign, cards_of, hand_of, menu, rows

Cards = tuple[int, ...]

WORDS = (
    "seed", "rules", "game", "phase", "tick", "stall", "hand0", "stock0", "hand1", "stock1", "side0", "side1",
    "pile0", "pile1", "reshuffles", "plays", "score", "clues0", "clues1", "trail", "chance",
)  # fmt: skip
"""The words of a position's text."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What stays the same during a match: the seed and the parameters."""

    seed: bytes
    key: Key
    """Of the seed, for the priority bits."""
    values: tuple[tuple[str, Value], ...]
    """Every parameter, in the game's order."""
    side: int
    """Cards in each side pile at the deal."""
    automatic: bool
    """Whether hands are filled at the end of each tick, so that nobody draws."""
    stall: int
    max_ticks: int
    target: int

    @classmethod
    def settled(cls, seed: bytes, values: Mapping[str, Value]) -> Self:
        """Return the rules of a match from checked parameters. Raises ``ValueError`` for a seed not of 32 bytes."""
        return cls(
            seed=check_seed(seed),
            key=Key(seed),
            values=tuple(values.items()),
            side=int(values["side"]),
            automatic=values["refill"] == "auto",
            stall=int(values["stall"]),
            max_ticks=int(values["max_ticks"]),
            target=int(values["target"]),
        )

    @property
    def max_games(self) -> int:
        """The games after which a match ends even if nobody has reached the target."""
        return 2 * self.target

    def reseeded(self, rng: Random) -> Self:
        """Return the rules of a match in which all that is to come is drawn anew."""
        seed = rng.randbytes(len(self.seed))
        return replace(self, seed=seed, key=Key(seed))

    def bit(self, game: int, tick: int) -> int:
        """Return the seat that is served first in a tick."""
        return self.key.coin(priority_label(game, tick))

    def draws(self, hand: int, stock: Cards) -> bool:
        """Tell whether a seat may draw (SD-11)."""
        return bool(stock) and not self.automatic and hand.bit_count() < HAND


class Position(NamedTuple):
    """The fields of a state."""

    rules: Rules
    game: int
    """Counts from 1."""
    turn: tuple[int, ...]
    order: Cards
    """At least the cards of hands and stocks, those of a seat in the order in which it draws.

    Of several cards of a rank a seat plays the one it drew first, so that the suit of a card that is played tells
    nothing of the cards that stay.
    """
    hand0: int
    """The cards as bits."""
    hand1: int
    stock0: Cards
    """Bottom to top, as all piles of the position."""
    stock1: Cards
    side0: Cards
    side1: Cards
    pile0: Cards
    pile1: Cards
    tick: int
    stall: int
    """How many ticks in a row had no accepted action."""
    reshuffles: int
    plays: int
    """How many cards were played since the side piles were last made."""
    clues: tuple[Clues, Clues]
    """By seat: what was known of its hand before the signs."""
    signs: tuple[Sign, ...]
    """What was seen since, oldest first; it is put together only when it is asked for."""
    score: tuple[int, int]
    legal0: tuple[str, ...]
    legal1: tuple[str, ...]
    trail: Trail
    chance: tuple[str, ...]
    outcome: Outcome | None

    def hand(self, seat: int) -> int:
        """Return the hand of a seat, as bits."""
        return self.hand1 if seat else self.hand0

    def stock(self, seat: int) -> Cards:
        """Return the stock of a seat, bottom to top."""
        return self.stock1 if seat else self.stock0

    def drawn(self, seat: int) -> Cards:
        """Return the hand of a seat, the card that was drawn first at the front."""
        return tuple(sorted(cards_of(self.hand(seat)), key=self.order.index))

    def cards_left(self, seat: int) -> int:
        """Return how many cards a seat has in hand and stock."""
        return self.hand(seat).bit_count() + len(self.stock(seat))

    def clues_of(self, seat: int) -> Clues:
        """Return what is known of the hand of a seat."""
        clues = self.clues[seat]
        for sign in self.signs:
            clues = clues.after(sign, seat)
        return clues

    def legal(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the legal actions in a tick, by seat, worked out."""
        row = rows()[13 * (self.pile0[-1] >> 2) + (self.pile1[-1] >> 2)]
        return (
            menu(row, self.hand0, self.rules.draws(self.hand0, self.stock0)),
            menu(row, self.hand1, self.rules.draws(self.hand1, self.stock1)),
        )


def outcome(score: tuple[int, int]) -> Outcome:
    """Return the outcome of a match: more points win (SD-31, SD-32)."""
    lead = score[0] - score[1]
    if lead == 0:
        return Outcome((0.5, 0.5), (1, 1), (0, 0))
    return Outcome((float(lead > 0), float(lead < 0)), (1, 2) if lead > 0 else (2, 1), (lead, -lead))


def position_text(position: Position) -> str:
    """Return a position as one line; ``docs/games/speed.md`` says what its words mean."""
    words = {
        "seed": position.rules.seed.hex(),
        "rules": ",".join(f"{name}:{str(value).lower()}" for name, value in position.rules.values),
        "game": str(position.game),
        "phase": "end" if position.outcome else "play",
        "tick": str(position.tick),
        "stall": str(position.stall),
    }
    for seat in range(2):
        words[f"hand{seat}"] = cards_text(position.drawn(seat))
        words[f"stock{seat}"] = cards_text(position.stock(seat))
    words |= {
        "side0": cards_text(position.side0),
        "side1": cards_text(position.side1),
        "pile0": cards_text(position.pile0),
        "pile1": cards_text(position.pile1),
        "reshuffles": str(position.reshuffles),
        "plays": str(position.plays),
        "score": f"{position.score[0]},{position.score[1]}",
        "clues0": _clues_text(position.clues_of(0)),
        "clues1": _clues_text(position.clues_of(1)),
        "trail": trail_text(position.trail),
        "chance": ",".join(position.chance) or "-",
    }
    return words_text("speed", words)


def parse_position(rules: Rules, words: Mapping[str, str]) -> Position:
    """Return the position that words describe; those after ``pile1`` may be left out. Raises :class:`BadPosition`."""
    hands = [parse_cards_text(words.get(f"hand{seat}", "-")) for seat in range(2)]
    names = ("stock0", "stock1", "side0", "side1", "pile0", "pile1")
    piles = [parse_cards_text(words.get(name, "-")) for name in names]
    for seat, cards in enumerate(hands):
        if len(cards) > HAND:
            raise BadPosition(f"hand{seat} has {len(cards)} cards: allowed is up to {HAND}")
    if not piles[4] or not piles[5]:
        raise BadPosition("pile0 and pile1 must have a card each")
    check_pack([card for cards in (*hands, *piles) for card in cards])
    scores = dict(zip(("first", "second"), words.get("score", "0,0").split(","), strict=False))
    score = (parse_number(scores, "first", 0, 0, 1_000_000), parse_number(scores, "second", 0, 0, 1_000_000))
    position = Position(
        rules,
        parse_number(words, "game", 1, 1, max(1, rules.max_games)),
        (),
        (*hands[0], *piles[0][::-1], *hands[1], *piles[1][::-1]),
        hand_of(hands[0]), hand_of(hands[1]), piles[0], piles[1], piles[2], piles[3], piles[4], piles[5],
        tick=parse_number(words, "tick", 0, 0, rules.max_ticks),
        stall=parse_number(words, "stall", 0, 0, rules.stall),
        reshuffles=parse_number(words, "reshuffles", 0, 0, 1_000_000),
        plays=parse_number(words, "plays", 0, 0, 1_000_000),
        clues=(_parse_clues(words.get("clues0", "-/-")), _parse_clues(words.get("clues1", "-/-"))),
        signs=(),
        score=score,
        legal0=(),
        legal1=(),
        trail=parse_trail(words.get("trail", "-,-,-1")),
        chance=tuple(words["chance"].split(",")) if words.get("chance", "-") != "-" else (),
        outcome=None,
    )  # fmt: skip
    phase = words.get("phase", "play")
    if phase == "end":
        return position._replace(outcome=outcome(score))
    if phase != "play":
        raise BadPosition(f"phase cannot be {phase!r}: allowed is play or end")
    legal = position.legal()
    return position._replace(turn=(0, 1), legal0=legal[0], legal1=legal[1])


def _ranks_text(ranks: int) -> str:
    return "".join(name for rank, name in enumerate(RANKS) if ranks >> rank & 1)


def _clues_text(clues: Clues) -> str:
    """Return clues as a word: ``number:ranks`` and a slash, then ranks held, with ``!`` where all may know."""
    barred = "+".join(f"{count}:{_ranks_text(ranks)}" for count, ranks in clues.barred)
    held = "+".join(_ranks_text(ranks) + "!" * public for ranks, public in clues.held)
    return f"{barred or '-'}/{held or '-'}"


def _parse_clues(text: str) -> Clues:
    barred, sign, held = text.partition("/")
    if not sign:
        raise BadPosition(f"clues cannot be {text!r}: allowed is number:ranks+.../ranks+...")
    if text == "-/-":
        return NO_CLUES
    pairs: list[tuple[int, int]] = []
    for pair in () if barred == "-" else barred.split("+"):
        count, _, ranks = pair.partition(":")
        pairs.append((parse_number({"clues": count}, "clues", 0, 1, HAND), _parse_ranks(ranks)))
    ranks_held = () if held == "-" else held.split("+")
    return Clues(tuple(pairs), tuple((_parse_ranks(ranks.removesuffix("!")), ranks[-1] == "!") for ranks in ranks_held))


def _parse_ranks(text: str) -> int:
    if not text or not set(text) <= set(RANKS) or len(set(text)) != len(text):
        raise BadPosition(f"{text!r} are no ranks: allowed are one or more of {RANKS}")
    return sum(1 << RANKS.index(rank) for rank in text)

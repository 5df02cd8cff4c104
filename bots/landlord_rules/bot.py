"""Plays Landlord by rules of thumb, without a memory and without search.

Its measure is the number of turns in which a hand can be played out if nobody disturbs. It leads what leaves the
fewest turns, lowest first; it beats where that costs no turn, or where the opponent is close to the end; bombs wait
until they decide.
"""

from functools import lru_cache

from cardpit import Bot, Turn
from cardpit.games.landlord_lists import find_book
from cardpit.games.landlord_plays import Play, at_least, bits, chains, count, read_hand

PLAYS = find_book(True).by_text
"""Every combination by its notation."""

HIGH_CARDS = {"A": 1.0, "2": 2.0, "x": 3.0, "X": 4.0}
"""What a high card is worth in the auction."""
BOMB_WORTH = 4.0
TURN_COST = 0.8
"""What each turn to go out beyond eight takes from that worth."""
CALL_FROM = 3.0
GRAB_FROM = 5.0
"""From which worth of a hand to call, and to grab for the first time; each grab before asks for one more."""
ACE = 9
"""The place of the ace among the ranks: what is above it is seldom beaten."""
CLOSE = 6
"""How many cards an opponent close to the end has left to play."""


class LandlordRules(Bot):
    """Counts the turns to go out."""

    games = ("landlord",)

    def act(self, turn: Turn) -> str:
        """Speak in the auction, lead or answer."""
        hand = read_hand("".join(card[0] for card in turn.hand))
        if turn.phase == "auction":
            return speak(hand, turn.legal_actions[0], turn.counter("grabs"))
        ceded = turn.counter("ceded")
        farms = turn.counter("landlord") != turn.seat
        spare = ceded if farms else 0
        other = turn.zone("hand", 1 - turn.seat)
        held = len(other.cards) + other.unseen
        threat = range(held - (0 if farms else ceded), held + 1)
        plays = [PLAYS[action] for action in turn.legal_actions if action != "pass"]
        for play in plays:
            if count(hand - play.cards) <= spare:
                return play.text
        if "pass" in turn.legal_actions:
            return answer(hand, plays, spare, threat.start)
        return lead(hand, plays, spare, threat)


def speak(hand: int, asked: str, grabs: int) -> str:
    """Call or grab with a strong hand."""
    wanted = CALL_FROM if asked == "call" else GRAB_FROM + grabs
    return asked if worth(hand) >= wanted else "no"


def worth(hand: int) -> float:
    """Return the strength of a hand: its high cards and bombs, less what takes many turns to play."""
    high = sum(value * (hand // read_hand(rank) & 7) for rank, value in HIGH_CARDS.items())
    return high + BOMB_WORTH * at_least(hand, 4).bit_count() - TURN_COST * (turns(hand) - 8)


def lead(hand: int, plays: list[Play], spare: int, threat: range) -> str:
    """Choose what leaves the fewest turns, then what is low and long.

    ``spare`` is how many cards the bot may keep. ``threat`` is with plays of how many cards the opponent goes out: no
    low single or pair of that size is led.
    """

    def cost(play: Play) -> float:
        left = turns(hand - play.cards, spare)
        loss = 0.15 * play.high - 0.05 * play.size
        if play.power and left > 1:
            loss += 3
        if play.size <= 2 and play.size in threat:
            loss += 4 - 0.5 * play.high
        return left + loss

    return min(plays, key=cost).text


def answer(hand: int, plays: list[Play], spare: int, danger: int) -> str:
    """Choose the cheapest play that beats, or pass where it costs more than the lead is worth."""
    now = turns(hand, spare)
    best, least = "pass", now + (3.0 if danger <= CLOSE else 0.6)
    for play in plays:
        left = turns(hand - play.cards, spare)
        cost = left + 0.04 * play.high
        if play.power:
            cost += 0.0 if left <= 1 else 1.0 if danger <= CLOSE else 3.0
        elif play.high > ACE and danger > CLOSE and left > 2:
            cost += 0.5
        if cost < least:
            best, least = play.text, cost
    return best


@lru_cache(1 << 16)
def turns(hand: int, spare: int = 0) -> int:
    """Return in how many turns a hand can be played down to a number of spare cards, if nobody beats anything."""
    best = loose_turns(hand, spare)
    ones, pairs = at_least(hand, 1), at_least(hand, 2)
    for length in (5, 6, 7, 8):
        for run in chains(ones, length):
            best = min(best, 1 + turns(hand - run, spare))
    for length in (3, 4, 5):
        for run in chains(pairs, length):
            best = min(best, 1 + turns(hand - 2 * run, spare))
    return best


def loose_turns(hand: int, spare: int) -> int:
    """Return the turns without straights and pair runs: triples take singles or pairs along, planes are one turn."""
    ones, twos, threes, fours = (at_least(hand, number) for number in (1, 2, 3, 4))
    triples = threes & ~fours
    singles = (ones & ~twos).bit_count()
    pairs = (twos & ~threes).bit_count()
    joined = sum(1 for bit in bits(triples) if triples & bit << 4)
    carried = triples.bit_count()
    groups = carried - joined + fours.bit_count()
    dropped = min(singles, spare)
    dropped_pairs = min(pairs, (spare - dropped) // 2)
    return groups + max(0, singles - dropped + pairs - dropped_pairs - carried)


if __name__ == "__main__":
    LandlordRules.run()

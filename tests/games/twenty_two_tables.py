"""Positions of Twenty-Two, laid out by hand."""

from collections.abc import Sequence

from cardpit.cards import PACK
from cardpit.games import ALL, State, find_game

GAME = find_game("twenty-two")


def table(
    hands: Sequence[str],
    *,
    talon: str = "",
    dealer: int | None = None,
    scores: Sequence[str] | None = None,
    out: Sequence[str] | None = None,
    must_beat: bool = False,
    exchanged: bool = True,
) -> State:
    """Return a state with these hands, by seat, after an exchange of nothing unless ``exchanged`` is false.

    Hands and talon are ranks, the talon top first; other cards lie below it. A seat whose hand is empty is out. The
    last seat deals, so that the first leads. ``scores`` are cards.
    """
    seats = len(hands)
    dealer = seats - 1 if dealer is None else dealer
    scores = scores or ["-"] * seats
    out = out or ["-" if hand else "22 1" for hand in hands]
    order = [seat % seats for seat in range(dealer + 1, dealer + 1 + seats) if hands[seat % seats]]
    left = [card for card in PACK if card not in " ".join(scores)]
    ranks = [hands[seat][turn] for turn in range(len(hands[order[0]])) for seat in order] + list(talon)
    top = []
    for rank in ranks:
        top.append(next(card for card in left if card[0] == rank))
        left.remove(top[-1])
    state: State = GAME.parse(
        f"twenty-two | seed {bytes(range(32)).hex()} | seats {seats} min_deal 2 must_beat {str(must_beat).lower()}"
        f" | hand 2 dealer {dealer} wanted {len(hands[order[0]])} | score {' / '.join(scores)} | out {' / '.join(out)}"
        f" | pack {' '.join(left + top[::-1])} | before -, - hand 2 dealer {dealer} | since -"
    )
    return play(state, *["exchange"] * len(order)) if exchanged else state


def play(state: State, *actions: str) -> State:
    """Return the state after these actions of the seats to act, in turn."""
    for action in actions:
        state = state.apply({state.turn[0]: action})
    return state


def legal(state: State) -> set[str]:
    """Return the legal actions of the seat to act."""
    return set(state.legal_actions(state.turn[0]))


def counter(state: State, name: str) -> int:
    return dict(state.observe(ALL).counters)[name]


def zone(state: State, name: str, owner: int | None = None, seat: int = ALL) -> tuple[str, ...]:
    """Return the cards that a seat sees in a place."""
    return next(zone.cards for zone in state.observe(seat).zones if (zone.name, zone.owner) == (name, owner))


def unseen(state: State, name: str, owner: int | None, seat: int) -> int:
    """Return how many cards a seat does not see in a place."""
    return next(zone.unseen for zone in state.observe(seat).zones if (zone.name, zone.owner) == (name, owner))


def ranks(cards: Sequence[str]) -> str:
    """Return the ranks of cards in their order."""
    return "".join(card[0] for card in cards)


def events(state: State, seat: int) -> list[tuple[int | None, str]]:
    """Return what a seat learns, as seat and text."""
    return [(event.seat, event.text) for event in state.observe(seat).events]

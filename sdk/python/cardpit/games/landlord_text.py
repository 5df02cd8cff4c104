"""Positions of Landlord read from text: the line that a state writes, or two hands by rank."""

from collections.abc import Mapping, Sequence

from cardpit.games.game import BadPosition
from cardpit.games.landlord_deal import BOTTOM_SIZE, HAND_SIZE, PACK, Cards, Contract, Deal, Rules, Trail
from cardpit.games.landlord_plays import MOST_CARDS, read_hand
from cardpit.games.landlord_states import MOST_REDEALS, NO, REDEAL, AuctionState, LandlordState, PlayState
from cardpit.games.seeds import SEED_SIZE

Fields = dict[str, str]

_KEYS = ("seed", "deal", "first", "hand0", "hand1", "bottom", "unused", "landlord", "grabs")
MOST_GRABS = 4


def split(text: str) -> tuple[Fields, Fields, list[str]]:
    """Return the fields of a position, the parameters in it, and what has happened since, oldest first."""
    start, *told = (part.strip() for part in text.split("|"))
    head, *words = start.split() or [""]
    fields: Fields = {}
    parameters: Fields = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadPosition(f"{word!r} is not name=value")
        (fields if name in _KEYS else parameters)[name] = value
    if "/" in head:
        return _dealt_by_rank(head) | fields, parameters, told
    if head != "landlord":
        raise BadPosition(f"it begins with {head!r}, not with landlord or with two hands and a / between them")
    return fields, parameters, told


def build(fields: Fields, rules: Rules, told: Sequence[str]) -> LandlordState:
    """Return the state that fields describe, after what has happened since."""
    for name in _KEYS[:7]:
        if name not in fields:
            raise BadPosition(f"it has no {name}")
    seed = bytes.fromhex(fields["seed"])
    if len(seed) != SEED_SIZE:
        raise BadPosition(f"its seed has {len(seed)} bytes, not {SEED_SIZE}")
    hands = (_cards(fields["hand0"]), _cards(fields["hand1"]))
    bottom, unused = _cards(fields["bottom"]), _cards(fields["unused"])
    if sorted((*hands[0], *hands[1], *bottom, *unused)) != sorted(PACK):
        raise BadPosition("its hands, bottom and unused cards are not each card of the pack once")
    number, first = _number(fields, "deal", MOST_REDEALS), _number(fields, "first", 1)
    deal = Deal(rules, seed, number, first, hands, bottom, unused)
    earlier = max((place + 1 for place, word in enumerate(told) if word == REDEAL), default=0)
    trail = _earlier_deals(told[:earlier], number)
    state: LandlordState = _opening(fields, deal) if "landlord" in fields else _auction(deal, trail)
    for word in told[earlier:]:
        seat, _, action = word.partition(" ")
        if seat not in ("0", "1"):
            raise BadPosition(f"{word!r} does not begin with a seat, 0 or 1")
        state = state.apply({int(seat): action})
    return state


def _auction(deal: Deal, trail: Trail | None) -> AuctionState:
    sizes = (len(deal.hands[0]), len(deal.hands[1]), len(deal.bottom))
    if sizes != (HAND_SIZE, HAND_SIZE, BOTTOM_SIZE):
        raise BadPosition(f"hands and bottom have {sizes} cards, not {HAND_SIZE}, {HAND_SIZE} and {BOTTOM_SIZE}")
    return AuctionState(deal, deal.first, trail)


def _opening(fields: Fields, deal: Deal) -> PlayState:
    """Return a position without an auction: the landlord leads."""
    landlord, grabs = _number(fields, "landlord", 1), _number(fields, "grabs", MOST_GRABS)
    held = len(deal.hands[landlord]) + len(deal.bottom)
    left = len(deal.hands[1 - landlord])
    if not 1 <= held <= MOST_CARDS:
        raise BadPosition(f"the landlord has {held} cards: allowed is 1 to {MOST_CARDS}")
    if not grabs < left <= HAND_SIZE:
        raise BadPosition(f"the farmer has {left} cards: allowed is {grabs + 1} to {HAND_SIZE} after {grabs} grabs")
    return PlayState.opening(Contract(deal, landlord, grabs), None)


def _earlier_deals(told: Sequence[str], number: int) -> Trail | None:
    """Return what happened in the deals before: in each, both said no."""
    if len(told) != 3 * number:
        raise BadPosition(f"{len(told)} things are told of the {number} deals before, not 3 of each")
    trail: Trail | None = None
    for at in range(0, len(told), 3):
        seat = told[at][:1]
        if seat not in ("0", "1") or list(told[at : at + 3]) != [f"{seat} {NO}", f"{1 - int(seat)} {NO}", REDEAL]:
            raise BadPosition(f"{' | '.join(told[at : at + 3])!r} is not a no of each seat and {REDEAL}")
        first = int(seat)
        trail = (((trail, first, NO), 1 - first, NO), None, REDEAL)
    return trail


def _dealt_by_rank(text: str) -> Fields:
    """Return the fields of a position of two hands by rank, such as ``55566678/77889``: suits are given in order."""
    hands: list[Cards] = []
    left = list(PACK)
    for ranks in text.split("/"):
        cards: list[str] = []
        read_hand(ranks)
        for rank in ranks:
            card = next((card for card in left if card[0] == rank), None)
            if card is None:
                raise BadPosition(f"{text!r} has more cards of rank {rank} than the pack")
            left.remove(card)
            cards.append(card)
        hands.append(tuple(cards))
    if len(hands) != 2:
        raise BadPosition(f"{text!r} has {len(hands)} hands, not 2")
    return {
        "seed": "00" * SEED_SIZE,
        "deal": "0",
        "first": "0",
        "hand0": ",".join(hands[0]),
        "hand1": ",".join(hands[1]),
        "bottom": "",
        "unused": ",".join(left),
        "landlord": "0",
        "grabs": "0",
    }


def _cards(text: str) -> Cards:
    return tuple(text.split(",")) if text else ()


def _number(fields: Mapping[str, str], name: str, most: int) -> int:
    text = fields.get(name, "")
    if not (text.isascii() and text.isdigit() and int(text) <= most):
        raise BadPosition(f"{name} is {text!r}: allowed is 0 to {most}")
    return int(text)

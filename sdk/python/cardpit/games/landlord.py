"""Landlord for two, with grabbing and ceded cards. ``docs/games/landlord.md`` has the rules and the notation."""

from collections.abc import Iterable, Mapping, Sequence

from cardpit.cards import SUITS
from cardpit.games.game import BadPosition, Game, GameError, Value
from cardpit.games.landlord_deal import PACK, PARAMETERS, Cards, Deal, Rules, Trail, in_order
from cardpit.games.landlord_plays import MOST_CARDS, RANKS
from cardpit.games.landlord_states import MOST_REDEALS, NO, REDEAL, AuctionState, LandlordState, PlayState
from cardpit.games.seeds import SEED_SIZE

MOST_BOMBS = 9
"""Bombs and rockets that the 37 cards of both hands can make."""


class Landlord(Game):
    """Two-player Landlord."""

    id = "landlord"
    name = "Landlord"
    rules_version = 1
    min_seats = 2
    max_seats = 2
    parameters = PARAMETERS
    zero_sum = True
    real_time = False
    payoff_unit = "points"
    longest_match = 40
    source = "the two-player landlord game with grabbing and ceded cards (二人斗地主)"
    house_rules = (
        "Nobody calls: the seat that was asked first is landlord.",
        "The landlord can be grabbed four times, in turn.",
        "The farmer has won once he has no more cards than were ceded, tested after each of his plays.",
        "A four with two takes two cards of different ranks; it is no bomb.",
        "Both jokers are never attached together, and three attached cards of a rank never adjoin the plane.",
        "Each bomb and rocket doubles the points, and so does a spring.",
        "A match is worth 64 points at most.",
    )

    def __init__(self) -> None:
        self._default_rules = Rules.from_settled(self.settle(None))

    def deal(
        self, seed: bytes, seats: int | None = None, parameters: Mapping[str, Value] | None = None
    ) -> LandlordState:
        """Return the first state of a match: the seat asked first may call."""
        self.settle_seats(seats)
        rules = Rules.from_settled(self.settle(parameters)) if parameters else self._default_rules
        deal = Deal.from_seed(rules, seed, 0)
        return AuctionState(deal, deal.first, None)

    def parse(self, text: str) -> LandlordState:
        """Return the state that a line of text describes. Raises :class:`BadPosition`.

        Besides what ``state.text`` writes, it may be ``<landlord's hand>/<farmer's hand>`` by ranks, and after it
        ``grabs=<0 to 4>`` and parameters as ``name=value``: seat 0 is the landlord, and leads. Both may be followed by
        what has happened since, each thing after a ``|``.
        """
        start, *told = (part.strip() for part in text.split("|"))
        first_word, *words = start.split() or [""]
        try:
            fields = dict(word.split("=", 1) for word in words)
            if "/" in first_word:
                fields = _dealt_by_rank(first_word) | fields
            elif first_word != self.id:
                raise BadPosition(f"it begins with {first_word!r}, not with landlord or two hands with / between them")
            return self._read(fields, told)
        except (KeyError, ValueError) as error:
            detail = f"{error} is missing" if isinstance(error, KeyError) else error
            raise BadPosition(f"no position of landlord: {text!r}: {detail}") from error

    def payoff_bounds(self, seats: int, parameters: Mapping[str, Value]) -> tuple[float, float]:
        """Return the lowest and the highest payoff: what all grabs and bombs make, or the cap if that is less."""
        rules = Rules.from_settled(self.settle(parameters))
        doubles = MOST_BOMBS if rules.bomb_x2 else int(rules.spring_x2)
        most = float(min(rules.cap, 1 << rules.max_grabs + doubles))
        return -most, most

    def _read(self, fields: dict[str, str], told: Sequence[str]) -> LandlordState:
        seed = bytes.fromhex(fields.pop("seed"))
        if len(seed) != SEED_SIZE:
            raise BadPosition(f"the seed has {len(seed)} bytes, not {SEED_SIZE}")
        hands = (_cards(fields.pop("hand0")), _cards(fields.pop("hand1")))
        bottom, unused = _cards(fields.pop("bottom")), _cards(fields.pop("unused"))
        number, first = (_number(fields, name, most) for name, most in (("deal", MOST_REDEALS), ("first", 1)))
        contract = None
        if "landlord" in fields:
            contract = (_number(fields, "landlord", 1), _number(fields, "grabs", 4))
        deal = Deal(Rules.from_settled(self.settle(fields)), seed, number, first, hands, bottom, unused)

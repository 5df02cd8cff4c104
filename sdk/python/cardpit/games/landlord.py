"""Landlord for two, with grabbing and ceded cards. ``docs/games/landlord.md`` has the rules and the notation."""

from collections.abc import Mapping

from cardpit.games.game import BadPosition, Game, Observation, State, Value
from cardpit.games.landlord_deal import PARAMETERS, Deal, Rules
from cardpit.games.landlord_imagine import imagined
from cardpit.games.landlord_states import AuctionState, LandlordState
from cardpit.games.landlord_text import build, split

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
        what has happened since, such as ``| 0 play 5 | 1 pass``.
        """
        try:
            fields, parameters, told = split(text)
            return build(fields, Rules.from_settled(self.settle(parameters)), told)
        except ValueError as error:
            raise BadPosition(f"no position of {self.id}: {text!r}: {error}") from error

    def imagine(
        self,
        observation: Observation,
        seat: int,
        seats: int,
        parameters: Mapping[str, Value],
        before: State | None = None,
    ) -> LandlordState:
        """Return a state that looks to a seat like what it observes at its turn."""
        assert before is None or isinstance(before, LandlordState)
        return imagined(observation, seat, Rules.from_settled(self.settle(parameters)), before)

    def payoff_bounds(self, seats: int, parameters: Mapping[str, Value]) -> tuple[float, float]:
        """Return the lowest and the highest payoff: what all grabs and bombs make, or the cap if that is less."""
        rules = Rules.from_settled(self.settle(parameters))
        doubles = MOST_BOMBS if rules.bomb_x2 else int(rules.spring_x2)
        most = float(min(rules.cap, 1 << rules.max_grabs + doubles))
        return -most, most

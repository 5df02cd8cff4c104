"""What a search knows of each game: one guide each. :class:`cardpit.search.Guide` itself serves any game."""

from types import MappingProxyType

from cardpit.search.guide import Guide
from cardpit.search.guides.landlord import LandlordGuide
from cardpit.search.guides.speed import SpeedGuide
from cardpit.search.guides.spit import SpitGuide
from cardpit.search.guides.twenty_two import TwentyTwoGuide

GUIDES: MappingProxyType[str, type[Guide]] = MappingProxyType(
    {
        "landlord": LandlordGuide,
        "twenty-two": TwentyTwoGuide,
        "spit": SpitGuide,
        "speed": SpeedGuide,
    }
)
"""The guide of each game, by its id."""

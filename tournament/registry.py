"""Bot versions as the referee needs them: where they lie and how they are started."""

import json
import sysconfig
from pathlib import Path

from referee.orders import Player
from tournament.bundle import Bundle
from tournament.errors import BadHome
from tournament.home import Home
from tournament.store.tables import BotVersion

BASELINES = ("random", "first", "landlord_rules", "twenty_two_rules", "spit_rules", "speed_rules")
"""The bots that come with Cardpit, need nothing but Python and answer at once."""


def player_of(version: BotVersion, home: Home) -> Player:
    """Return a submitted bot version. Raises :class:`BadHome` where its bundle is gone."""
    folder = home.bundles / version.bundle_hash
    if not folder.is_dir():
        raise BadHome(
            f"the bundle of bot {version.name} {version.version} is not in {home.bundles}: "
            f"put the folder {version.bundle_hash} back"
        )
    return Player(version.name, version.version, version.bundle_hash, folder, tuple(json.loads(version.command)))


def candidate(bundle: Bundle, folder: Path) -> Player:
    """Return a bot that is about to be submitted, from the copy of its bundle."""
    return Player(bundle.name, 0, bundle.hash, folder, bundle.command)


def baseline(name: str) -> Path:
    """Return the bundle of a bot that comes with Cardpit. Raises :class:`BadHome` where it is not installed."""
    # In a checkout it lies beside the packages, else where the installation put it.
    checkout = Path(__file__).parent.parent / "bots"
    folder = checkout if checkout.is_dir() else Path(sysconfig.get_path("data"), "share", "cardpit", "bots")
    if not (folder / name).is_dir():
        raise BadHome(f"the built-in bot {name} is not in {folder}: install Cardpit again")
    return folder / name

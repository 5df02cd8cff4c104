"""Bot versions as the referee needs them: where they lie and how they are started."""

import json
import sysconfig
from pathlib import Path

from referee.orders import Player
from tournament.bundle import Bundle, resolve_command
from tournament.errors import BadHome
from tournament.home import Home
from tournament.store.tables import BotVersion


def player_of(version: BotVersion, home: Home) -> Player:
    """Return a submitted bot version. Raises :class:`BadHome` where its bundle is gone."""
    folder = home.bundles / version.bundle_hash
    if not folder.is_dir():
        raise BadHome(
            f"the bundle of bot {version.name} {version.version} is not in {home.bundles}: "
            f"put the folder {version.bundle_hash} back"
        )
    command = resolve_command(tuple(json.loads(version.command)), folder)
    return Player(version.name, version.version, version.bundle_hash, folder, command)


def candidate(bundle: Bundle, folder: Path) -> Player:
    """Return a bot that is about to be submitted, from the copy of its bundle."""
    return Player(bundle.name, 0, bundle.hash, folder, resolve_command(bundle.command, folder))


def baseline_folder() -> Path:
    """Return where the bots that come with Cardpit lie: in a checkout, else where the installation put them."""
    checkout = Path(__file__).parent.parent / "bots"
    return checkout if checkout.is_dir() else Path(sysconfig.get_path("data"), "share", "cardpit", "bots")

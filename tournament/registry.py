"""Bot versions as the referee needs them: where they lie and how they are started."""

import json
import sysconfig
from pathlib import Path

from referee.manifest import BadManifest, read_player
from referee.orders import Player
from tournament.bundle import Bundle
from tournament.errors import BadBundle, BadHome, WrongUse, unknown
from tournament.home import Home
from tournament.store.bots import find_version, label, latest_versions, plays
from tournament.store.database import Store
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


def find_player(text: str, home: Home, game_id: str) -> Player:
    """Return the bot that a text names: a path, a submitted bot (``name``, ``name@2``), or a built-in one.

    What has a ``/`` or ends with ``.py`` is a path; otherwise a submitted bot comes first. A bot at a path is started
    where it lies. Raises :class:`tournament.errors.WrongUse`.
    """
    path = Path(text)
    if "/" in text or path.suffix == ".py":
        return _player_at(path, game_id)
    known: list[str] = []
    if Store.exists(home):
        with Store.open(home) as store:
            known = [version.name for version in latest_versions(store)]
            if text.replace(":", "@").partition("@")[0] in known:
                version = find_version(store, text)
                if not plays(version, game_id):
                    raise WrongUse(f"bot {label(version)} does not play {game_id}")
                return player_of(version, home)
    if path.exists():
        return _player_at(path, game_id)
    if text in BASELINES:
        return _player_at(baseline(text), game_id)
    raise unknown("bot", text, dict.fromkeys((*known, *BASELINES)))


def _player_at(path: Path, game_id: str) -> Player:
    try:
        return read_player(path, game_id)
    except BadManifest as error:
        raise BadBundle(f"bundle {error}") from None

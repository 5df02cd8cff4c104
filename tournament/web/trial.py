"""A process that builds and tries one submission, so that nothing in it can harm the server.

Everything it says is the submission's log. It ends with 0 if the bot was accepted, with ``REFUSED`` if it was not, and
with anything else if the platform failed.
"""

import os
import sys
from pathlib import Path

from tournament.bundle import read_bundle
from tournament.cli.submit import submit
from tournament.errors import BuildFailed, Refused, TournamentError, WrongUse
from tournament.home import Home
from tournament.parcel import unpack
from tournament.store.accounts import disown, may_submit, own
from tournament.store.database import Store
from tournament.store.submissions import find_submission, set_bot

REFUSED = 3

UNNAMED = "(unnamed)"
"""The folder of a bundle: where its ``bot.toml`` has no name, this is none that a bot may have."""


def try_submission(store: Store, home: Home, key: int, archive: Path, *, jail: str) -> None:
    """Unpack, build and try a submission in the working folder, and store the version that it becomes."""
    submission = find_submission(store, key)
    folder = Path(UNNAMED)
    folder.mkdir()
    bundle = read_bundle(unpack(archive, folder), submission.bot or None)
    print(f"unpacked {bundle.name}: {len(bundle.files)} files", flush=True)
    if not may_submit(store, submission.user, bundle.name):
        raise WrongUse(f"bot {bundle.name} is not yours: take another name, or ask the organiser")
    set_bot(store, key, bundle.name)
    # The name is the user's before the version is stored: whenever this process is killed, nobody else has the bot.
    own(store, submission.user, bundle.name)
    try:
        version = submit(bundle, store, home, jail=jail, jobs=1)
    finally:
        disown(store, bundle.name)
    set_bot(store, key, bundle.name, version)


def main() -> None:
    """Try the submission of a home: folder of the home, key, archive, jail."""
    folder, key, archive, jail = sys.argv[1:]
    home = Home(Path(folder))
    try:
        with Store.open(home) as store:
            try_submission(store, home, int(key), Path(archive), jail=jail)
    except (WrongUse, Refused, BuildFailed) as error:
        print(error, flush=True)
        sys.exit(REFUSED)
    except TournamentError as error:
        print(f"the platform failed: {error}", flush=True)
        sys.exit(os.EX_SOFTWARE)
    except KeyboardInterrupt:
        sys.exit(os.EX_TEMPFAIL)


if __name__ == "__main__":
    main()

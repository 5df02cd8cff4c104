"""``tournament init``."""

from pathlib import Path

import click

from tournament.cli.options import examples
from tournament.cli.table import stderr
from tournament.errors import BadConfiguration, Failure
from tournament.settings import FILE, TEMPLATE


@click.command(name="init", epilog=examples("tournament init", f"tournament run --config {FILE}"))
@click.argument("path", type=click.Path(path_type=Path), default=Path(FILE))
def command(path: Path) -> None:
    """Write a tournament.toml with comments, for run --config.

    PATH is where it is written; a file that is there already is not touched.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)
    except FileExistsError:
        raise BadConfiguration(f"{path} exists already: give another path, or remove it first") from None
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from None
    stderr().print(f"wrote {path}: edit it, then play with: tournament run --config {path}", markup=False)

"""``tournament export``."""

from pathlib import Path

import click
from rich.progress import Progress

from tournament.cli.completion import TOURNAMENT
from tournament.cli.options import examples, with_home
from tournament.cli.ratings import COLUMNS, rating_rows
from tournament.cli.table import stderr, stdout
from tournament.errors import BadConfiguration
from tournament.export import Export
from tournament.home import Home
from tournament.store.database import Store
from tournament.store.matches import count_matches
from tournament.store.tournaments import find_tournament


@click.command(
    name="export",
    epilog=examples("tournament export cup cup-export", "python cup-export/check.py", "tournament verify cup"),
)
@click.argument("tournament", type=TOURNAMENT)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--unfinished", is_flag=True, help="Before the end too: without seeds and records, which tell cards.")
@click.option("--no-text", is_flag=True, help="Leave out the records as readable text, which take the most time.")
@with_home
def command(*, tournament: str, folder: Path, unfinished: bool, no_text: bool, home: Home) -> None:
    """Write a tournament as files that anybody can read and check.

    FOLDER gets the table, the boards, the matches and the voided results as CSV and JSON, the settings with the seed,
    every record as a protobuf file and as text, the hashes of all files, and check.py, which checks all of it with
    Python's standard library alone.
    """
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
        if not found.finished and not unfinished:
            raise BadConfiguration(
                f"tournament {tournament} is not finished: play it with tournament run --name {tournament}, "
                "or export what there is, without seeds and records, with --unfinished"
            )
        console = stderr()
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            total = sum(count_matches(store, pool) for pool in found.pools)
            task = progress.add_task("exporting", total=total)
            export = Export(store, found, texts=not no_text, progress=lambda: progress.advance(task))
            export.write(folder, rating_rows(store, found.pools), [column.key for column in COLUMNS])
    stdout().print(f"exported {export.matches} matches of {tournament} to {folder}", markup=False)
    stderr().print(f"check it with: python {folder / 'check.py'}", markup=False)

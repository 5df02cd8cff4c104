"""``tournament report``."""

from pathlib import Path

import click

from tournament.cli.completion import TOURNAMENT
from tournament.cli.options import examples, with_home
from tournament.cli.ratings import caption, feet
from tournament.cli.table import stdout
from tournament.errors import Failure
from tournament.home import Home
from tournament.report import report_page, section_of
from tournament.standings import table_of
from tournament.store.database import Store
from tournament.store.ends import benched
from tournament.store.tournaments import find_tournament


@click.command(name="report", epilog=examples("tournament report cup", "tournament report cup --out public/cup.html"))
@click.argument("tournament", type=TOURNAMENT)
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file to write; NAME.html in this folder if not given."
)
@with_home
def command(*, tournament: str, out: Path | None, home: Home) -> None:
    """Write a tournament as one page of HTML: tables, intervals, crosstables, history, faults, settings, how to verify.

    It needs no other file, no network and no script, so it can be mailed, printed or put on any site.
    """
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
        sections = [
            section_of(
                store,
                found,
                pool,
                caption(store, found, table_of(store, pool)),
                feet(store, found, pool, benched(store, pool)),
            )
            for pool in found.pools
        ]
    path = out or Path(f"{found.name}.html")
    try:
        path.write_text(report_page(found, sections), encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from None
    stdout().print(f"wrote {path}", markup=False)

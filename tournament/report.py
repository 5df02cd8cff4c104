"""A report: one page of HTML that needs no other file, no network and no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import cardpit
from tournament.crosstable import Crosstable, cross
from tournament.figures import STYLE, heat_map, history_plot, interval_plot
from tournament.history import history_of
from tournament.run.sittings import intervals_hold
from tournament.schedule import WARNING
from tournament.selection import EVERYTHING
from tournament.settings import settings_text
from tournament.standings import FEW_BOARDS, Standing, TableOfPool, make_table
from tournament.statistics import signs_by_chance
from tournament.store.database import Store
from tournament.store.ends import benched, fault_kinds
from tournament.store.tables import now
from tournament.store.tournaments import StoredPool, StoredTournament


class FaultCount(NamedTuple):
    """In how many matches a bot was at fault in one way."""

    bot: str
    termination: str
    matches: int


@dataclass(frozen=True, slots=True)
class Section:
    """What the page says of one game. The figures are markup."""

    game: str
    caption: str
    warning: str
    """Empty where the intervals hold."""
    rows: tuple[Standing, ...]
    benched: frozenset[int]
    feet: Sequence[str]
    intervals: Markup
    heat_map: Markup
    chance: str
    """How many of the signs would come by chance."""
    history: Markup
    faults: tuple[FaultCount, ...]


def section_of(
    store: Store, tournament: StoredTournament, pool: StoredPool, caption: str, feet: Sequence[str]
) -> Section:
    """Return what is said of a game; ``caption`` stands above its table, ``feet`` below."""
    scores = EVERYTHING.scores(store, pool)
    table, crosstable = make_table(pool, scores), cross(scores)
    return Section(
        game=pool.game,
        caption=caption,
        warning="" if intervals_hold(pool) else WARNING,
        rows=table.rows,
        benched=frozenset(benched(store, pool)),
        feet=feet,
        # The figures escape what they are given.
        intervals=Markup(interval_plot(table)),
        heat_map=Markup(heat_map(table, crosstable)),
        chance=_chance(table, crosstable),
        history=Markup(history_plot(table, history_of(scores))),
        faults=tuple(
            FaultCount(pool.labels[entrant], termination, count)
            for entrant, kinds in sorted(fault_kinds(store, pool).items())
            for termination, count in sorted(kinds.items())
        ),
    )


def report_page(tournament: StoredTournament, sections: Sequence[Section]) -> str:
    """Return the page."""
    templates = Environment(
        loader=PackageLoader("tournament"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return templates.get_template("report.html").render(
        tournament=tournament,
        sections=sections,
        configuration=settings_text(tournament.configuration),
        figures_style=Markup(STYLE),
        few_boards=FEW_BOARDS,
        version=cardpit.__version__,
        written=f"{now():%Y-%m-%d %H:%M} UTC",
    )


def _chance(table: TableOfPool, crosstable: Crosstable) -> str:
    met = [
        encounter
        for own in table.rows
        for other in table.rows
        if own.rank < other.rank and (encounter := crosstable.encounter(own.entrant, other.entrant)) is not None
    ]
    signed = sum(bool(encounter.sign) for encounter in met)
    return f"{signed} of {len(met)} pairs do; by chance alone {signs_by_chance(len(met)):.1f} would."

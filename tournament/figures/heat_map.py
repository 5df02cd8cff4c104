"""The crosstable as a heat map: numbers with a sign, on a colour for who is ahead."""

from tournament.crosstable import Crosstable
from tournament.figures.svg import element, figure, label_width, short, text
from tournament.standings import TableOfPool

CELL_WIDTH = 48
CELL_HEIGHT = 28
RANK_WIDTH = 30
GAP = 10
STRONGEST = 0.6
"""The opacity of the colour where one side has everything: the number on it stays readable."""


def heat_map(table: TableOfPool, crosstable: Crosstable, most: int = 24) -> str:
    """Draw the score % of each row against each column, for the top ``most`` bots of the table."""
    rows = table.rows[:most]
    labels = [f"{row.bot} {row.version}" for row in rows]
    left = RANK_WIDTH + label_width(labels) + GAP
    parts = [
        text(str(row.rank), left + CELL_WIDTH * (place + 0.5), CELL_HEIGHT / 2, "middle", "muted")
        for place, row in enumerate(rows)
    ]
    said = []
    for down, own in enumerate(rows):
        y = CELL_HEIGHT * (down + 1)
        parts += [
            text(str(own.rank), RANK_WIDTH - GAP, y + CELL_HEIGHT / 2, "end", "muted"),
            text(short(labels[down]), RANK_WIDTH, y + CELL_HEIGHT / 2),
        ]
        for across, other in enumerate(rows):
            x = left + CELL_WIDTH * across
            met = crosstable.encounter(own.entrant, other.entrant) if own is not other else None
            if met is None:
                parts.append(text("·" if own is other else "", x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2, "middle"))
                continue
            tint = (met.score_percent - 50) / 50
            number = f"{met.score_percent:.0f}{met.sign.replace('-', '−')}"  # noqa: RUF001
            what = f"{labels[down]} against {labels[across]}: {met.score_percent:.1f} % on {met.boards} boards"
            parts.append(
                element(
                    "g",
                    element("title", what)
                    + element(
                        "rect",
                        x=x + 1,
                        y=y + 1,
                        width=CELL_WIDTH - 2,
                        height=CELL_HEIGHT - 2,
                        rx=3,
                        fill_opacity=0.04 + STRONGEST * abs(tint),
                        class_="plus" if tint >= 0 else "minus",
                    )
                    + text(number, x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2, "middle"),
                )
            )
            if down < across:
                said.append(f"{labels[down]} {met.score_percent:.0f} % against {labels[across]}")
    description = f"Score in percent of each bot against each other in {table.pool.game}: " + "; ".join(said)
    return figure(parts, left + CELL_WIDTH * len(rows), CELL_HEIGHT * (len(rows) + 1), description)

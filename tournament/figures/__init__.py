"""Figures as SVG, to stand in a page as they are: no script, no file, nothing to load.

    from tournament.figures import STYLE, heat_map, history_plot, interval_plot

    interval_plot(table)              # the ratings with their 95 % intervals
    heat_map(table, cross(scores))    # who scored how much against whom
    history_plot(table, history)      # how the ratings came about, board by board

The page has ``STYLE`` among its styles, and sets the colours where it wants others: ``--figure-ink``,
``--figure-muted``, ``--figure-line``, ``--figure-accent``, ``--figure-plus`` and ``--figure-minus``. Each figure says
in words what it shows (``role="img"`` with a label), and nothing is told by colour alone.
"""

from tournament.figures.heat_map import heat_map
from tournament.figures.history_plot import history_plot
from tournament.figures.interval_plot import interval_plot
from tournament.figures.svg import STYLE

__all__ = ["STYLE", "heat_map", "history_plot", "interval_plot"]

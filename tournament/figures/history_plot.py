"""How ratings came about: a line for each bot, over the boards of the schedule."""

from tournament.figures.svg import element, figure, label_width, line, short, text, ticks
from tournament.history import History
from tournament.standings import TableOfPool

PLOT_WIDTH = 520
PLOT_HEIGHT = 260
LEFT = 40
GAP = 8
TOP = 10
AXIS_HEIGHT = 44
LABEL_HEIGHT = 15
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4")
"""Lines are told apart by these, and each has its bot's name at its end."""


def history_plot(table: TableOfPool, history: History, most: int = 10) -> str:
    """Draw the history of mu of the top ``most`` bots of the table; says so where there is no board yet."""
    rows = table.rows[:most]
    labels = [f"{row.bot} {row.version}" for row in rows]
    width = LEFT + PLOT_WIDTH + GAP + label_width(labels) + GAP
    height = TOP + PLOT_HEIGHT + AXIS_HEIGHT
    if not history.boards:
        return figure([text("no board is finished yet", LEFT, 20, "start", "muted")], width, 40, "no board is finished")
    mu = history.mu[:, [row.entrant for row in rows]]
    low, high = float(mu.min()) - 0.5, float(mu.max()) + 0.5
    bottom = TOP + PLOT_HEIGHT

    def x(boards: float) -> float:
        return LEFT + PLOT_WIDTH * boards / history.boards[-1]

    def y(value: float) -> float:
        return bottom - PLOT_HEIGHT * (value - low) / (high - low)

    parts = []
    for value in ticks(low, high, 6):
        parts += [
            line(LEFT, y(value), LEFT + PLOT_WIDTH, y(value), "line"),
            text(f"{value:g}", LEFT - GAP, y(value), "end", "muted"),
        ]
    whole = [value for value in ticks(0, history.boards[-1], 6) if value == int(value)]
    parts += [text(f"{value:g}", x(value), bottom + 12, "middle", "muted") for value in whole]
    parts.append(text("boards, in the order of the schedule", LEFT + PLOT_WIDTH / 2, bottom + 31, "middle", "muted"))
    heights = _apart([y(float(value)) for value in mu[-1]], TOP, bottom)
    for number, label in enumerate(labels):
        points = " ".join(
            f"{x(boards):.1f},{y(float(value)):.1f}"
            for boards, value in zip(history.boards, mu[:, number], strict=True)
        )
        style: dict[str, str | float] = {"points": points, "class_": "curve"}
        if dash := DASHES[number % len(DASHES)]:
            style["stroke_dasharray"] = dash
        parts += [
            element("polyline", **style),
            text(short(label), LEFT + PLOT_WIDTH + GAP, heights[number]),
        ]
    description = f"Ratings of {table.pool.game} after more and more boards; at the end: " + "; ".join(
        f"{label} {value:.2f}" for label, value in zip(labels, mu[-1], strict=True)
    )
    return figure(parts, width, height, description)


def _apart(heights: list[float], top: float, bottom: float) -> list[float]:
    """Return heights for labels, each as near to its own as may be, and none upon another."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    found = [0.0] * len(heights)
    lowest = top
    for place in order:
        found[place] = max(heights[place], lowest)
        lowest = found[place] + LABEL_HEIGHT
    highest = bottom
    for place in reversed(order):
        found[place] = min(found[place], highest)
        highest = found[place] - LABEL_HEIGHT
    return found

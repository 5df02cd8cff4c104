"""The ratings of a table with their 95 % intervals."""

from tournament.figures.svg import element, figure, label_width, line, short, text, ticks
from tournament.ratings import MU
from tournament.standings import TableOfPool

ROW_HEIGHT = 24
PLOT_WIDTH = 420
GAP = 12
VALUE_WIDTH = 110
AXIS_HEIGHT = 26


def interval_plot(table: TableOfPool) -> str:
    """Draw each bot's rating and its interval, in the order of the table."""
    labels = [f"{row.bot} {row.version}" for row in table.rows]
    ratings = [row.rating for row in table.rows]
    low = min([MU, *(rating.mu - rating.half_width for rating in ratings)])
    high = max([MU, *(rating.mu + rating.half_width for rating in ratings)])
    left = label_width(labels) + GAP
    height = ROW_HEIGHT * len(labels) + AXIS_HEIGHT
    bottom = height - AXIS_HEIGHT

    def x(value: float) -> float:
        return left + PLOT_WIDTH * (value - low) / max(high - low, 1e-9)

    parts = [line(x(value), 0, x(value), bottom, "line") for value in ticks(low, high)]
    parts += [text(f"{value:g}", x(value), bottom + 14, "middle", "muted") for value in ticks(low, high)]
    for number, (label, rating) in enumerate(zip(labels, ratings, strict=True)):
        y = ROW_HEIGHT * (number + 0.5)
        said = f"{rating.mu:.2f} ± {rating.half_width:.2f}"
        parts += [
            text(short(label), left - GAP, y, "end"),
            line(x(rating.mu - rating.half_width), y, x(rating.mu + rating.half_width), y, "bar"),
            element("circle", cx=x(rating.mu), cy=y, r=4.5, class_="dot"),
            text(said, left + PLOT_WIDTH + GAP, y),
        ]
    description = f"Ratings of {table.pool.game} with 95 % intervals: " + "; ".join(
        f"{label} {rating.mu:.2f} ± {rating.half_width:.2f}" for label, rating in zip(labels, ratings, strict=True)
    )
    return figure(parts, left + PLOT_WIDTH + GAP + VALUE_WIDTH, height, description)

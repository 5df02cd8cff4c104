"""What all figures are drawn with: elements of SVG as text, axes, labels, and the style of a page that has figures."""

import math
from collections.abc import Iterable
from html import escape

TEXT_HEIGHT = 13
CHARACTER_WIDTH = 7.4
"""About the width of a character of that height, a little generously."""
LONGEST_LABEL = 28

STYLE = """\
.figure { display: block; max-width: 100%; height: auto; color: var(--figure-ink, currentColor); }
.figure text { font: 13px system-ui, sans-serif; fill: currentColor; font-variant-numeric: tabular-nums; }
.figure .muted { fill: var(--figure-muted, currentColor); }
.figure .line { stroke: var(--figure-line, #8888); stroke-width: 1; }
.figure .curve { stroke: var(--figure-accent, #2a6fdb); stroke-width: 1.8; fill: none; }
.figure .bar { stroke: var(--figure-accent, #2a6fdb); stroke-width: 2.5; stroke-linecap: round; }
.figure .dot { fill: var(--figure-accent, #2a6fdb); }
.figure .plus { fill: var(--figure-plus, #2a6fdb); }
.figure .minus { fill: var(--figure-minus, #d9772b); }
"""
"""CSS of every figure."""


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """Return an element. ``content`` is markup already; ``_`` in names of attributes stands for ``-``."""
    texts = (f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{''.join(texts)}>{content}</{name}>"


def _attribute(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def text(content: str, x: float, y: float, anchor: str = "start", class_: str = "") -> str:
    """Return a line of text whose middle is at the height ``y``; ``anchor`` is start, middle or end."""
    named: dict[str, str | float] = {"class_": class_} if class_ else {}
    named |= {"x": x, "y": y + TEXT_HEIGHT * 0.35, "text_anchor": anchor}
    return element("text", escape(content), **named)


def line(x1: float, y1: float, x2: float, y2: float, class_: str, **attributes: str | float) -> str:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, **attributes)


def figure(parts: Iterable[str], width: float, height: float, description: str) -> str:
    """Return a whole figure with what it shows in words."""
    title = element("title", escape(description))
    return element(
        "svg",
        title + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        class_="figure",
        role="img",
        aria_label=description,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=width,
        height=height,
    )


def short(label: str) -> str:
    """Return a label that is not too long, with its end, where versions stand."""
    if len(label) <= LONGEST_LABEL:
        return label
    return f"{label[: LONGEST_LABEL - 9]}…{label[-8:]}"


def label_width(labels: Iterable[str]) -> float:
    """Return about how wide the longest of these labels is when shortened."""
    return CHARACTER_WIDTH * max((len(short(label)) for label in labels), default=0)


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Return round numbers from ``low`` to ``high``, evenly spaced, about as many as fit."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= most)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]

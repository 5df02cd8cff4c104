"""Tables on stdout: for people, as JSON, or as CSV."""

import csv
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from rich.console import Console
from rich.text import Text

Value = str | int | float | bool | None
Cell = Value | Sequence[Value]
Row = Mapping[str, Cell]

GAP = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what programs read under ``key``, and how people see it."""

    key: str
    title: str
    text: Callable[[Row], str] | None = None
    """What is shown; by default the value of the key."""
    right: bool = True
    """Whether it stands at the right of its column, as numbers do."""
    style: Callable[[Row], str] | None = None
    wide: bool = False
    """Whether it is shown only on demand."""
    shown: bool = True
    """Whether people see it at all."""

    def cell(self, row: Row) -> str:
        """Return the text of a row."""
        if self.text is not None:
            return self.text(row)
        value = row[self.key]
        return joined(self.key, ", ")(row) if is_list(value) else "" if value is None else str(value)


def is_list(value: Cell) -> TypeGuard[Sequence[Value]]:
    """Tell whether a cell has several values."""
    return isinstance(value, (list, tuple))


def joined(key: str, separator: str, form: str = "") -> Callable[[Row], str]:
    """Return what shows a list under a key, each value in a format of its own."""

    def text(row: Row) -> str:
        values = row[key]
        return separator.join(format(value, form) for value in values) if is_list(values) else str(values)

    return text


def stdout() -> Console:
    """Return the console for results. It knows ``NO_COLOR`` and whether it is a terminal."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def stderr() -> Console:
    """Return the console for messages."""
    return Console(file=sys.stderr, highlight=False, soft_wrap=True)


def width_limit(console: Console) -> int | None:
    """Return how many characters fit on a line; None where nobody looks at a terminal."""
    return console.width if console.is_terminal or "COLUMNS" in os.environ else None


def show_table(columns: Sequence[Column], rows: Sequence[Row], output: str, wide: bool = False) -> None:
    """Print a table in one of the formats. People see as many columns as fit, counted from the left."""
    if output == "json":
        print(json.dumps([{column.key: row[column.key] for column in columns} for row in rows], indent=2))
    elif output == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow([column.key for column in columns])
        writer.writerows([[_plain(row[column.key]) for column in columns] for row in rows])
    else:
        console = stdout()
        limit = None if wide else width_limit(console)
        for line in table_lines([c for c in columns if c.shown and (wide or not c.wide)], rows, limit):
            console.print(line)


def _plain(value: Cell) -> Value:
    if value is None or isinstance(value, (str, int, float)):
        return value
    return " ".join(str(item) for item in value)


def table_lines(columns: Sequence[Column], rows: Sequence[Row], limit: int | None) -> list[Text]:
    """Return the lines of a table, its head first."""
    cells = [[column.cell(row) for column in columns] for row in rows]
    widths = [max([len(c.title), *(len(line[i]) for line in cells)]) for i, c in enumerate(columns)]
    count = len(columns)
    while limit is not None and count > 1 and sum(widths[:count]) + len(GAP) * (count - 1) > limit:
        count -= 1
    lines = [_line([c.title for c in columns[:count]], columns, widths, ["bold"] * count)]
    for row, texts in zip(rows, cells, strict=True):
        styles = [column.style(row) if column.style else "" for column in columns[:count]]
        lines.append(_line(texts[:count], columns, widths, styles))
    return lines


def _line(texts: Sequence[str], columns: Sequence[Column], widths: Sequence[int], styles: Sequence[str]) -> Text:
    line = Text()
    for i, text in enumerate(texts):
        padded = text.rjust(widths[i]) if columns[i].right else text.ljust(widths[i])
        line.append(GAP if i else "").append(padded, styles[i])
    line.rstrip()
    return line

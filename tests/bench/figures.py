"""What a benchmark gives: figures, each with its bar, printed side by side."""

import resource
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value. Ratios hold on any machine; absolute values are for the machine at hand."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    """The value to reach; None for a figure that only informs."""
    at_most: bool = False
    """Whether the bar is the highest value allowed, and not the lowest."""
    beside: str = ""
    """What it was held against in the same run."""

    @property
    def met(self) -> bool:
        """Whether the bar is met."""
        return self.bar is None or (self.value <= self.bar if self.at_most else self.value >= self.bar)


def show(title: str, figures: Iterable[Figure]) -> None:
    """Print figures as a table."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading, justify in (("", "left"), ("measured", "right"), ("bar", "right"), ("", "left"), ("beside", "left")):
        table.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for figure in figures:
        bar = "" if figure.bar is None else f"{'<=' if figure.at_most else '>='} {_format(figure.bar)} {figure.unit}"
        met = "" if figure.bar is None else "[green]met[/]" if figure.met else "[bold red]not met[/]"
        table.add_row(figure.name, f"{_format(figure.value)} {figure.unit}", bar, met, figure.beside)
    Console(width=140).print(table, "")


def _format(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.3g}"


def cpu_time() -> float:
    """Return the CPU seconds that this process has used, all threads together."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def per_cpu_second(work: Callable[[], int], seconds: float = 1.0) -> float:
    """Return how many units a function does per CPU second, by calling it again and again for about so long."""
    work()
    started, done = cpu_time(), 0
    while (used := cpu_time() - started) < seconds:
        done += work()
    return done / used

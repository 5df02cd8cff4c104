"""Options that several commands have."""

from collections.abc import Callable
from typing import TypeVar

import click

from tournament.home import Home

Command = TypeVar("Command", bound=Callable[..., None])


def examples(*lines: str) -> str:
    """Return command lines as the end of a help page, unwrapped."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _find_home(ctx: click.Context, _parameter: click.Parameter, value: str | None) -> Home:
    return Home.find(value or ctx.find_root().params.get("home"))


def with_home(command: Command) -> Command:
    """Give a command ``home``. The option may stand before or behind the command's name."""
    return click.option(
        "--home",
        type=click.Path(),
        callback=_find_home,
        help="Where the data lies; else CARDPIT_HOME, else ./.cardpit.",
    )(command)


def with_format(command: Command) -> Command:
    """Give a command ``output`` and ``wide``."""
    command = click.option("--wide", is_flag=True, help="Show every column.")(command)
    return click.option(
        "--format",
        "output",
        type=click.Choice(["table", "json", "csv"]),
        default="table",
        show_default=True,
        help="How to print.",
    )(command)

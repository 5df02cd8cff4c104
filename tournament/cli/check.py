"""``tournament check``."""

import logging
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from cardpit import TimeControl
from cardpit.games import find_game
from cardpit.games.seeds import text_seed
from referee.orders import Conduct
from referee.sandbox import shortcomings
from tournament.cli.completion import GAME, JAIL
from tournament.cli.options import examples, with_output
from tournament.cli.table import Column, Row, show_table, stderr, stdout
from tournament.conformance.examination import Finding, examine
from tournament.conformance.examinee import Examinee
from tournament.conformance.steps import MAX_TABLES
from tournament.errors import BadBundle
from tournament.request import check_jail, settle_jail

COLUMNS = tuple(Column(key, key) for key in ("step", "name", "passed", "time", "detail", "expected", "advice", "log"))


@click.command(
    name="check",
    epilog=examples(
        "tournament check my_bot.py", "tournament check my_bot --game spit --verbose", "tournament check bots/random"
    ),
)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--game", "games", multiple=True, type=GAME, help="Try only this game; may be given again.")
@click.option("--jail", type=JAIL, default="auto", show_default=True, help="How the bot is confined.")
@click.option("--build-network", is_flag=True, help="Let the build command use the network.")
@click.option("--seed", default="check", show_default=True, help="Any text: the same seed gives the same cards.")
@click.option(
    "--startup-time",
    type=click.FloatRange(0, min_open=True),
    default=Conduct().startup_time,
    show_default=True,
    help="Seconds until Hello.",
)
@click.option(
    "--move-time",
    type=click.FloatRange(0, min_open=True),
    default=TimeControl().move_time,
    show_default=True,
    help="Seconds free a decision.",
)
@click.option(
    "--bank-time",
    type=click.FloatRange(0),
    default=TimeControl().bank_time,
    show_default=True,
    help="Seconds beyond, for a match.",
)
@click.option("--verbose", is_flag=True, help="Show what the bot writes after each step.")
@with_output()
def command(
    *,
    path: Path,
    games: tuple[str, ...],
    jail: str,
    build_network: bool,
    seed: str,
    startup_time: float,
    move_time: float,
    bank_time: float,
    verbose: bool,
    output: str,
) -> None:
    """Check a bot in any language, step by step: a folder with a bot.toml, or a Python file.

    It is built, started, and plays against random choices in every game that it claims, at several tables at once,
    with messages of a later protocol and with answers that come too late. Exit code 1 if it fails in a step.
    """
    if not path.exists():
        raise BadBundle(f"bundle {path} does not exist: give a folder with a bot.toml, or a Python file")
    for game in games:
        find_game(game)
    check_jail(jail)
    jail = settle_jail(jail)
    if warning := shortcomings(jail):
        stderr().print(warning, markup=False)
    # What the referee would log is part of the findings.
    logging.getLogger("referee").setLevel(logging.ERROR)
    control = TimeControl(move_time=move_time, bank_time=bank_time, max_strikes=1)
    conduct = Conduct(control, startup_time, tables=MAX_TABLES, jail=jail)
    with tempfile.TemporaryDirectory(prefix="check-") as folder:
        # A jailed bot may run under another user.
        Path(folder).chmod(0o711)
        examinee = Examinee(path, Path(folder), games, conduct, text_seed(seed), network=build_network)
        findings = _examine(examinee, stdout() if output == "table" else None, verbose)
    failed = [finding.name for finding in findings if not finding.passed]
    if output == "table":
        name = examinee.bundle.name if examinee.bundle else str(path)
        stdout().print(
            f"{name} fails: {', '.join(failed)}" if failed else f"{name} passes all {len(findings)} steps", markup=False
        )
    else:
        rows: list[Row] = [asdict(finding) for finding in findings]
        show_table(COLUMNS, rows, output)
    sys.exit(1 if failed else 0)


def _examine(examinee: Examinee, console: Console | None, verbose: bool) -> list[Finding]:
    findings = []
    for finding in examine(examinee):
        findings.append(finding)
        written = examinee.written()
        if console is not None:
            for line in _lines(finding, written if verbose else ""):
                console.print(line)
    return findings


def _lines(finding: Finding, written: str) -> list[Text]:
    line = Text(f"{finding.step:>2} ")
    line.append("ok    " if finding.passed else "FAILED", "green" if finding.passed else "bold red")
    line.append(f" {finding.name:<10} {finding.time:6.2f} s  ")
    line.append(finding.detail, "dim" if finding.passed else "")
    line.rstrip()
    lines = [line]
    if not finding.passed:
        lines.append(Text(f"     expected: the bot {finding.expected}"))
        lines.append(Text(f"     what to do: {finding.advice}"))
        if not written:
            lines.append(Text("     what the bot wrote:" if finding.log else "     the bot wrote nothing"))
            lines += [Text(f"       {text}", "dim") for text in finding.log.splitlines()]
    return lines + [Text(f"     | {text}", "dim") for text in written.splitlines()]

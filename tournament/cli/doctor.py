"""``tournament doctor``."""

import os
import platform
import shutil
import subprocess

import click

from tournament.cli.options import examples, with_format
from tournament.cli.table import Column, Row, show_table, stderr
from tournament.errors import Failure

COLUMNS = (
    Column("check", "check", right=False),
    Column("works", "", lambda row: "yes" if row["works"] else "no", right=False),
    Column("detail", "", right=False),
)

OLDEST_PYTHON = (3, 11)


@click.command(name="doctor", epilog=examples("tournament doctor", "tournament doctor --format json"))
@with_format
def command(output: str, wide: bool) -> None:
    """Say what this machine can enforce, and what to install.

    Everything is really tried. The exit code is 1 if no jail works that holds a bot you do not trust.
    """
    from referee.sandbox import STRONG, choose_jail, shortcomings, sweep

    rows = [*_jail_rows(), *_means_rows()]
    show_table(COLUMNS, rows, output, wide)
    console = stderr()
    if swept := sweep():
        console.print(f"removed what {swept} bots of killed runs had left", markup=False)
    chosen = choose_jail("auto")
    console.print(f"--jail auto means {chosen} here", markup=False)
    if warning := shortcomings(chosen):
        console.print(warning, markup=False)
    if chosen not in STRONG:
        raise Failure(
            f"no jail holds a bot you do not trust: install bubblewrap, or use a kernel with Landlock ({chosen} works)"
        )


def _jail_rows() -> list[Row]:
    """Return a row for each jail: whether it works, and what it lacks or needs."""
    from referee.sandbox import JAILS

    rows: list[Row] = []
    for name, jail in JAILS.items():
        refusal = jail.refused()
        lacks = "; ".join(jail.lacks()) if not refusal else ""
        detail = refusal or (f"without: {lacks}" if lacks else "enforces everything")
        rows.append({"check": f"jail {name}", "works": not refusal, "detail": detail})
    return rows


def _means_rows() -> list[Row]:
    """Return a row for each means that jails use."""
    from referee.sandbox import landlock, seccomp
    from referee.sandbox.cgroups import Tree, find_tree
    from referee.sandbox.users import users_refused

    tree = find_tree()
    try:
        calls, known = f"system calls of {seccomp.machine()}", True
    except seccomp.NoFilter as error:
        calls, known = str(error), False
    if isinstance(tree, Tree):
        missing = f", without {', '.join(tree.lacks)}" if tree.lacks else ": memory, processes and processor time"
        groups = f"layout {tree.layout}{missing}"
    else:
        groups = f"{tree}; as an ordinary user: systemd-run --user --scope -p Delegate=yes tournament ..."
    users = users_refused()
    version = landlock.version()
    return [
        {"check": "Python", "works": _python_is_new(), "detail": platform.python_version()},
        {"check": "bubblewrap", "works": shutil.which("bwrap") is not None, "detail": _version("bwrap")},
        {"check": "util-linux", "works": shutil.which("setpriv") is not None, "detail": _version("setpriv")},
        {
            "check": "Landlock",
            "works": version > 0,
            "detail": f"version {version}" if version else "not in this kernel",
        },
        {"check": "system call filter", "works": known, "detail": calls},
        {"check": "control groups", "works": isinstance(tree, Tree), "detail": groups},
        {"check": "a user for each seat", "works": not users, "detail": users or "the platform runs as root"},
        {"check": "processors", "works": True, "detail": str(len(os.sched_getaffinity(0)))},
    ]


def _python_is_new() -> bool:
    return tuple(map(int, platform.python_version_tuple()[:2])) >= OLDEST_PYTHON


def _version(program: str) -> str:
    """Return what a program says of its version, or how to get it."""
    package = {"bwrap": "bubblewrap", "setpriv": "util-linux"}[program]
    if shutil.which(program) is None:
        return f"not installed; for instance: apt-get install {package}"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip()

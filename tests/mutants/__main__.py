"""Plants each fault in a copy of the tree, runs the test that must find it, and says which faults survive.

Run by ``make mutants``. Exit code 1 if a fault survives, 0 if all are found. Words on the command line choose the
faults whose description or file has one of them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from mutants.mutations import MUTATIONS, Mutation

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("bots", "docs", "proto", "referee", "sdk/python", "tests", "tournament", "pyproject.toml", "README.md")
"""What the tests need of the tree."""

FOUND, NOT_FOUND = 1, 0
"""What pytest exits with where tests fail, and where they pass; anything else is no answer."""


def main(words: Sequence[str]) -> int:
    """Try the faults, print a line for each, and return the exit code."""
    chosen = [
        mutation
        for mutation in MUTATIONS
        if not words or any(word in f"{mutation.fault} {mutation.file}" for word in words)
    ]
    console = Console(highlight=False, soft_wrap=True)
    started = time.monotonic()
    if complaint := _fails_unharmed(chosen):
        console.print(f"the tests fail without any fault:\n{complaint}", style="red", markup=False)
        return 1
    survivors = 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for mutation, (status, taken, output) in zip(chosen, pool.map(_try, chosen), strict=True):
            word = {FOUND: "found", NOT_FOUND: "SURVIVES"}.get(status, f"no answer: pytest exits with {status}")
            console.print(
                f"{taken:6.1f} s  {word:<9}  {mutation.fault}  ({mutation.file})",
                style="" if status == FOUND else "red",
                markup=False,
            )
            if status != FOUND:
                survivors += 1
                console.print(f"  {mutation.test}\n{output[-1000:] if status != NOT_FOUND else ''}", markup=False)
    total = time.monotonic() - started
    console.print(f"{len(chosen) - survivors} of {len(chosen)} faults are found, in {total:.0f} s", markup=False)
    return 1 if survivors else 0


def _fails_unharmed(mutations: Sequence[Mutation]) -> str:
    """Run the tests in a copy without a fault; return what pytest says where they fail."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        status, output = _test(_copy(Path(folder)), sorted({mutation.test for mutation in mutations}))
    return output if status else ""


def _try(mutation: Mutation) -> tuple[int, float, str]:
    """Plant a fault in a copy and run its test; return pytest's exit code, the seconds, and what pytest says."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        tree = _copy(Path(folder))
        file = tree / mutation.file
        text = file.read_text(encoding="utf-8")
        assert text.count(mutation.old) == 1, f"{mutation.file} does not have this once: {mutation.old}"
        file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
        status, output = _test(tree, [mutation.test])
    return status, time.monotonic() - started, output


def _copy(folder: Path) -> Path:
    for part in PARTS:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "node_modules", "target", "build", ".*")
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copy(source, target)
    return folder


def _test(tree: Path, tests: Sequence[str]) -> tuple[int, str]:
    """Run tests of a tree, with its own packages before those that are installed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pytest_timeout", *tests],
        cwd=tree,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tree), str(tree / "sdk" / "python")]),
            # The plugins that happen to be installed take longer to be loaded than most of these tests.
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

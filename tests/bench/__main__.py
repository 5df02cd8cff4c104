"""Measure speed against its bars: ``python tests/bench [GROUP ...]``. Exit code 1 if a bar is not met."""

import importlib
import platform
import sys

from figures import Figure, show

GROUPS = {
    "transport": "Decisions over gRPC",
    "jails": "Bots in jails",
    "strictness": "Deadlines, memory, rooms at once",
    "rules": "Rules alone, random play",
    "planning": "Ratings and schedules",
    "store": "A million finished matches",
    "fairness": "Independent matches that one match of a board is worth",
}


def main() -> int:
    """Run the groups that were named, or all."""
    names = sys.argv[1:] or list(GROUPS)
    for name in names:
        if name not in GROUPS:
            print(f"unknown group {name!r}: known are {', '.join(GROUPS)}", file=sys.stderr)
            return 2
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n")
    missed: list[Figure] = []
    for name in names:
        figures = list(importlib.import_module(name).measure())
        show(GROUPS[name], figures)
        missed += [figure for figure in figures if not figure.met]
    if missed:
        print(f"{len(missed)} of the bars not met: {', '.join(figure.name for figure in missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

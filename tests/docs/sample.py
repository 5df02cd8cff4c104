"""The sample exchange of ``docs/protocol.md``, made by a real match. Run as a script it writes it into the page."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "protocol.md"
BEGIN, END = "<!-- sample: begin -->\n", "<!-- sample: end -->\n"
SHOWN = 9
"""Messages shown from the beginning: up to the turn that tells of the substitution, and its answer."""


def sample() -> str:
    """Play a match and return its messages, those in the middle left out."""
    from rooms import BOTS
    from seating import play_bots, script, sdk_bot

    reports, done = play_bots([script(BOTS / "trace.py"), sdk_bot("first")], move_time=1.0)
    faults = [verdict.detail for report in reports for verdict in report.verdicts]
    assert not faults, faults
    messages = done.logs[0].strip().split("\n\n")
    middle = len(messages) - SHOWN - 2
    left_out = f"({middle} messages left out: turns and answers as above)"
    return "\n\n".join([*messages[:SHOWN], left_out, *messages[-2:]]) + "\n"


def written(page: str) -> str:
    """Return the sample that stands in a page."""
    return page.split(BEGIN)[1].split(END, maxsplit=1)[0]


def block(text: str) -> str:
    """Return a text as the page has it."""
    return f"```\n{text}```\n"


def main() -> None:
    """Write the sample into the page."""
    sys.path.insert(0, str(ROOT / "tests"))
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + BEGIN + block(sample()) + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()

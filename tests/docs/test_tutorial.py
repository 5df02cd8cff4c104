"""``docs/tutorial.md`` can be followed to the letter."""

import os
import re
import subprocess
import sys
from pathlib import Path

from docs.pages import ROOT, code_blocks

PAGE = ROOT / "docs" / "tutorial.md"


def test_the_tutorial_works_as_it_stands(tmp_path: Path) -> None:
    names = re.findall(r"Save this as `(\w+\.py)`", PAGE.read_text(encoding="utf-8"))
    scripts = code_blocks(PAGE, "python")
    assert len(names) == len(scripts) == 2
    for name, script in zip(names, scripts, strict=True):
        (tmp_path / name).write_text(script, encoding="utf-8")
    (tmp_path / "bots").symlink_to(ROOT / "bots")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(code_blocks(PAGE, "sh"))],
        cwd=tmp_path,
        env={
            **os.environ,
            "CARDPIT_HOME": str(tmp_path / "home"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "greedy passes all 11 steps" in done.stdout
    assert re.search(
        r"^saver in seat 0: of \d+ decisions \d+ are the same, [1-9]\d* are not$", done.stdout, re.MULTILINE
    )
    table = [line.split() for line in done.stdout.splitlines() if re.match(r"[123] +[123]", line)]
    assert {row[2] for row in table} >= {"greedy", "random", "landlord_rules", "saver"}

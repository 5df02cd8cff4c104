"""The README's commands do what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"<!-- test: shell -->\n```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
"""The commands, block by block."""


@pytest.mark.parametrize("block", BLOCKS, ids=[block.split("\n")[0][:40] for block in BLOCKS])
def test_every_command_of_the_readme_runs(block: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "CARDPIT_HOME": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if "tournament verify" in block:
        assert "all is right" in done.stdout
        first = next(line for line in done.stdout.splitlines() if line.startswith("1 "))
        assert first.split()[:3] == ["1", "1", "landlord_rules"], "first, and alone at 95 %"


def test_the_readme_has_commands() -> None:
    assert len(BLOCKS) == 2

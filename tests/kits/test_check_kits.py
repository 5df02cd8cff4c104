"""The bots in other languages keep to the protocol: ``tournament check`` passes each of them."""

import json

import pytest
from click.testing import CliRunner

from kits.kit_bots import BOTS, TOOLS, kit_bot
from tournament.cli import cli


@pytest.mark.parametrize("language", TOOLS)
def test_the_bot_of_a_kit_passes_every_step(language: str) -> None:
    kit_bot(language)
    words = [
        "check",
        str(BOTS / f"random_{language}"),
        "--game",
        "landlord",
        "--game",
        "twenty-two",
        "--format",
        "json",
    ]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    findings = json.loads(done.stdout)
    assert [finding for finding in findings if not finding["passed"]] == []
    assert done.exit_code == 0
    assert len(findings) == 12

"""Commands run in a jail by hand, for tests: without a referee and its protocol."""

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.sandbox import BotProcess, Launch, Scratch, find_jail
from referee.sandbox.limits import BOT, Limits


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int
    log: str
    excess: str
    error: str


def needs(jail: str) -> None:
    """Skip a test where a jail does not work; where everything should be installed, fail instead."""
    if refusal := find_jail(jail).refused():
        if os.environ.get("CI"):
            pytest.fail(f"jail {jail} does not work here: {refusal}")
        pytest.skip(f"jail {jail} does not work here: {refusal}")


def run_jailed(
    jail: str,
    folder: Path,
    *command: str,
    scratch: Scratch | None = None,
    limits: Limits = BOT,
    environment: Mapping[str, str] = {},
) -> Ended:
    """Run a command in a folder to its end; ``python`` means this interpreter."""

    async def run() -> Ended:
        place = scratch or Scratch()
        words = (sys.executable, *command[1:]) if command[0] == "python" else command
        variables = {"PATH": os.environ["PATH"], **environment}
        if scratch is not None:
            variables["CARDPIT_ADDRESS"] = f"unix:{place.socket}"
        process = BotProcess(
            find_jail(jail).confine(Launch(words, folder, variables, place, limits)), place, 256 * 1024
        )
        try:
            status = await asyncio.wait_for(asyncio.shield(process.exit_status), 40)
        finally:
            await process.kill()
        return Ended(status, process.log, process.excess, process.start_error or process.jail_error)

    return asyncio.run(run())

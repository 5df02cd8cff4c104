"""An examination: the steps, one after another, and what each has found."""

import asyncio
import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import uvloop

from tournament.conformance.examinee import Examinee, StepFailed
from tournament.conformance.steps import FIRST, LAST, Step, game_step

TAIL = 2000
"""Characters of a bot's output that are kept with a failure."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one step has found."""

    step: int
    """Its number, from 1."""
    name: str
    passed: bool
    time: float
    """Seconds."""
    detail: str
    """A note, or why it failed."""
    expected: str
    """What a bot that is right does. This and what follows is empty where the step is passed."""
    advice: str
    """What to do."""
    log: str
    """The tail of what the bot wrote."""


def examine(examinee: Examinee) -> Iterator[Finding]:
    """Go through the steps, and yield what each finds.

    After a failure in what all others need, the rest is left out; a game that the bot cannot play is left out of the
    steps behind the games. No process of the bot is left. Raises :class:`tournament.errors.Failure` where the platform
    fails.
    """
    numbers = itertools.count(1)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            for step in FIRST:
                yield (finding := _take(next(numbers), step, examinee, runner))
                if step.needed and not finding.passed:
                    return
            for game in examinee.games:
                yield (finding := _take(next(numbers), game_step(game), examinee, runner))
                if not finding.passed:
                    examinee.games = tuple(other for other in examinee.games if other != game)
            for step in LAST if examinee.games else ():
                yield _take(next(numbers), step, examinee, runner)
        finally:
            runner.run(examinee.end())


def _take(number: int, step: Step, examinee: Examinee, runner: asyncio.Runner) -> Finding:
    started = time.monotonic()
    try:
        done = step.run(examinee)
        note = done if isinstance(done, str) else runner.run(done)
    except StepFailed as failure:
        taken = time.monotonic() - started
        # What has gone wrong is not held against the next step.
        runner.run(examinee.end())
        advice = "; ".join(text for text in (step.advice, failure.advice) if text)
        return Finding(
            number, step.name, False, taken, failure.detail, step.expected, advice, failure.log.rstrip()[-TAIL:]
        )
    return Finding(number, step.name, True, time.monotonic() - started, note, "", "", "")

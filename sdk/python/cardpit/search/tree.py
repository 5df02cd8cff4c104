"""Information-set Monte Carlo tree search: one tree, grown in many states that agree with what a seat has seen.

P. I. Cowling, E. J. Powley, D. Whitehouse: Information Set Monte Carlo Tree Search (2012), with a single observer.
Seats that act at once choose apart from each other, each by its own figures ("decoupled UCT"). Where there are many
actions, a node begins with few and gets more as it is visited ("progressive widening").
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import log, sqrt
from random import Random
from typing import NamedTuple

from cardpit.games import State
from cardpit.search.guide import Guide

EXPLORATION = 0.9
"""How much an action that was seldom tried is favoured, in standard deviations of the results."""
FIRST_ACTIONS = 4
"""How many actions a node begins with."""
WIDENING = 0.8
"""The actions that a node gets beyond these, as a multiple of the root of its visits."""


class Budget(NamedTuple):
    """When a search ends: when either limit is reached."""

    iterations: int = 1_000_000
    seconds: float = float("inf")
    """A search with a limit of time alone does not play alike each time."""


class Estimate(NamedTuple):
    """What a search has found out about one action."""

    action: str
    visits: int
    value: float
    """The mean result, in the game's unit or that of its guide."""


class Finding(NamedTuple):
    """The result of a search."""

    action: str
    """What was tried most often."""
    iterations: int
    estimates: tuple[Estimate, ...]
    """Of the actions that were tried, most visits first. Empty where there was only one legal action."""


@dataclass(slots=True)
class _Arm:
    """The figures of one action of one seat at one node."""

    visits: int = 0
    total: float = 0.0
    offers: int = 0
    """How often it was legal when the seat chose here."""


@dataclass(slots=True)
class _Node:
    """What was done since the root, whatever the cards."""

    arms: dict[int, dict[str, _Arm]] = field(default_factory=dict)
    """By seat and action."""
    children: dict[tuple[str, ...], "_Node"] = field(default_factory=dict)
    """By the actions of the seats that acted, ascending by seat."""
    visits: int = 0


class _Spread:
    """The standard deviation of results that come one by one (B. P. Welford, 1962)."""

    __slots__ = ("_count", "_mean", "_squares")

    def __init__(self) -> None:
        self._count = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        self._count += 1
        step = value - self._mean
        self._mean += step / self._count
        self._squares += step * (value - self._mean)

    @property
    def deviation(self) -> float:
        return sqrt(self._squares / self._count) if self._count else 0.0


def search(
    state: State,
    seat: int,
    guide: Guide,
    rng: Random,
    budget: Budget,
    clock: Callable[[], float] = time.monotonic,
) -> Finding:
    """Return what a seat that is to act had best do.

    Of the hidden cards of ``state`` nothing is used: each iteration draws its own by ``resample``. With a limit of
    iterations alone, the same state and random numbers give the same finding.
    """
    legal = state.legal_actions(seat)
    if len(legal) == 1:
        return Finding(legal[0], 0, ())
    ends = clock() + budget.seconds
    root = _Node()
    spread = _Spread()
    iterations = 0
    while iterations < budget.iterations and (iterations == 0 or clock() < ends):
        _iterate(root, state.resample(seat, rng), guide, rng, spread)
        iterations += 1
    estimates = sorted(
        (Estimate(action, arm.visits, arm.total / arm.visits) for action, arm in root.arms[seat].items()),
        key=lambda estimate: (-estimate.visits, -estimate.value),
    )
    return Finding(estimates[0].action, iterations, tuple(estimates))


def _iterate(node: _Node, state: State, guide: Guide, rng: Random, spread: _Spread) -> None:
    """Go down the tree, add a node to it, play out, and credit what was chosen on the way."""
    exploration = EXPLORATION * spread.deviation
    chosen: list[tuple[int, _Arm]] = []
    while state.outcome is None:
        node.visits += 1
        actions: dict[int, str] = {}
        names: list[str] = []
        for seat in state.turn:
            legal = state.legal_actions(seat)
            if len(legal) == 1:
                actions[seat] = legal[0]
                names.append(legal[0])
            elif guide.is_trusted(state, seat):
                actions[seat] = guide.choose(state, seat, rng)
                names.append("")
            else:
                action, arm = _pick(node, state, seat, legal, guide, rng, exploration)
                actions[seat] = action
                names.append(action)
                chosen.append((seat, arm))
        state = state.apply(actions)
        key = tuple(names)
        child = node.children.get(key)
        if child is None:
            node.children[key] = _Node()
            break
        node = child
    results = guide.play_out(state, rng)
    spread.add(results[guide.seat])
    for seat, arm in chosen:
        arm.visits += 1
        arm.total += results[seat]


def _pick(
    node: _Node, state: State, seat: int, legal: tuple[str, ...], guide: Guide, rng: Random, exploration: float
) -> tuple[str, _Arm]:
    """Return an action that was not tried here, or the one with the highest upper confidence bound."""
    arms = node.arms.setdefault(seat, {})
    known = [(action, arm) for action in legal if (arm := arms.get(action)) is not None]
    best: tuple[str, _Arm] | None = None
    highest = float("-inf")
    for action, arm in known:
        arm.offers += 1
        bound = arm.total / arm.visits + exploration * sqrt(log(arm.offers) / arm.visits)
        if bound > highest:
            best, highest = (action, arm), bound
    if best is None or (
        len(known) < len(legal) and len(known) < FIRST_ACTIONS + int(WIDENING * sqrt(node.visits))
    ):
        action = guide.untried(state, seat, legal, arms, rng)
        arm = arms[action] = _Arm(offers=1)
        return action, arm
    return best

"""Information-set Monte Carlo tree search: one tree, grown in many worlds that agree with what a seat has seen.

P. I. Cowling, E. J. Powley, D. Whitehouse: Information Set Monte Carlo Tree Search (2012), with a single observer.
At the root, all actions that are left are tried in the same worlds, so that the luck of the cards is the same for
all, and the worse half is dropped again and again: Z. Karnin, T. Koren, O. Somekh: Almost Optimal Exploration in
Multi-Armed Bandits (2013). Below it, upper confidence bounds choose. Seats that act at once choose apart from each
other ("decoupled UCT"). Where there are many actions, a node begins with few and gets more with its visits
("progressive widening").
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, log, log2, sqrt
from random import Random
from typing import NamedTuple

from cardpit.games import State
from cardpit.search.guide import Guide

CANDIDATES = 12
"""How many actions are tried at the root: the first of those that the guide ranks."""
EXPLORATION = 0.7
"""How much an action that was seldom tried is favoured, in standard deviations of the results."""
FIRST_ACTIONS = 2
"""How many actions a node below the root begins with."""
WIDENING = 0.5
"""The actions that a node gets beyond these, as a multiple of the root of its visits."""


class Budget(NamedTuple):
    """When a search ends: when either limit is reached."""

    iterations: int = 1_000_000_000
    """Ways down the tree, each with a playout at its end."""
    seconds: float = float("inf")
    """A search that ends by time does not play alike each time."""


class Estimate(NamedTuple):
    """What a search has found out about one action."""

    action: str
    visits: int
    value: float
    """The mean result for the seat, in the unit of the guide."""


class Finding(NamedTuple):
    """The result of a search."""

    action: str
    """The best, as far as could be seen."""
    iterations: int
    estimates: tuple[Estimate, ...]
    """Of the actions that were tried, the best first. Empty where there was only one legal action."""


@dataclass(slots=True)
class _Arm:
    """The figures of one action of one seat at one node."""

    visits: int = 0
    total: float = 0.0
    offers: int = 0
    """How often it was legal when the seat chose here."""

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else float("-inf")


@dataclass(slots=True)
class _Node:
    """What was done since the root, whatever the cards."""

    arms: dict[int, dict[str, _Arm]] = field(default_factory=dict)
    """By seat and action."""
    children: dict[tuple[str, ...], "_Node"] = field(default_factory=dict)
    """By the actions of the seats that acted, ascending by seat."""
    visits: int = 0


def search(
    state: State,
    seat: int,
    guide: Guide,
    rng: Random,
    *,
    budget: Budget,
    clock: Callable[[], float] = time.monotonic,
) -> Finding:
    """Return what a seat that is to act had best do.

    Of the hidden cards of ``state`` nothing is used: worlds are drawn by ``resample``. With a limit of iterations
    alone, the same state and random numbers give the same finding.
    """
    began = clock()
    actions = list(guide.ranked(state, seat))[:CANDIDATES]
    if len(actions) == 1:
        return Finding(actions[0], 0, ())
    tree = _Tree(state, seat, guide, rng, actions[0])
    left = actions
    rounds = ceil(log2(len(actions)))
    for number in range(1, rounds + 1):
        share = number / rounds
        iterations = ceil(share * budget.iterations)
        ends = began + share * budget.seconds
        while tree.iterations == 0 or (tree.iterations < iterations and clock() < ends):
            tree.grow(left)
        left = sorted(left, key=tree.merit, reverse=True)[: ceil(len(left) / 2)]
    arms = {action: tree.arms[action] for action in actions if tree.arms[action].visits}
    order = sorted(arms, key=lambda action: (action not in left, -arms[action].mean))
    return Finding(
        left[0], tree.iterations, tuple(Estimate(action, arms[action].visits, arms[action].mean) for action in order)
    )


class _Tree:
    """The tree of one search."""

    def __init__(self, state: State, seat: int, guide: Guide, rng: Random, first: str) -> None:
        self.iterations = 0
        self.arms = dict[str, _Arm]()
        """The figures of the seat's actions at the root."""
        self._state = state
        self._seat = seat
        self._guide = guide
        self._rng = rng
        self._first = first
        self._root = _Node()
        self._results = _Spread()

    def merit(self, action: str) -> float:
        """Return the mean result of an action at the root; that of the first is raised by the guide's caution."""
        arm = self.arms[action]
        if action != self._first or not arm.visits:
            return arm.mean
        return arm.mean + self._guide.caution * self._results.deviation / sqrt(arm.visits)

    def grow(self, actions: Sequence[str]) -> None:
        """Try each of the actions in one world."""
        world = self._state.resample(self._seat, self._rng)
        for action in actions:
            self.arms.setdefault(action, _Arm())
            self._descend(world, action)
            self.iterations += 1

    def _descend(self, state: State, first: str) -> None:
        """Go down the tree, add a node to it, play out, and credit what was chosen on the way."""
        exploration = EXPLORATION * self._results.deviation
        node = self._root
        chosen = [(self._seat, self.arms[first])]
        forced: str | None = first
        while not self._guide.is_far(state):
            node.visits += 1
            actions: dict[int, str] = {}
            names: list[str] = []
            for seat in state.turn:
                if forced is not None and seat == self._seat:
                    actions[seat] = name = forced
                else:
                    actions[seat], name, arm = self._choose(node, state, seat, exploration)
                    if arm is not None:
                        chosen.append((seat, arm))
                names.append(name)
            forced = None
            state = state.apply(actions)
            key = tuple(names)
            child = node.children.get(key)
            if child is None:
                node.children[key] = _Node()
                break
            node = child
        results = self._guide.play_out(state, self._rng)
        self._results.add(results[self._seat])
        for seat, arm in chosen:
            arm.visits += 1
            arm.total += results[seat]

    def _choose(self, node: _Node, state: State, seat: int, exploration: float) -> tuple[str, str, _Arm | None]:
        """Return the action of a seat, what the tree calls it, and its figures if it has some."""
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return legal[0], legal[0], None
        if self._guide.is_trusted(state, seat):
            return self._guide.choose(state, seat, self._rng), "", None
        arms = node.arms.setdefault(seat, {})
        best, highest, known = "", float("-inf"), 0
        for action in legal:
            arm = arms.get(action)
            if arm is not None:
                known += 1
                arm.offers += 1
                bound = arm.total / arm.visits + exploration * sqrt(log(arm.offers) / arm.visits)
                if bound > highest:
                    best, highest = action, bound
        if known < len(legal) and known < FIRST_ACTIONS + int(WIDENING * sqrt(node.visits)):
            best = self._guide.untried(state, seat, legal, arms, self._rng)
            arms[best] = _Arm(offers=1)
        return best, best, arms[best]


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

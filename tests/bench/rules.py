"""The rules alone: random matches beside RLCard and OpenSpiel, in CPU time."""

import random
import statistics
import warnings
from collections.abc import Callable, Iterator
from itertools import count

import numpy
from figures import Figure, per_cpu_second

from cardpit.games import GAMES, find_game

ROUNDS = 3
MATCHES = 20
"""Matches between two looks at the clock."""
RLCARD = 14_000
"""Decisions a second of RLCard's Landlord on the machine for which the bars below are meant."""
BARS = {"landlord": 140_000, "twenty-two": 100_000, "spit": 150_000, "speed": 150_000}
"""Decisions or ticks a second on that machine: elsewhere the ratio to RLCard holds."""


def ours(game_id: str, seats: int | None = None, *, steps: bool = False) -> Callable[[], int]:
    """Return work that plays random matches and counts decisions, or ticks: what ``apply`` was called for."""
    game, rng, seeds = find_game(game_id), random.Random(1), count()
    parameters = game.settle(None)

    def work() -> int:
        done = 0
        for _ in range(MATCHES):
            state = game.deal(next(seeds).to_bytes(32, "big"), seats, parameters)
            while state.outcome is None:
                actions = {seat: rng.choice(state.legal_actions(seat)) for seat in state.turn}
                state = state.apply(actions)
                done += 1 if steps else len(actions)
        return done

    return work


def rlcard() -> Callable[[], int]:
    """Return the same for RLCard's two-against-one Landlord."""
    from rlcard.games.doudizhu import Game

    game, rng = Game(), random.Random(1)
    game.np_random = numpy.random.RandomState(1)

    def work() -> int:
        state, _ = game.init_game()
        done = 0
        while not game.is_over():
            state, _ = game.step(rng.choice(state["actions"]))
            done += 1
        return done

    return work


def openspiel() -> Callable[[], int]:
    """Return the same for OpenSpiel's two-against-one Landlord, in C++ behind Python."""
    import pyspiel

    game, rng = pyspiel.load_game("dou_dizhu"), random.Random(1)

    def work() -> int:
        done = 0
        for _ in range(MATCHES):
            state = game.new_initial_state()
            while not state.is_terminal():
                done += not state.is_chance_node()
                state.apply_action(rng.choice(state.legal_actions()))
        return done

    return work


def measure() -> Iterator[Figure]:
    """Yield the figures, the median of several rounds in turns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        works = {game.id: ours(game.id, steps=game.real_time) for game in GAMES.values()}
        works |= {"rlcard": rlcard(), "openspiel": openspiel()}
        rates: dict[str, list[float]] = {name: [] for name in works}
        for _ in range(ROUNDS):
            for name, work in works.items():
                rates[name].append(per_cpu_second(work))
    rate = {name: statistics.median(values) for name, values in rates.items()}
    for game in GAMES.values():
        unit = "ticks/s" if game.real_time else "decisions/s"
        beside = f"{rate[game.id]:,.0f} {unit}; theirs {{:,.0f}}"
        bar = BARS.get(game.id)
        yield Figure(
            f"{game.name} beside RLCard",
            rate[game.id] / rate["rlcard"],
            "x",
            bar / RLCARD if bar else None,
            beside=beside.format(rate["rlcard"]),
        )
        if game.id == "landlord":
            beside = beside.format(rate["openspiel"])
            yield Figure("Landlord beside OpenSpiel", rate[game.id] / rate["openspiel"], "x", 1 / 3, beside=beside)

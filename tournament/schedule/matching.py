"""The cheapest way to put bots into pairs: the one place that knows networkx."""

from collections.abc import Mapping
from functools import lru_cache

Costs = Mapping[tuple[int, int], int]


def cheapest_pairs(costs: Costs) -> list[tuple[int, int]]:
    """Return as many disjoint pairs as there can be, of the least total cost, in ascending order.

    ``costs`` has the pairs that are allowed, the smaller number first; whole numbers, so that sums are exact. Where
    several ways cost the same, which one is found is not said.
    """
    return list(_matching(tuple(sorted(costs.items()))))


@lru_cache(maxsize=128)
def _matching(costs: tuple[tuple[tuple[int, int], int], ...]) -> tuple[tuple[int, int], ...]:
    # It takes half a second to import, and few tournaments need it.
    import networkx

    graph = networkx.Graph()
    graph.add_weighted_edges_from((first, second, -cost) for (first, second), cost in costs)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))

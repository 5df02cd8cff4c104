"""The ``process`` jail: a session of its own and resource limits. For one's own bots: it hides nothing from them."""

from collections.abc import Sequence

from referee.sandbox.jail import Confinement

LIMITS = {
    "CORE": 0,
    "NOFILE": 1024,
    "FSIZE": 256 * 1024 * 1024,
    "DATA": 4 * 1024 * 1024 * 1024,
}
"""No core dumps; so many open files; so many bytes in a file; so many bytes of private memory in a process."""


def confine(command: Sequence[str]) -> Confinement:
    """Return how a command is run in this jail."""
    return Confinement(tuple(command), LIMITS)

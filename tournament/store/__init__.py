"""The store: bot versions, tournaments and results, in one database that only one process writes results to."""

from tournament.store.database import Store

__all__ = ["Store"]

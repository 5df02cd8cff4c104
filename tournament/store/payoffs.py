"""Payoffs added up in the store."""

from typing import NamedTuple

from sqlmodel import col, func, select

from tournament.store.database import Store
from tournament.store.tables import Seat
from tournament.store.tournaments import StoredPool


class SeatPayoff(NamedTuple):
    """What a bot got in one seat."""

    matches: int
    payoff: float
    """Of all matches together."""


def payoffs_by_seat(store: Store, pool: StoredPool) -> dict[tuple[int, int], SeatPayoff]:
    """Return what each bot got in each seat, by its number and the seat; without those in which it never sat."""
    query = (
        select(Seat.entrant, Seat.seat, func.count(), func.sum(col(Seat.payoff)))
        .where(Seat.pool_id == pool.id)
        .group_by(col(Seat.entrant), col(Seat.seat))
    )
    with store.session() as session:
        return {(entrant, seat): SeatPayoff(count, payoff) for entrant, seat, count, payoff in session.exec(query)}

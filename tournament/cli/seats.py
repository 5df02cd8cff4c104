"""``tournament ratings --by-seat``: what each bot gets in each seat."""

from collections.abc import Callable, Sequence

from tournament.cli.table import Column, Row, show_table, stdout
from tournament.store.database import Store
from tournament.store.payoffs import payoffs_by_seat
from tournament.store.tournaments import StoredPool, StoredTournament


def show_by_seat(
    store: Store, tournament: StoredTournament, pools: Sequence[StoredPool], output: str, wide: bool
) -> None:
    """Print the mean payoff of each bot in each seat: a table for each game, one list for programs."""
    most = max(pool.seats for pool in pools)
    every: list[Row] = []
    for number, pool in enumerate(pools):
        rows = _rows(store, pool, most)
        every += rows
        if output == "table":
            if number:
                stdout().print()
            heading = f"{pool.game} · tournament {tournament.name} · mean payoff of a match by seat"
            stdout().print(heading, style="bold", markup=False)
            show_table(_columns(pool.seats), rows, output, wide)
    if output != "table":
        show_table(_columns(most), every, output)


def _columns(seats: int) -> list[Column]:
    return [
        Column("game", "game", shown=False),
        Column("bot", "bot", right=False),
        *(Column(f"seat_{seat}", f"seat {seat}", _payoff(f"seat_{seat}")) for seat in range(seats)),
        Column("matches", "matches"),
    ]


def _rows(store: Store, pool: StoredPool, most: int) -> list[Row]:
    """Return a row for each bot in the order of the entrants, and one for all of them."""
    found = payoffs_by_seat(store, pool)
    whole = [(label, [entrant]) for entrant, label in enumerate(pool.labels)]
    rows: list[Row] = []
    for label, entrants in [*whole, ("everybody", list(range(len(whole))))]:
        row: dict[str, str | int | float | None] = {"game": pool.game, "bot": label, "matches": 0}
        for seat in range(most):
            played = [found[entrant, seat] for entrant in entrants if (entrant, seat) in found]
            count = sum(each.matches for each in played)
            row[f"seat_{seat}"] = sum(each.payoff for each in played) / count if count else None
            row["matches"] = int(row["matches"] or 0) + count
        rows.append(row)
    return rows


def _payoff(key: str) -> Callable[[Row], str]:
    def text(row: Row) -> str:
        value = row[key]
        return f"{value:.2f}" if isinstance(value, float) else ""

    return text

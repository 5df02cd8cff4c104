"""``tournament logs``."""

import click
from rich.console import Console

from cardpit.v1 import referee_pb2
from tournament.cli.completion import BOT
from tournament.cli.options import entrants_named, examples, with_home
from tournament.cli.table import stderr, stdout
from tournament.errors import unknown
from tournament.home import Home
from tournament.lag import lag_text
from tournament.store.bots import latest_versions
from tournament.store.database import Store
from tournament.store.matches import FaultRow, find_match, list_faults, platform_failures, room_logs
from tournament.store.tournaments import StoredPool, StoredTournament, find_tournament, tournament_names

TAIL = 4000
"""Characters of a bot's output that are shown without ``--full``."""


@click.command(
    name="logs",
    epilog=examples(
        "tournament logs cup", "tournament logs cup --bot greedy", "tournament logs cup/landlord/0/17/1 --full"
    ),
)
@click.argument("target")
@click.option("--bot", type=BOT, help="Only verdicts on this bot: name, or name@version.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="How many verdicts to show.")
@click.option("--full", is_flag=True, help="Show all that was kept of a bot's output.")
@with_home
def command(target: str, bot: str | None, limit: int, full: bool, home: Home) -> None:
    """Show verdicts with all that a bot's author needs.

    TARGET is a tournament, a match as tournament matches names it, or a bot (in every tournament). Each verdict comes
    with the reason, the last turn that the bot was sent and what it wrote; a match without one with what its bots
    wrote in its room.
    """
    console = stdout()
    with Store.open(home) as store:
        if "/" in target:
            _show_match(console, store, target, full)
            return
        names = tournament_names(store)
        bots = [version.name for version in latest_versions(store)]
        if target in names:
            tournaments = [target]
        elif target.replace(":", "@").partition("@")[0] in bots:
            tournaments, bot = names, bot or target
        else:
            raise unknown("tournament or bot", target, names + bots)
        shown = 0
        for name in tournaments:
            shown += _show_tournament(console, store, find_tournament(store, name), bot, limit=limit - shown, full=full)
    if not shown:
        stderr().print(f"no verdicts: every match of {target} was played out", markup=False)
    elif shown == limit:
        stderr().print(f"there may be more: --limit {limit * 5}", markup=False)


def _show_tournament(
    console: Console, store: Store, tournament: StoredTournament, bot: str | None, *, limit: int, full: bool
) -> int:
    for where, detail in platform_failures(store, tournament):
        console.print(f"{where}: the platform failed: {detail}: run the tournament again", style="red", markup=False)
    if bot is None:
        wanted: dict[int, list[int]] = {pool.id: [] for pool in tournament.pools}
    elif any(
        version.name == bot.replace(":", "@").partition("@")[0] for p in tournament.pools for version in p.versions
    ):
        wanted = entrants_named(tournament, tournament.pools, bot)
    else:
        return 0
    shown = 0
    for pool in tournament.pools:
        if limit <= shown or (bot is not None and not wanted[pool.id]):
            continue
        for fault in list_faults(store, pool, entrants=wanted[pool.id], limit=limit - shown):
            _show_fault(console, tournament, pool, fault, full)
            shown += 1
    return shown


def _show_match(console: Console, store: Store, name: str, full: bool) -> None:
    tournament, pool, match = find_match(store, name)
    faults = list_faults(store, pool, match=match)
    for fault in faults:
        _show_fault(console, tournament, pool, fault, full)
    if mark := lag_text(tournament, pool, match):
        console.print(f"{name}: {mark}", style="yellow", markup=False)
    logs = room_logs(store, pool, match.pairing, match.room)
    if not faults:
        console.print(f"{name}: played out, no verdict", markup=False)
    for seat, log in logs:
        label = pool.labels[match.seats[seat].entrant]
        console.print(f"what {label} wrote in room {match.room} of pairing {match.pairing}, all boards:", style="bold")
        _show_text(console, log, full)
    if not faults and not logs:
        console.print("its bots wrote nothing in this room")


def _show_fault(console: Console, tournament: StoredTournament, pool: StoredPool, fault: FaultRow, full: bool) -> None:
    label = pool.labels[fault.match.seats[fault.seat].entrant]
    console.print(f"{fault.match.name(tournament, pool)}: seat {fault.seat}, {label}", style="bold", markup=False)
    console.print(f"  verdict    {fault.termination}: {fault.detail}", style="red", markup=False)
    if mark := lag_text(tournament, pool, fault.match):
        console.print(f"  match      {mark}", style="yellow", markup=False)
    if fault.last_turn:
        turn = referee_pb2.Turn.FromString(fault.last_turn)
        legal = ", ".join(turn.legal_actions[:8])
        more = f" and {len(turn.legal_actions) - 8} more" if len(turn.legal_actions) > 8 else ""
        console.print(f"  last turn  number {turn.turn}, {turn.observation.phase}; legal: {legal}{more}", markup=False)
        for zone in turn.observation.zones:
            if zone.cards:
                owner = f" of {zone.owner}" if zone.HasField("owner") else ""
                console.print(f"             {zone.name}{owner}: {' '.join(zone.cards)}", markup=False)
    else:
        console.print("  last turn  none: it was not asked yet")
    if fault.log.strip():
        console.print("  output")
        _show_text(console, fault.log, full)
    else:
        console.print("  output     none")


def _show_text(console: Console, text: str, full: bool) -> None:
    cut = len(text) > TAIL and not full
    if cut:
        console.print(f"    … {len(text) - TAIL} characters before: --full shows them", style="dim")
    for line in (text[-TAIL:] if cut else text).rstrip().splitlines():
        console.print(f"    {line}", markup=False)

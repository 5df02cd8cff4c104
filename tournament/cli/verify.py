"""``tournament verify``."""

import json

import click
from rich.progress import Progress

from tournament.cli.completion import TOURNAMENT
from tournament.cli.options import examples, with_home
from tournament.cli.table import stderr, stdout
from tournament.errors import Failure
from tournament.home import Home
from tournament.run.bench import planned_matches
from tournament.store.database import Store
from tournament.store.matches import count_matches
from tournament.store.tournaments import StoredTournament, find_tournament
from tournament.verification import Problem, Verifier

MOST_SHOWN = 50
"""Problems that are listed; the others are counted."""


@click.command(name="verify", epilog=examples("tournament verify cup"))
@click.argument("tournament", type=TOURNAMENT)
@click.option("--format", "output", type=click.Choice(["table", "json"]), default="table", show_default=True)
@with_home
def command(tournament: str, output: str, home: Home) -> None:
    """Check every record of a tournament against its seed.

    Each record is replayed through the rules, each deal is made again from the tournament's seed, and each result and
    each board is worked out again. Exit code 1 if anything is not as it must be.
    """
    with Store.open(home) as store:
        found = find_tournament(store, tournament)
        verifier = Verifier(store, found)
        problems: list[Problem] = []
        console = stderr()
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            total = sum(count_matches(store, pool) for pool in found.pools)
            task = progress.add_task("verifying", total=total)
            for problem in verifier.run():
                progress.update(task, completed=verifier.found.matches)
                if problem is not None and len(problems) < MOST_SHOWN:
                    problems.append(problem)
        planned = sum(planned_matches(store, found, pool) for pool in found.pools)
    _show(found, verifier, problems, planned, output)
    if verifier.found.problems:
        raise Failure(
            f"tournament {tournament}: {verifier.found.problems} problems in {verifier.found.matches} matches"
        )


def _show(tournament: StoredTournament, verifier: Verifier, problems: list[Problem], planned: int, output: str) -> None:
    found = verifier.found
    if output == "json":
        facts = {
            "tournament": tournament.name,
            "finished": tournament.finished,
            "matches": found.matches,
            "boards": found.boards,
            "commitment": tournament.commitment,
            "seed": tournament.seed.hex() if tournament.finished else None,
            "digest": found.digest,
            "problems": [{"where": problem.where, "what": problem.what} for problem in problems],
        }
        print(json.dumps(facts, indent=2))
        return
    console = stdout()
    for problem in problems:
        console.print(f"{problem.where}: {problem.what}", style="red", markup=False)
    if found.problems > len(problems):
        console.print(f"and {found.problems - len(problems)} more", markup=False)
    console.print(f"matches     {found.matches} of {planned} replayed, {found.boards} boards worked out again")
    console.print(f"commitment  {tournament.commitment}")
    seed = tournament.seed.hex() if tournament.finished else "revealed when the tournament is finished"
    console.print(f"seed        {seed}")
    console.print(f"digest      {found.digest}  (of all records)")
    if not found.problems:
        console.print("all is right", style="green")

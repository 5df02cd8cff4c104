"""``tournament games``."""

import json

import click

from cardpit.games import GAMES, Game, value_text
from tournament.cli.completion import GAME
from tournament.cli.options import examples, with_format
from tournament.cli.table import Column, Row, show_table, stdout
from tournament.errors import unknown

COLUMNS = (
    Column("id", "id", right=False),
    Column("name", "name", right=False),
    Column("min_seats", "seats", lambda row: _range(row["min_seats"], row["max_seats"])),
    Column("max_seats", "max", shown=False),
    Column("payoff_unit", "payoff in", right=False),
    Column("real_time", "kind", lambda row: "real time" if row["real_time"] else "in turns", right=False),
    Column("rules_version", "rules"),
    Column("parameters", "parameters", right=False),
)


def _range(low: object, high: object) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


@click.command(name="games", epilog=examples("tournament games", "tournament games landlord"))
@click.argument("game", required=False, type=GAME)
@with_format
def command(game: str | None, output: str, wide: bool) -> None:
    """List the games, or show one with its parameters."""
    if game is not None:
        _show_game(game, output)
        return
    show_table(COLUMNS, [_row(each) for each in GAMES.values()], output, wide)


def _row(game: Game) -> Row:
    return {
        "id": game.id,
        "name": game.name,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "payoff_unit": game.payoff_unit,
        "real_time": game.real_time,
        "rules_version": game.rules_version,
        "parameters": [f"{p.name}={value_text(p.default)}" for p in game.parameters],
    }


PARAMETER_COLUMNS = (
    Column("name", "parameter", right=False),
    Column("default", "default", lambda row: value_text(row["default"]), right=False),
    Column("allowed", "allowed", right=False),
    Column("meaning", "meaning", right=False),
)


def _show_game(game_id: str, output: str) -> None:
    if game_id not in GAMES:
        raise unknown("game", game_id, GAMES)
    game = GAMES[game_id]
    parameters = [
        {"name": p.name, "default": p.default, "allowed": p.allowed, "meaning": p.meaning} for p in game.parameters
    ]
    if output == "json":
        facts = {**_row(game), "parameters": parameters, "source": game.source, "house_rules": list(game.house_rules)}
        print(json.dumps(facts, indent=2))
        return
    if output == "csv":
        show_table(PARAMETER_COLUMNS, parameters, output)
        return
    console = stdout()
    console.print(f"[bold]{game.name}[/bold]  ({game.id}, rules version {game.rules_version})")
    low, high = game.payoff_bounds(game.min_seats, game.settle({}))
    facts_shown = {
        "seats": _range(game.min_seats, game.max_seats),
        "payoff": f"{low:g} to {high:g} {game.payoff_unit}" + (", sums to zero" if game.zero_sum else ""),
        "kind": "real time: all seats act in each tick" if game.real_time else "in turns",
        "longest match": f"{game.longest_match} decisions of a seat",
        "source": game.source,
    }
    for name, fact in facts_shown.items():
        console.print(f"  {name:<14}{fact}", markup=False)
    for rule in game.house_rules:
        console.print(f"  · {rule}", markup=False)
    if parameters:
        console.print()
        show_table(PARAMETER_COLUMNS, parameters, output)

"""``python -m cardpit.games``: count the positions that a game can reach, or play it at random as fast as it goes."""

import resource
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NoReturn

from cardpit.games import GAMES, Game, GameError, State, Value, find_game
from cardpit.games.seeds import SEED_SIZE, board_seed


class Parser(ArgumentParser):
    """Parses a command line. Wrong use is one line on stderr and exit code 2."""

    def error(self, message: str) -> NoReturn:
        """End with the message."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command line, the one of this process for None."""
    parser = make_parser()
    asked = parser.parse_args(arguments)
    try:
        for line in asked.command(asked):
            print(line, flush=True)
    except GameError as error:
        parser.error(str(error))
    except BrokenPipeError:
        sys.stderr.close()


def make_parser() -> Parser:
    """Return the parser of the command line."""
    parser = Parser(prog="python -m cardpit.games", description="Count and time the rules of a game.")
    commands = parser.add_subparsers(required=True, metavar="perft|random")
    perft = commands.add_parser("perft", help="count the lines of play from a position, at each depth")
    perft.add_argument("game", help=f"one of: {', '.join(GAMES)}")
    perft.add_argument("--position", required=True, help="a position as the game's page writes it")
    perft.add_argument("--depth", type=at_least_one, default=4, help="how many decisions deep (default 4)")
    perft.set_defaults(command=count_lines)
    matches = commands.add_parser("random", help="play random matches and print how many decisions a CPU second takes")
    matches.add_argument("game", help=f"one of: {', '.join(GAMES)}")
    matches.add_argument(
        "--seed", type=seed_number, default=1, help="a whole number: another, other matches (default 1)"
    )
    matches.add_argument("--matches", type=at_least_one, default=1000, help="how many (default 1000)")
    matches.add_argument("--seats", type=int, help="how many players (default: the fewest)")
    matches.add_argument(
        "--parameter",
        action="append",
        type=assignment,
        default=[],
        metavar="NAME=VALUE",
        help="may be given repeatedly",
    )
    matches.set_defaults(command=time_matches)
    return parser


def at_least_one(text: str) -> int:
    """Return the number, 1 or more, that a text names."""
    return _whole_number(text, 1, 10**9)


def seed_number(text: str) -> int:
    """Return the number that a text names, from 0 to what a seed can hold."""
    return _whole_number(text, 0, (1 << 8 * SEED_SIZE) - 1)


def assignment(text: str) -> tuple[str, str]:
    """Return the name and the value of ``name=value``."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{text!r} is not name=value")
    return name, value


def count_lines(asked: Namespace) -> Iterator[str]:
    """Yield the number of lines of play at each depth, 1 first. A line that ended before counts at every depth."""
    state = find_game(asked.game).parse(asked.position)
    for depth in range(1, asked.depth + 1):
        yield str(perft(state, depth))


def perft(state: State, depth: int) -> int:
    """Return in how many ways so many transitions can go, or fewer to the end of the match."""
    if state.outcome is not None:
        return 1
    choices = [state.legal_actions(seat) for seat in state.turn]
    if depth == 1:
        lines = 1
        for legal in choices:
            lines *= len(legal)
        return lines
    return sum(
        perft(state.apply(dict(zip(state.turn, chosen, strict=True))), depth - 1) for chosen in product(*choices)
    )


def time_matches(asked: Namespace) -> Iterator[str]:
    """Yield what random matches came to: decisions and matches, each also by CPU second."""
    game = find_game(asked.game)
    parameters: dict[str, Value] = dict(asked.parameter)
    game.settle(parameters)
    game.settle_seats(asked.seats)
    started = cpu_time()
    decisions = play_at_random(game, asked.seed, asked.matches, asked.seats, parameters)
    used = cpu_time() - started
    yield f"decisions                 {decisions}"
    yield f"matches                   {asked.matches}"
    yield f"decisions per CPU second  {decisions / used:.0f}"
    yield f"matches per CPU second    {asked.matches / used:.1f}"


def play_at_random(game: Game, seed: int, matches: int, seats: int | None, parameters: dict[str, Value]) -> int:
    """Play whole matches, each choice as likely as the others, and return the number of decisions."""
    source = seed.to_bytes(SEED_SIZE, "big")
    draw = Random(seed).random
    decisions = 0
    for board in range(matches):
        state = game.deal(board_seed(source, game.id, board), seats, parameters)
        while state.outcome is None:
            chosen: dict[int, str] = {}
            for seat in state.turn:
                legal = state.legal_actions(seat)
                chosen[seat] = legal[int(draw() * len(legal))]
            decisions += len(chosen)
            state = state.apply(chosen)
    return decisions


def cpu_time() -> float:
    """Return the CPU time of this process, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _whole_number(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise ArgumentTypeError(f"{text!r} is not allowed: allowed is a whole number from {least} to {most}")
    return int(text)


if __name__ == "__main__":
    main()

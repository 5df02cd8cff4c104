"""The command ``tournament``. Each command is a module of this package; it is imported when it is called for.

Exit codes: 0 done, 1 failed, 2 wrong use, 130 interrupted. Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from types import MappingProxyType
from typing import cast

import click

from cardpit.games import GameError
from referee.usage import usage_text
from tournament.cli.options import examples
from tournament.errors import TournamentError, unknown

COMMANDS: MappingProxyType[str, str] = MappingProxyType(
    {
        "demo": "Play a small tournament of all games between the built-in bots.",
        "games": "List the games, or show one with its parameters.",
        "new-bot": "Write the folder of a new bot, in one of six languages.",
        "check": "Check a bot step by step, in any language.",
        "play": "Play a game yourself against bots.",
        "submit": "Submit a bot: a folder with a bot.toml, or a Python file.",
        "bots": "List the bots, or the versions of one.",
        "users": "Say who may submit bots over the network.",
        "init": "Write a tournament.toml with comments, for run --config.",
        "run": "Play a tournament, or go on with one.",
        "list": "List the tournaments.",
        "show": "Show how a tournament is held.",
        "ratings": "Show the ratings of a tournament.",
        "crosstable": "Show who scored how much against whom.",
        "matches": "List the matches of a tournament.",
        "serve": "Show tournaments, live, in a browser.",
        "replay": "Show a match, decision by decision.",
        "logs": "Show verdicts with all that a bot's author needs.",
        "doctor": "Say what this machine can enforce, and what to install.",
        "void": "Take a result out, so that its match is played again.",
        "report": "Write a tournament as one page of HTML.",
        "export": "Write a tournament as files that anybody can read and check.",
        "verify": "Check every record of a tournament against its seed.",
    }
)
"""Every command with what it does. ``tournament.cli.<name>`` holds it as ``command``."""

MODULES = MappingProxyType({"list": "tournaments", "new-bot": "new_bot"})
"""The modules that are not called as their commands are."""


class Failed(click.ClickException):
    """A message on stderr: it did not work."""

    exit_code = 1

    def show(self, file: object = None) -> None:
        """Print it."""
        click.echo(f"tournament: {self.message}", err=True)


class Misused(Failed):
    """A message on stderr: it cannot be done."""

    exit_code = 2


class Interrupted(Failed):
    """A message on stderr: Ctrl-C."""

    exit_code = 130


class Commands(click.Group):
    """The commands, imported when they are called for; what goes wrong becomes one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or None."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tournament.cli.{MODULES.get(cmd_name, cmd_name)}")
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. Raises what lists the known ones."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(str(unknown("command", args[0], COMMANDS)), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: object
    ) -> click.Context:
        """Read the options that stand before the command."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise Misused(usage_text(error)) from None

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        try:
            return cast("object", super().invoke(ctx))
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise Misused(usage_text(error)) from None
        except TournamentError as error:
            raise (Misused if error.exit_code == Misused.exit_code else Failed)(str(error)) from None
        except GameError as error:
            raise Misused(str(error)) from None
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=examples(
        "tournament submit bots/random && tournament submit bots/first",
        "tournament run --name cup --game landlord --bots random,first --boards 50",
        "tournament ratings cup",
    ),
)
@click.option("--home", type=click.Path(), help="Where the data lies; else CARDPIT_HOME, else ./.cardpit.")
@click.version_option(version("cardpit-platform"), message="Cardpit %(version)s")
def cli(home: str | None) -> None:
    """Pit bots against each other at cards."""


def main() -> None:
    """Run the command line."""
    cli(prog_name="tournament")

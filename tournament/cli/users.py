"""``tournament users``."""

import click

from tournament.cli.options import examples, with_format, with_home
from tournament.cli.table import Column, Row, show_table, stderr, stdout
from tournament.home import Home
from tournament.store.accounts import Role, add_account, all_accounts, renew_token, revoke_token
from tournament.store.database import Store
from tournament.store.tables import Account

COLUMNS = (
    Column("user", "user", right=False),
    Column("role", "role", right=False),
    Column("token", "token", right=False),
    Column("created_at", "created", lambda row: str(row["created_at"])[:16].replace("T", " "), right=False),
)


@click.group(
    name="users",
    epilog=examples(
        "tournament users add ada --role participant", "tournament users token ada", "tournament users list"
    ),
)
def command() -> None:
    """Say who may submit bots over the network, and hand out their tokens.

    A participant submits bots and sees what became of his own; an organiser does so for every bot. A token is shown
    once, when it is made.
    """


@command.command("add")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.PARTICIPANT.value,
    show_default=True,
    help="What the user may do.",
)
@with_home
def add(name: str, role: str, home: Home) -> None:
    """Add a user and show the token."""
    with Store.create(home) as store:
        _show_token(name, add_account(store, name, Role(role)))


@command.command("list")
@with_format
@with_home
def list_users(*, output: str, wide: bool, home: Home) -> None:
    """List the users."""
    accounts: list[Account] = []
    if Store.exists(home):
        with Store.open(home) as store:
            accounts = all_accounts(store)
    show_table(COLUMNS, [_row(account) for account in accounts], output, wide)
    if not accounts:
        stderr().print(f"no users yet in {home.folder}: add one with tournament users add NAME", markup=False)


@command.command("token")
@click.argument("name")
@with_home
def token(name: str, home: Home) -> None:
    """Give a user a new token in place of the old one, and show it."""
    with Store.open(home) as store:
        _show_token(name, renew_token(store, name))


@command.command("revoke")
@click.argument("name")
@with_home
def revoke(name: str, home: Home) -> None:
    """Take a user the token; what the user has submitted stays."""
    with Store.open(home) as store:
        revoke_token(store, name)
    stdout().print(f"{name} has no token any more", markup=False)


def _show_token(name: str, value: str) -> None:
    # The token alone on stdout, so that a program can catch it.
    stderr().print(f"the token of {name}, which is not shown again:", markup=False)
    stdout().print(value, markup=False)


def _row(account: Account) -> Row:
    return {
        "user": account.name,
        "role": account.role,
        "token": "revoked" if account.token_hash is None else "valid",
        "created_at": f"{account.created_at:%Y-%m-%dT%H:%M:%SZ}",
    }

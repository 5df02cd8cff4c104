"""``tournament serve``."""

import logging
import socket
from contextlib import suppress

import click

from referee.sandbox import shortcomings
from tournament.cli.options import examples, with_home
from tournament.cli.table import stderr, stdout
from tournament.errors import BadConfiguration
from tournament.home import Home
from tournament.request import check_jail, settle_jail
from tournament.store.database import Store

MOST_AT_ONCE = 500
"""Connections that are served at once; more are answered 503."""

MAX_MESSAGE_SIZE = 4096
"""Bytes of what a person who plays sends at once."""


@click.command(
    name="serve",
    epilog=examples("tournament serve", "tournament serve --port 0", "tournament serve --host 0.0.0.0 --port 80"),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 is every one.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="The port; 0 takes any free one."
)
@click.option("--show-logs", is_flag=True, help="Show what bots wrote, to every reader, once a tournament is finished.")
@click.option(
    "--jail", default="require", show_default=True, help="How bots that are submitted or played against are confined."
)
@click.option(
    "--play",
    type=click.Choice(["anyone", "users", "nobody"]),
    default="anyone",
    show_default=True,
    help="Who may play against bots on the page.",
)
@with_home
def command(*, host: str, port: int, show_logs: bool, jail: str, play: str, home: Home) -> None:
    """Show tournaments, live, as pages for a browser and as a JSON API.

    It may run beside tournament run. No card of a match is shown before its tournament is finished. Users that have a
    token of tournament users submit bots; readers play against bots.
    """
    import uvicorn

    from tournament.web.app import create_app
    from tournament.web.site import Site

    check_jail(jail)
    listener = _listen(host, port)
    with listener, Store.create(home) as store:
        logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
        logging.getLogger("cardpit.audit").setLevel(logging.INFO)
        config = uvicorn.Config(
            create_app(Site(home, store, show_logs=show_logs, jail=_jail(jail), play=play)),
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=MOST_AT_ONCE,
            ws_max_size=MAX_MESSAGE_SIZE,
            timeout_graceful_shutdown=1,
        )
        name = f"[{host}]" if ":" in host else host
        stdout().print(f"http://{name}:{listener.getsockname()[1]}/", markup=False, highlight=False)
        # Ctrl-C is how it ends.
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])


def _jail(wanted: str) -> str | None:
    """Return the jail that is meant; None, with a word to the organiser, where none holds a stranger's bot."""
    try:
        jail = settle_jail(wanted)
    except BadConfiguration as error:
        if wanted != "require":
            raise
        stderr().print(f"no bots can be submitted or played against: {error}", markup=False)
        return None
    if warning := shortcomings(jail):
        stderr().print(warning, markup=False)
    return jail


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens. Raises :class:`BadConfiguration` where that cannot be."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, UnicodeError) as error:
        # What Python adds to the reason names the address once more.
        reason = str(error.strerror if isinstance(error, OSError) else error).partition(" (")[0]
        raise BadConfiguration(
            f"address {host}, port {port}: {reason}: give another with --host or --port; --port 0 takes any free one"
        ) from None

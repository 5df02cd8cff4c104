"""The audit log: one line for each change that somebody makes over the network."""

import logging

from starlette.requests import HTTPConnection

from tournament.store.accounts import User

_log = logging.getLogger("cardpit.audit")


def audit(connection: HTTPConnection | None, user: User | str | None, action: str, /, **details: object) -> None:
    """Write a line: who did what from where, then the details as they are given.

    Without a connection it was the server itself.
    """
    name = user.name if isinstance(user, User) else user or "-"
    where = "server" if connection is None else address_of(connection)
    # What comes from outside is quoted: nobody writes a line of his own.
    shown = "".join(f" {key}={value!r}" for key, value in details.items())
    _log.info("%s user=%r from=%s%s", action, name, where, shown)


def address_of(connection: HTTPConnection) -> str:
    """Return the address of a client."""
    return connection.client.host if connection.client else "unknown"

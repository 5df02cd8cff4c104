"""Accounts in the store: who may submit over the network, and whose a bot is.

A token is 32 random bytes: nobody guesses it, so that a plain hash of it is as good as a slow one. It is shown once and
never stored.
"""

import hmac
import re
import secrets
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from tournament.errors import WrongUse, unknown
from tournament.home import check_name
from tournament.store.database import Store
from tournament.store.tables import Account, BotOwner, BotVersion

TOKEN = re.compile(r"cardpit_[A-Za-z0-9_-]{43}")
"""What a token looks like; others need not be looked up."""


class Role(StrEnum):
    """What an account may do."""

    PARTICIPANT = "participant"
    """Submit bots, and see what became of its own."""
    ORGANISER = "organiser"
    """The same for every bot."""


@dataclass(frozen=True, slots=True)
class User:
    """An account as others need it: without its token."""

    id: int
    name: str
    role: Role

    @property
    def organiser(self) -> bool:
        """Whether this is an organiser."""
        return self.role is Role.ORGANISER


def add_account(store: Store, name: str, role: Role) -> str:
    """Store an account and return its token. Raises :class:`WrongUse` where the name is taken or none."""
    token = _new_token()
    account = Account(name=check_name("user", name), role=role, token_hash=_hash(token))
    try:
        with store.session() as session:
            session.add(account)
    except IntegrityError:
        raise WrongUse(f"user {name!r} exists already: tournament users token {name} gives a new token") from None
    return token


def all_accounts(store: Store) -> list[Account]:
    """Return every account, by name."""
    with store.session() as session:
        return list(session.exec(select(Account).order_by(Account.name)))


def renew_token(store: Store, name: str) -> str:
    """Return a new token for an account: the old one is worth nothing from now on. Raises :class:`UnknownName`."""
    token = _new_token()
    _set_hash(store, name, _hash(token))
    return token


def revoke_token(store: Store, name: str) -> None:
    """Take an account its token: it may do nothing until it gets a new one. Raises :class:`UnknownName`."""
    _set_hash(store, name, None)


def find_user(store: Store, token: str) -> User | None:
    """Return whose token this is; None if it is nobody's."""
    if not TOKEN.fullmatch(token):
        return None
    wanted = _hash(token)
    with store.session() as session:
        account = session.exec(select(Account).where(Account.token_hash == wanted)).first()
    if account is None or not hmac.compare_digest(account.token_hash or "", wanted):
        return None
    return as_user(account)


def as_user(account: Account) -> User:
    """Return an account without its token."""
    assert account.id is not None, "it comes from the store"
    return User(account.id, account.name, Role(account.role))


def owner_of(store: Store, bot: str) -> int | None:
    """Return the key of the account whose bot this is; None where it came by no account."""
    with store.session() as session:
        owner = session.get(BotOwner, bot)
    return None if owner is None else owner.account_id


def owned_bots(store: Store, user: User) -> list[str]:
    """Return the names of a user's bots, in their order."""
    with store.session() as session:
        return list(session.exec(select(BotOwner.bot).where(BotOwner.account_id == user.id).order_by(BotOwner.bot)))


def may_submit(store: Store, user: User, bot: str) -> bool:
    """Tell whether a user may submit versions of a bot: his own, a new one, or as an organiser any."""
    with store.session() as session:
        return user.organiser or _is_theirs(session, user, bot)


def own(store: Store, user: User, bot: str) -> None:
    """Make a bot a user's, if nobody's so far."""
    try:
        with store.session() as session:
            if session.get(BotOwner, bot) is None:
                session.add(BotOwner(bot=bot, account_id=user.id))
    except IntegrityError:
        # Another process was faster: it is the other's.
        return


def disown(store: Store, bot: str) -> None:
    """Let a bot that has no version be nobody's again."""
    with store.session() as session:
        owner = session.get(BotOwner, bot)
        if owner is not None and session.exec(select(BotVersion.id).where(BotVersion.name == bot)).first() is None:
            session.delete(owner)


def _is_theirs(session: Session, user: User, bot: str) -> bool:
    owner = session.get(BotOwner, bot)
    if owner is not None:
        return owner.account_id == user.id
    # A bot without an owner was submitted by the organiser on the server itself.
    return session.exec(select(BotVersion.id).where(BotVersion.name == bot)).first() is None


def _set_hash(store: Store, name: str, token_hash: str | None) -> None:
    with store.session() as session:
        account = session.exec(select(Account).where(Account.name == name)).first()
        if account is None:
            known = session.exec(select(Account.name).order_by(Account.name)).all()
            raise unknown("user", name, known, "add one with tournament users add NAME")
        account.token_hash = token_hash
        session.add(account)


def _new_token() -> str:
    return f"cardpit_{secrets.token_urlsafe(32)}"


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()

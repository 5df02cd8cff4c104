"""Bot versions in the store."""

import json

from sqlalchemy.exc import IntegrityError
from sqlmodel import func, select

from tournament.bundle import Bundle
from tournament.errors import UnknownName, WrongUse, unknown
from tournament.store.database import Store
from tournament.store.tables import BotVersion


def label(version: BotVersion) -> str:
    """Return name and version as tables and messages show them."""
    return f"{version.name} {version.version}"


def games_of(version: BotVersion) -> tuple[str, ...]:
    """Return the ids of the games that a bot version plays; empty means all."""
    return tuple(json.loads(version.games))


def plays(version: BotVersion, game: str) -> bool:
    """Tell whether a bot version plays a game."""
    games = games_of(version)
    return not games or game in games


def find_same(store: Store, bundle: Bundle) -> BotVersion | None:
    """Return the version of this bot that has just this content, if there is one."""
    with store.session() as session:
        query = select(BotVersion).where(BotVersion.name == bundle.name, BotVersion.bundle_hash == bundle.hash)
        return session.exec(query).first()


def check_spelling(store: Store, name: str) -> None:
    """Refuse a name that differs from another bot's only in upper and lower case. Raises :class:`WrongUse`."""
    with store.session() as session:
        query = select(BotVersion.name).where(func.lower(BotVersion.name) == name.lower(), BotVersion.name != name)
        if other := session.exec(query).first():
            raise WrongUse(f"bot name {name!r}: there is {other!r} already, and names must differ in more than case")


def add_version(store: Store, bundle: Bundle) -> BotVersion:
    """Store a bundle as the next version of its bot."""
    try:
        return _add_version(store, bundle)
    except IntegrityError:
        # Another process took the number, or stored the same content: only then is there a second try.
        return find_same(store, bundle) or _add_version(store, bundle)


def _add_version(store: Store, bundle: Bundle) -> BotVersion:
    with store.session() as session:
        last = session.exec(select(func.max(BotVersion.version)).where(BotVersion.name == bundle.name)).one()
        version = BotVersion(
            name=bundle.name,
            version=(last or 0) + 1,
            description=bundle.description,
            command=json.dumps(bundle.command),
            games=json.dumps(bundle.games),
            bundle_hash=bundle.hash,
        )
        session.add(version)
    return version


def all_versions(store: Store, name: str | None = None) -> list[BotVersion]:
    """Return every version, or those of one bot, by name and version."""
    with store.session() as session:
        query = select(BotVersion)
        if name is not None:
            query = query.where(BotVersion.name == name)
        # Databases sort names in ways of their own, and the schedule follows from this order.
        return sorted(session.exec(query), key=lambda version: (version.name, version.version))


def latest_versions(store: Store) -> list[BotVersion]:
    """Return the latest version of every bot, by name."""
    return list({version.name: version for version in all_versions(store)}.values())


def find_version(store: Store, text: str) -> BotVersion:
    """Return the bot version that a text names: ``name`` (the latest), ``name@3`` or ``name:3``.

    Raises :class:`UnknownName`.
    """
    name, _, number = text.replace(":", "@").partition("@")
    versions = all_versions(store, name)
    if not versions:
        raise unknown("bot", name, [v.name for v in latest_versions(store)], "submit one first")
    if not number:
        return versions[-1]
    for version in versions:
        if str(version.version) == number:
            return version
    known = ", ".join(str(v.version) for v in versions)
    raise UnknownName(f"unknown version {number!r} of bot {name}: known are {known}")

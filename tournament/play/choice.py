"""What a person types, as an action: its number, its notation, or as much of it as tells it from the others."""

from collections.abc import Callable, Sequence

MOST_NAMED = 12
"""Actions that a message names at most."""


class Unclear(ValueError):
    """A text that names no legal action, or several: the message says which."""


def find_action(text: str, legal_actions: Sequence[str]) -> str:
    """Return the legal action that a text means.

    That is its number from 1, its notation, what follows its verb, or the beginning of either. Upper and lower case
    are alike where no action is written just so. Raises :class:`Unclear`.
    """
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(legal_actions):
        return legal_actions[int(text) - 1]
    wanted = text.lower()
    tests: tuple[Callable[[str], bool], ...] = (
        lambda action: action == text,
        lambda action: _arguments(action) == text,
        lambda action: wanted in (action.lower(), _arguments(action).lower()),
        lambda action: action.lower().startswith(wanted) or _arguments(action).lower().startswith(wanted),
    )
    for means in tests:
        hits = [action for action in legal_actions if means(action)]
        if len(hits) == 1:
            return hits[0]
        if hits:
            more = f" and {len(hits) - MOST_NAMED} more" if len(hits) > MOST_NAMED else ""
            raise Unclear(f"{text!r} may be {', '.join(hits[:MOST_NAMED])}{more}")
    raise Unclear(f"{text!r} is no legal action")


def _arguments(action: str) -> str:
    return action.partition(" ")[2]

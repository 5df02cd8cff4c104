"""What may be told of a match.

The boards of a tournament have the same cards at every table, and a match that has ended may still be played by
others. So no card of any match goes out before the tournament is finished and its seed is revealed: no face, no
action, no counter, no event, and no words of a bot or about its answer, which might tell cards. Until then a replay
shows how many cards lie where, who acted and how long it took. Results and verdicts are told at once.

A result that is voided, or a bot that is added, makes a tournament unfinished again: then this holds again.
"""

from dataclasses import dataclass

from tournament.store.tournaments import StoredTournament


@dataclass(frozen=True, slots=True)
class Sight:
    """What goes out of the matches of a tournament."""

    cards: bool
    """Cards, actions, comments and the reasons of verdicts."""
    logs: bool
    """What bots wrote, and the last turn that a bot at fault was asked."""

    @classmethod
    def of(cls, tournament: StoredTournament, show_logs: bool = False) -> "Sight":
        """Return what may be told; ``show_logs`` is whether this reader may see what bots wrote."""
        return cls(cards=tournament.finished, logs=tournament.finished and show_logs)

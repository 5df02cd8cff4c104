"""A seat's time in one match: free for each decision, a bank for what goes beyond, strikes for what exceeds both."""

from cardpit import TimeControl

MAX_STRIKES = 3
MAX_STRIKES_IN_REAL_TIME = 50
"""A decision of a real-time game is worth little, and there are many."""


WALL_FACTOR = 3.0
"""Where CPU time is charged, the wall clock may run so many times as long."""


def default_strikes(*, real_time: bool) -> int:
    """Return how many strikes forfeit a match where nothing else is said."""
    return MAX_STRIKES_IN_REAL_TIME if real_time else MAX_STRIKES


class SeatClock:
    """Counts what a seat has left. All times are in seconds."""

    __slots__ = ("bank", "control", "strikes", "timeouts", "used")

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank = control.bank_time
        self.used = 0.0
        """For all decisions so far."""
        self.strikes = 0
        """Answers that were replaced by the default action."""
        self.timeouts = 0
        """Those strikes that were late answers."""

    @property
    def limit(self) -> float:
        """How much the next decision may cost at most."""
        return self.control.move_time + self.bank

    @property
    def wall_limit(self) -> float:
        """How long the next decision may take at most on the wall clock."""
        return self.limit * (WALL_FACTOR if self.control.meter == "cpu" else 1.0)

    def charge(self, used_time: float) -> None:
        """Count the time of one decision: what it took beyond ``move_time`` is drawn from the bank."""
        self.used += used_time
        overrun = used_time - self.control.move_time
        if overrun > 0.0:
            self.bank = max(0.0, self.bank - overrun)

    def strike(self, *, late: bool) -> bool:
        """Count a strike and tell whether the seat forfeits by it."""
        self.strikes += 1
        self.timeouts += late
        return self.strikes >= self.control.max_strikes

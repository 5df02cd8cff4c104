"""What a tournament is: its effective configuration, stored with it and shown before it starts."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from cardpit import TimeControl
from cardpit.games import Value
from referee.orders import Conduct


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EntrantConfiguration(_Frozen):
    """A bot version that takes part."""

    bot: str
    version: int
    bundle_hash: str
    time_odds: tuple[float, float] | None = None
    """Move time and bank time in seconds, if they are not everybody's."""
    added: bool = False
    """Whether it came after the start; such bots stand behind the others, in the order in which they came."""

    @property
    def label(self) -> str:
        """Name and version, as options take them."""
        return f"{self.bot}@{self.version}"


class PoolConfiguration(_Frozen):
    """One game of a tournament."""

    game: str
    rules_version: int
    parameters: dict[str, Value]
    seats: int
    schedule: str
    rounds: int | None = None
    """How many, where each rests on the results of those before it."""
    third_place: bool = False
    """Whether a knockout has a pairing for it."""
    boards: int
    """For each pairing."""
    max_strikes: int
    bots: tuple[EntrantConfiguration, ...]


class ConductConfiguration(_Frozen):
    """How matches are held. Durations are in seconds."""

    move_time: float = TimeControl().move_time
    bank_time: float = TimeControl().bank_time
    match_time: float = TimeControl().match_time
    startup_time: float = Conduct().startup_time
    clock: Literal["lockstep", "realtime"] = "lockstep"
    """``realtime`` closes each tick of a real-time game on the wall clock."""
    tick_time: float = TimeControl().tick_time
    meter: Literal["wall", "cpu"] = "wall"
    """What a decision is charged: the time until its answer, or the CPU time that it took the bot."""
    ponder: bool = Conduct().ponder
    tables: int = Conduct().tables
    restart: Literal["room", "match"] = "room"
    jail: str = Conduct().jail
    transport: Literal["unix", "tcp"] = "unix"

    def conduct(self, max_strikes: int) -> Conduct:
        """Return the same as an order to the referee."""
        return Conduct(
            TimeControl(
                move_time=self.move_time,
                bank_time=self.bank_time,
                match_time=self.match_time,
                max_strikes=max_strikes,
                realtime=self.clock == "realtime",
                tick_time=self.tick_time,
                meter=self.meter,
            ),
            ponder=self.ponder,
            startup_time=self.startup_time,
            tables=self.tables,
            restart=self.restart,
            jail=self.jail,
            transport=self.transport,
        )


class SprtConfiguration(_Frozen):
    """A sequential test of whether the first bot's mean score against the second is rather p0 or rather p1."""

    p0: float
    p1: float
    error: float = 0.05
    """How often either answer may be wrong where it is."""


class Configuration(_Frozen):
    """A whole tournament."""

    name: str
    conduct: ConductConfiguration
    bench_after: int = 10
    """A bot at fault in so many matches in a row plays no more in that pool; 0 means never."""
    sprt: SprtConfiguration | None = None
    """Set where two bots play until this test ends."""
    seeds_from: str | None = None
    """The tournament whose ratings put the bots in order, if any did."""
    pools: tuple[PoolConfiguration, ...]

"""Bots of every kind that the SDK knows, by the name given as first argument."""

import asyncio
import os
import sys

from cardpit import BatchBot, Bot


class First(Bot):
    """Plays the first legal action."""

    def act(self, turn):
        return turn.legal_actions[0]


class Draw(Bot):
    """Draws from the randomness of its table alone."""

    def act(self, turn):
        return self.table.rng.randrange(len(turn.legal_actions))


class Patient(Bot):
    """Thinks asynchronously, at all of its tables at once, and says at how many."""

    thinking = 0
    most = 0

    async def act(self, turn):
        Patient.thinking += 1
        Patient.most = max(Patient.most, Patient.thinking)
        await asyncio.sleep(0.005)
        Patient.thinking -= 1
        return turn.legal_actions[-1]

    def closed(self, result):
        print("thought at", Patient.most, "tables at once")


class Batch(BatchBot):
    """Answers all of its tables in one call, and says how many turns it got at most."""

    most = 0

    def act_many(self, turns):
        if len({turn.table.number for turn in turns}) != len(turns):
            print("two turns of one table at once")
        self.most = max(self.most, len(turns))
        return [turn.table.rng.randrange(len(turn.legal_actions)) for turn in turns]

    def closed(self, result):
        print("table", self.table.number, "closed: got", self.most, "turns at once")


class AsyncBatch(Batch):
    """The same, asynchronously."""

    async def act_many(self, turns):
        await asyncio.sleep(0)
        return super().act_many(turns)


class Talker(Bot):
    """Prints on every turn, and comments on each odd one: the second time at more length than is kept."""

    def act(self, turn):
        print("turn", turn.number)
        print("to stderr", file=sys.stderr)
        if turn.number % 2:
            self.comment = "short" if turn.number == 1 else "long " * 100
        return 0


class Wordy(Bot):
    """Comments on every turn at far too great length, in characters of four bytes."""

    def act(self, turn):
        self.comment = chr(0x1F0CF) * 20_000
        return 0


class Diary(Bot):
    """Writes down when its methods are called, and with what."""

    def __init__(self):
        self.turns = 0

    def opened(self, table):
        if self.turns:
            print("an instance sits at two tables")
        print("process", os.getpid(), "at", os.environ["CARDPIT_ADDRESS"])
        control = table.time_control
        print(f"opened {table.number} {table.game} {table.rules_version} seat {table.seat} of {table.seats}")
        print(f"seed {table.bot_seed.hex()} parameters {dict(table.parameters)}")
        print(f"time {control.move_time} {control.bank_time} {control.match_time} {control.max_strikes}")

    def act(self, turn):
        self.turns += 1
        print(f"turn {turn.number} move_time {turn.move_time} bank_time {turn.bank_time}")
        return 0

    def closed(self, result):
        print(f"closed {self.table.number} {result.payoffs} {result.places} {result.terminations}")


class WrongType(Bot):
    """Forgets to return anything."""

    def act(self, turn):
        turn.legal_actions[0]


class AsyncWrongType(Bot):
    """Forgets to return anything, asynchronously."""

    async def act(self, turn):
        turn.legal_actions[0]


class WrongNumber(BatchBot):
    """Answers none of its turns."""

    def act_many(self, turns):
        return []


BOTS = {
    "first": First,
    "draw": Draw,
    "patient": Patient,
    "batch": Batch,
    "async-batch": AsyncBatch,
    "talker": Talker,
    "wordy": Wordy,
    "diary": Diary,
    "wrong-type": WrongType,
    "async-wrong-type": AsyncWrongType,
    "wrong-number": WrongNumber,
}


if __name__ == "__main__":
    BOTS[sys.argv[1]].run()

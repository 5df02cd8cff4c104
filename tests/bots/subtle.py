"""Bots that play well in most matches and are wrong all the same, by the name given as first argument."""

import os
import queue
import sys
import time

import grpc
from google.protobuf.unknown_fields import UnknownFieldSet

from cardpit import Bot
from cardpit.v1 import referee_pb2 as pb
from cardpit.v1 import referee_pb2_grpc


class First(Bot):
    """Plays the first legal action."""

    def act(self, turn):
        return 0


class LongList(First):
    """Answers with an index beyond its list where the list is long."""

    def act(self, turn):
        return len(turn.legal_actions) if len(turn.legal_actions) > 500 else 0


class LowerCase(First):
    """Writes notations in lower case."""

    def act(self, turn):
        return turn.legal_actions[-1].lower() if "K" in turn.legal_actions[-1] else 0


class Believer(First):
    """Keeps its hand by itself, as if all that it chooses were played."""

    def opened(self, table):
        self.hand = []

    def act(self, turn):
        action = turn.legal_actions[0]
        if turn.phase == "play":
            self.hand = self.hand or [card[0] for card in turn.hand]
        if action.startswith("play"):
            for rank in action.split()[1].replace("+", ""):
                self.hand.remove(rank)
        return action


class OneSeat(First):
    """Has one place for what it knows of its match."""

    sits = False

    def opened(self, table):
        if OneSeat.sits:
            raise RuntimeError("this bot sits at a table already")
        OneSeat.sits = True

    def closed(self, result):
        OneSeat.sits = False


class CrashAtTheEnd(First):
    """Raises when a match has ended."""

    def closed(self, result):
        raise RuntimeError("this bot cannot look at a result")


class OneGame(First):
    """Says that it plays all games, and knows one."""

    def act(self, turn):
        return 0 if turn.table.game == "landlord" else turn.legal_actions.index("pass now")


class HelloOfOne(First):
    """Names one game in its Hello."""

    games = ("landlord",)


class Raw:
    """A bot without an SDK; the others are made of it by what they do otherwise. It plays the first legal action."""

    table = 0
    count = 0

    def run(self):
        requests = queue.SimpleQueue()
        hello = pb.Hello(token=os.environ["CARDPIT_TOKEN"], protocol=1, max_tables=4)
        requests.put(pb.PlayRequest(hello=hello))
        with grpc.insecure_channel(os.environ["CARDPIT_ADDRESS"]) as channel:
            for response in referee_pb2_grpc.RefereeStub(channel).Play(iter(requests.get, None)):
                kind = response.WhichOneof("kind")
                self.look(response, kind)
                if kind == "table_opened":
                    self.table = response.table_opened.table
                elif kind == "turns":
                    decisions = [decision for turn in response.turns.turns for decision in self.decide(turn)]
                    requests.put(pb.PlayRequest(decisions=pb.Decisions(decisions=decisions)))
                elif kind == "farewell":
                    self.end(requests)

    def look(self, response, kind):
        pass

    def decide(self, turn):
        self.count += 1
        return [pb.Decision(table=turn.table, turn=turn.turn, index=0)]

    def end(self, requests):
        requests.put(None)


class FirstTable(Raw):
    """Knows of no table but the first."""

    def decide(self, turn):
        return [pb.Decision(table=1, turn=turn.turn, index=0)]


class LastTable(Raw):
    """Answers for the table that was opened last."""

    def decide(self, turn):
        return [pb.Decision(table=self.table, turn=turn.turn, index=0)]


class OwnCount(Raw):
    """Counts its turns by itself, those of all tables."""

    def decide(self, turn):
        self.count += 1
        return [pb.Decision(table=turn.table, turn=self.count, index=0)]


class OldTurn(Raw):
    """Answers the turn before where that was not applied."""

    def decide(self, turn):
        number = turn.turn - 1 if turn.HasField("substitution") else turn.turn
        return [pb.Decision(table=turn.table, turn=number, index=0)]


class Twice(Raw):
    """Answers each turn twice."""

    def decide(self, turn):
        return super().decide(turn) * 2


class FirstTurn(Raw):
    """Answers one turn of each message."""

    def look(self, response, kind):
        self.answered = False

    def decide(self, turn):
        if self.answered:
            return []
        self.answered = True
        return super().decide(turn)


class LongComment(Raw):
    """Says more than is kept, and counts on the referee to cut it off."""

    def decide(self, turn):
        return [pb.Decision(table=turn.table, turn=turn.turn, index=0, comment="x" * 300)]


class KnowsAllFields(Raw):
    """Refuses fields that it does not know."""

    def look(self, response, kind):
        for message in (response, *response.turns.turns):
            if len(UnknownFieldSet(message)):
                raise ValueError("this message has more fields than were agreed on")


class KnowsAllKinds(Raw):
    """Refuses kinds of messages that it does not know."""

    def look(self, response, kind):
        if kind is None:
            raise ValueError("this message is of no kind that was agreed on")


class Stays(Raw):
    """Does not end at Farewell."""

    def end(self, requests):
        time.sleep(60)


class FailsAtFarewell(Raw):
    """Ends with an error at Farewell."""

    def end(self, requests):
        raise RuntimeError("this bot cannot say goodbye")


BOTS = {
    "long-list": LongList,
    "lower-case": LowerCase,
    "believer": Believer,
    "one-seat": OneSeat,
    "crash-at-the-end": CrashAtTheEnd,
    "one-game": OneGame,
    "hello-of-one": HelloOfOne,
    "first-table": FirstTable,
    "last-table": LastTable,
    "own-count": OwnCount,
    "old-turn": OldTurn,
    "twice": Twice,
    "first-turn": FirstTurn,
    "long-comment": LongComment,
    "knows-all-fields": KnowsAllFields,
    "knows-all-kinds": KnowsAllKinds,
    "stays": Stays,
    "fails-at-farewell": FailsAtFarewell,
    "slow-start": First,
    "exits": First,
}


if __name__ == "__main__":
    name = sys.argv[1]
    if name == "slow-start":
        time.sleep(60)
    if name == "exits":
        sys.exit(0)
    bot = BOTS[name]
    if issubclass(bot, Bot):
        bot.run()
    else:
        bot().run()
        # A Python process that has used gRPC sometimes hangs when it ends by itself.
        os._exit(0)

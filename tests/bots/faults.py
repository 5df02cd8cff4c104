"""Bots that misbehave, by the name given as first argument. The referee must deal with each of them."""

import ctypes
import os
import queue
import signal
import subprocess
import sys
import time

import grpc

from cardpit import Bot
from cardpit.v1 import referee_pb2 as pb
from cardpit.v1 import referee_pb2_grpc


class Honest(Bot):
    """Plays the first legal action."""

    def act(self, turn):
        return 0


class Late(Honest):
    """Answers its second turn long after the deadline, and says afterwards what it was told."""

    def act(self, turn):
        if turn.number == 2:
            time.sleep(0.6)
        if turn.substitution:
            print("told:", turn.substitution.reason, turn.substitution.action, turn.substitution.strikes, flush=True)
        return 0


class Spin(Honest):
    """Never answers its second turn."""

    def act(self, turn):
        while turn.number == 2:
            pass
        return 0


class Stop(Honest):
    """Stops itself at its second turn."""

    def act(self, turn):
        if turn.number == 2:
            os.kill(os.getpid(), signal.SIGSTOP)
        return 0


class Crash(Honest):
    """Raises at its second turn."""

    def act(self, turn):
        if turn.number == 2:
            raise RuntimeError("this bot cannot count to two")
        return 0


class Segfault(Honest):
    """Reads where nothing is, at its second turn."""

    def act(self, turn):
        if turn.number == 2:
            ctypes.string_at(0)
        return 0


class Quit(Honest):
    """Ends without an error at its second turn."""

    def act(self, turn):
        if turn.number == 2:
            os._exit(0)
        return 0


class WrongIndex(Honest):
    """Answers with an index that no action has."""

    def act(self, turn):
        return 10_000


class WrongAtTheFirst(Honest):
    """Answers wrongly at its first table, and well at the others."""

    def act(self, turn):
        return -1 if turn.table.number == 1 else 0


class Gibberish(Honest):
    """Answers with what is no action."""

    def act(self, turn):
        return "castle kingside"


class Chatty(Honest):
    """Writes much on every turn, to both outputs and from C."""

    def act(self, turn):
        if turn.number == 1:
            print("the very first line")
            for stream in (sys.stdout, sys.stderr):
                for _ in range(1000):
                    stream.write("x" * 9999 + "\n")
        print("turn", turn.number)
        os.write(1, b"from below\n")
        return 0


class Family(Honest):
    """Starts a family that wants to outlive it: sessions of their own, deaf to SIGTERM, behind a shell."""

    def opened(self, table):
        script = "trap '' TERM INT HUP; while :; do sleep 1000 & wait; done"
        for _ in range(3):
            subprocess.Popen(["setsid", "sh", "-c", script])
            subprocess.Popen(["sh", "-c", f'(setsid sh -c "{script}" &)'])


class Ponder(Honest):
    """Thinks 0.2 s about every decision, and says what it was told of the last."""

    def act(self, turn):
        time.sleep(0.2)
        if turn.substitution:
            print("told:", turn.substitution.reason, turn.substitution.strikes, flush=True)
        return 0


class NeverSlaps(Honest):
    """Says nothing for a second when it is to slap."""

    def act(self, turn):
        if turn.phase == "slap":
            time.sleep(1)
        return 0


class Hesitate(Honest):
    """Thinks 0.03 s about every decision."""

    def act(self, turn):
        time.sleep(0.03)
        return 0


class Patricide(Honest):
    """Kills the process that watches over it."""

    def act(self, turn):
        if turn.number == 2:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        return 0


class SlowStart(Honest):
    """Needs two seconds before it says Hello."""


class NeverSaysHello(Honest):
    """Runs, and never connects."""


def stream(requests):
    # Without a pool of its own, a second channel would share the first one's connection.
    channel = grpc.insecure_channel(os.environ["CARDPIT_ADDRESS"], [("grpc.use_local_subchannel_pool", 1)])
    return referee_pb2_grpc.RefereeStub(channel).Play(requests)


def hello(token=None):
    return pb.PlayRequest(hello=pb.Hello(token=token or os.environ["CARDPIT_TOKEN"], protocol=1))


def wrong_token():
    """Knocks with a token that nobody gave it."""
    for _ in range(5):
        try:
            list(stream(iter([hello("0" * 32)])))
        except grpc.RpcError as error:
            print(error.code(), error.details(), flush=True)
    time.sleep(60)


def two_streams():
    """Opens a second stream beside its first."""

    def forever():
        yield hello()
        time.sleep(60)

    first = stream(forever())
    next(first)
    try:
        list(stream(iter([hello()])))
    except grpc.RpcError as error:
        print(error.code(), error.details(), flush=True)
    time.sleep(60)


def flood():
    """Sends decisions nobody asked for."""

    def requests():
        yield hello()
        while True:
            yield pb.PlayRequest(decisions=pb.Decisions(decisions=[pb.Decision(table=99, turn=n) for n in range(9)]))

    for _ in stream(requests()):
        pass
    time.sleep(60)


def padder():
    """Thinks 0.1 s about every decision, and sends another one with it that nobody has asked for."""
    answers = queue.SimpleQueue()
    answers.put(hello())
    for message in stream(iter(answers.get, None)):
        for turn in message.turns.turns:
            time.sleep(0.1)
            ours = pb.Decision(table=turn.table, turn=turn.turn, index=0)
            answers.put(pb.PlayRequest(decisions=pb.Decisions(decisions=[ours, pb.Decision(table=99, turn=turn.turn)])))
        if message.HasField("farewell"):
            answers.put(None)


def second_hello():
    """Introduces itself twice."""

    def requests():
        yield hello()
        yield hello()
        time.sleep(60)

    for _ in stream(requests()):
        pass
    time.sleep(60)


def send_comment(size):
    def requests():
        yield hello()
        yield pb.PlayRequest(decisions=pb.Decisions(decisions=[pb.Decision(table=1, turn=1, comment="x" * size)]))
        time.sleep(60)

    try:
        for _ in stream(requests()):
            pass
    except grpc.RpcError as error:
        print(error.code(), error.details(), flush=True)
    time.sleep(60)


def large():
    """Sends a message of 200 kB."""
    send_comment(200_000)


def huge():
    """Sends a message of 100 MB."""
    send_comment(100_000_000)


def garbage():
    """Sends bytes that are no message."""
    channel = grpc.insecure_channel(os.environ["CARDPIT_ADDRESS"])
    call = channel.stream_stream(
        "/cardpit.v1.Referee/Play", request_serializer=lambda b: b, response_deserializer=pb.PlayResponse.FromString
    )

    def requests():
        yield hello().SerializeToString()
        yield b"\xff\xff\xff\xff"

    for _ in call(requests()):
        pass
    time.sleep(60)


def half_close():
    """Says that it will send no more, and stays."""
    for _ in stream(iter([hello()])):
        pass
    time.sleep(60)


def exit_early():
    """Ends with an error before it says Hello."""
    print("this bot has a syntax error, say", file=sys.stderr, flush=True)
    sys.exit(3)


BOTS = {
    "honest": Honest,
    "late": Late,
    "spin": Spin,
    "stop": Stop,
    "crash": Crash,
    "segfault": Segfault,
    "quit": Quit,
    "wrong-index": WrongIndex,
    "wrong-at-the-first": WrongAtTheFirst,
    "gibberish": Gibberish,
    "chatty": Chatty,
    "family": Family,
    "never-slaps": NeverSlaps,
    "hesitate": Hesitate,
    "ponder": Ponder,
    "patricide": Patricide,
    "slow-start": SlowStart,
    "no-hello": NeverSaysHello,
}

SCRIPTS = {
    "wrong-token": wrong_token,
    "two-streams": two_streams,
    "flood": flood,
    "padder": padder,
    "second-hello": second_hello,
    "large": large,
    "huge": huge,
    "garbage": garbage,
    "half-close": half_close,
    "exit-early": exit_early,
}


if __name__ == "__main__":
    name = sys.argv[1]
    if name == "slow-start":
        time.sleep(2)
    if name == "no-hello":
        time.sleep(60)
    if name in SCRIPTS:
        SCRIPTS[name]()
    else:
        BOTS[name].run()

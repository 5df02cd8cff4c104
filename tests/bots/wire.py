"""Bots that abuse the wire itself, by the name given as first argument; those of ``faults.py`` speak gRPC well."""

import os
import queue
import socket
import sys
import time

import grpc

from cardpit.v1 import referee_pb2 as pb
from cardpit.v1 import referee_pb2_grpc

ADDRESS = os.environ["CARDPIT_ADDRESS"]
OWN_POOL = ("grpc.use_local_subchannel_pool", 1)


def stub():
    return referee_pb2_grpc.RefereeStub(grpc.insecure_channel(ADDRESS, [OWN_POOL]))


def hello():
    return pb.PlayRequest(hello=pb.Hello(token=os.environ["CARDPIT_TOKEN"], protocol=1))


def decision(turn=None, **more):
    table, number = (turn.table, turn.turn) if turn else (99, 1)
    return pb.PlayRequest(decisions=pb.Decisions(decisions=[pb.Decision(table=table, turn=number, **more)]))


def stay():
    time.sleep(60)


def connection():
    found = socket.socket(socket.AF_UNIX)
    found.settimeout(0.2)
    found.connect(ADDRESS.removeprefix("unix:"))
    return found


def play(heard=lambda response: None, drawn_out=stay):
    """Play the first legal action of every turn, until Farewell."""
    requests = queue.SimpleQueue()
    requests.put(hello())
    for response in stub().Play(iter(requests.get, None)):
        heard(response)
        for turn in response.turns.turns:
            requests.put(decision(turn, index=0))
        if response.HasField("farewell"):
            drawn_out()


def garbage():
    """Sends what is no HTTP/2, again and again, and never says Hello."""
    for _ in range(20):
        try:
            with connection() as wire:
                wire.sendall(os.urandom(3_000_000))
        except OSError:
            continue
    stay()


def preface():
    """Begins as HTTP/2 does and falls silent, on a hundred connections."""
    kept = []
    for _ in range(100):
        kept.append(connection())
        kept[-1].sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
    stay()


def connections():
    """Opens a thousand connections and says nothing on any."""
    kept = []
    for _ in range(1000):
        try:
            kept.append(connection())
        except OSError:
            kept[:100] = []
    stay()


def compressed():
    """Sends 200 MB that weigh 200 kB on the way."""

    def requests():
        yield hello()
        yield decision(comment="x" * 200_000_000)
        stay()

    for _ in stub().Play(requests(), compression=grpc.Compression.Gzip):
        pass
    stay()


def metadata():
    """Calls with 20 kB of metadata."""
    for _ in range(5):
        try:
            list(stub().Play(iter([hello()]), metadata=[("x-heavy", "x" * 20_000)]))
        except grpc.RpcError as error:
            print(error.code(), flush=True)
    stay()


def calls():
    """Opens a thousand calls and breaks each off."""
    referee = stub()
    for _ in range(1000):
        call = referee.Play(iter([]))
        call.cancel()
        time.sleep(0.001)
    stay()


def silent_call():
    """Opens a call and never says Hello on it."""

    def requests():
        stay()
        yield hello()

    for _ in range(5):
        try:
            list(stub().Play(requests()))
        except grpc.RpcError as error:
            print(error.code(), error.details(), flush=True)
    stay()


def unread():
    """Sends decisions nobody asked for, and reads nothing."""

    def requests():
        yield hello()
        while True:
            yield decision(comment="x" * 100)

    call = stub().Play(requests())
    stay()
    call.cancel()


def drip():
    """Says Hello, and from then on only comments on a table that is not there."""

    def requests():
        yield hello()
        for _ in range(30):
            time.sleep(0.2)
            yield decision(comment="still thinking")
        stay()

    for _ in stub().Play(requests()):
        pass
    stay()


def deaf():
    """Says Hello and never reads what it is sent."""

    def requests():
        yield hello()
        stay()

    call = stub().Play(requests())
    stay()
    call.cancel()


def lingering():
    """Plays well, and does not end at Farewell."""
    play()


def listening():
    """Plays well, and writes down every byte that it is told."""
    play(lambda response: print(response.SerializeToString(deterministic=True).hex(), flush=True), lambda: os._exit(0))


BOTS = {
    "garbage": garbage,
    "preface": preface,
    "connections": connections,
    "compressed": compressed,
    "metadata": metadata,
    "calls": calls,
    "silent-call": silent_call,
    "unread": unread,
    "drip": drip,
    "deaf": deaf,
    "lingering": lingering,
    "listening": listening,
}

if __name__ == "__main__":
    BOTS[sys.argv[1]]()

"""A bot of raw gRPC that prints every message of its stream as readable text. Its second answer is illegal."""

import os
import queue

import grpc
from google.protobuf import text_format

from cardpit.v1 import referee_pb2 as pb
from cardpit.v1 import referee_pb2_grpc

INDENT = "    "


def show(arrow, message):
    kind = message.WhichOneof("kind")
    print(f"{arrow} {kind}")
    write(getattr(message, kind), 1)
    print()


def write(message, depth):
    """Print a message, one field a line; what has no messages inside but a duration is one line."""
    for field, value in message.ListFields():
        for one in value if field.is_repeated else [value]:
            if field.name == "token":
                print(f'{INDENT * depth}token: "(the value of CARDPIT_TOKEN)"')
            elif field.message_type is None:
                part = type(message)()
                if field.is_repeated:
                    getattr(part, field.name).append(one)
                else:
                    setattr(part, field.name, one)
                print(INDENT * depth + text_format.MessageToString(part, as_one_line=True))
            elif field.name in ("turns", "decisions", "observation", "time_control", "result"):
                print(f"{INDENT * depth}{field.name} {{")
                write(one, depth + 1)
                print(f"{INDENT * depth}}}")
            else:
                print(f"{INDENT * depth}{field.name} {{ {text_format.MessageToString(one, as_one_line=True)} }}")


def answer(turn):
    decision = pb.Decision(table=turn.table, turn=turn.turn)
    if turn.turn == 1:
        decision.index = 0
    elif turn.turn == 2:
        decision.action = "play xX"
        decision.comment = "it has no such cards"
    else:
        decision.action = turn.legal_actions[0]
    return decision


def main():
    requests = queue.SimpleQueue()

    def send(request):
        show("bot -> referee:", request)
        requests.put(request)

    send(
        pb.PlayRequest(
            hello=pb.Hello(
                token=os.environ["CARDPIT_TOKEN"], protocol=1, sdk_name="trace", sdk_version="1.0", games=["landlord"]
            )
        )
    )
    with grpc.insecure_channel(os.environ["CARDPIT_ADDRESS"]) as channel:
        for response in referee_pb2_grpc.RefereeStub(channel).Play(iter(requests.get, None)):
            show("referee -> bot:", response)
            if response.HasField("turns"):
                decisions = [answer(turn) for turn in response.turns.turns]
                send(pb.PlayRequest(decisions=pb.Decisions(decisions=decisions)))
            elif response.HasField("farewell"):
                requests.put(None)


main()

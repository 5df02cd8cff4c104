"""A bot of raw gRPC that prints every message of its stream in protobuf's text format. Its second answer is illegal."""

import os
import queue

import grpc

from cardpit.v1 import referee_pb2 as pb
from cardpit.v1 import referee_pb2_grpc

OPENED = ("decisions", "observation", "result", "time_control", "turns")
"""The messages whose fields have lines of their own."""


def show(arrow, message):
    kind = message.WhichOneof("kind")
    print(f"{arrow} {kind}")
    print_fields(getattr(message, kind), "    ")
    print()


def print_fields(message, indent):
    for field, value in message.ListFields():
        if field.name in OPENED:
            for one in value if field.is_repeated else [value]:
                print(f"{indent}{field.name} {{")
                print_fields(one, indent + "    ")
                print(f"{indent}}}")
        elif field.message_type is not None and field.is_repeated:
            for one in value:
                print(indent + text(field, one))
        else:
            print(indent + text(field, value))


def text(field, value):
    if field.message_type is not None:
        return f"{field.name} {{ {' '.join(text(*part) for part in value.ListFields())} }}".replace("{  }", "{}")
    if field.name == "token":
        value = "(the value of CARDPIT_TOKEN)"
    if field.is_repeated:
        return f"{field.name}: [{', '.join(scalar(field, one) for one in value)}]"
    return f"{field.name}: {scalar(field, value)}"


def scalar(field, value):
    if field.enum_type is not None:
        return field.enum_type.values_by_number[value].name
    if isinstance(value, bytes):
        return '"' + "".join(f"\\x{byte:02x}" for byte in value) + '"'
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def answer(turn):
    decision = pb.Decision(table=turn.table, turn=turn.turn)
    if turn.turn == 1:
        decision.index = 0
    elif turn.turn == 2:
        decision.action = "play xX"
        decision.comment = "nobody can play yet"
    else:
        decision.action = turn.legal_actions[0]
    return decision


def main():
    requests = queue.SimpleQueue()

    def send(request):
        show("bot -> referee:", request)
        requests.put(request)

    token = os.environ["CARDPIT_TOKEN"]
    send(pb.PlayRequest(hello=pb.Hello(token=token, protocol=1, sdk_name="trace", games=["landlord"])))
    with grpc.insecure_channel(os.environ["CARDPIT_ADDRESS"]) as channel:
        for response in referee_pb2_grpc.RefereeStub(channel).Play(iter(requests.get, None)):
            show("referee -> bot:", response)
            if response.HasField("turns"):
                decisions = [answer(turn) for turn in response.turns.turns]
                send(pb.PlayRequest(decisions=pb.Decisions(decisions=decisions)))
            elif response.HasField("farewell"):
                requests.put(None)


main()

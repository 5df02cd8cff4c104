"""The committed stubs of the kits are made from the protos as they are now: each describes its messages."""

import base64
import re
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorProto

from cardpit.v1 import referee_pb2

SDK = Path(__file__).parent.parent.parent / "sdk"


def described(data: bytes) -> FileDescriptorProto:
    """Return a description without what depends on the language."""
    file = FileDescriptorProto.FromString(data)
    file.ClearField("options")
    file.ClearField("dependency")
    for message in file.message_type:
        for field in message.field:
            field.ClearField("json_name")
    return file


def go_bytes(text: str) -> bytes:
    """Return what string literals of Go mean."""
    escapes = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
    pattern = r"\\x(?P<byte>..)|\\u(?P<rune>....)|\\(?P<short>.)|(?P<plain>[^\\])"

    def meaning(token: re.Match[str]) -> bytes:
        if token["byte"]:
            return bytes.fromhex(token["byte"])
        if token["rune"]:
            return chr(int(token["rune"], 16)).encode()
        if token["short"]:
            return bytes([escapes.get(token["short"], ord(token["short"]))])
        return token["plain"].encode()

    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return b"".join(meaning(token) for token in re.finditer(pattern, "".join(literals)))


def test_the_stubs_for_node_are_fresh() -> None:
    text = (SDK / "node/src/cardpit/v1/referee_pb.ts").read_text(encoding="utf-8")
    (data,) = re.findall(r'fileDesc\("([^"]*)"', text)
    found = base64.b64decode(data + "=" * (-len(data) % 4))
    assert described(found) == described(referee_pb2.DESCRIPTOR.serialized_pb), "in sdk/node: npm run generate"


def test_the_stubs_for_go_are_fresh() -> None:
    text = (SDK / "go/v1/referee.pb.go").read_text(encoding="utf-8")
    found = go_bytes(text.split("rawDesc = ")[1].split("\n\n")[0])
    assert described(found) == described(referee_pb2.DESCRIPTOR.serialized_pb), "in sdk/go: go generate"

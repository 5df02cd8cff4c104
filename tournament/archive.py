"""Records as they lie in the store: compressed, and opened again."""

import zstandard
from google.protobuf.message import DecodeError

from cardpit.v1 import record_pb2 as pb
from referee.record import parse

MAX_SIZE = 64 * 1024 * 1024
"""Bytes that a record may have: a damaged one must not fill the memory."""

_compressor = zstandard.ZstdCompressor(level=3, write_checksum=True)


def compress(data: bytes) -> bytes:
    """Return data as one zstandard frame with a checksum."""
    return _compressor.compress(data)


def decompress(data: bytes) -> bytes:
    """Return what a zstandard frame holds. Raises ``ValueError`` where it is damaged."""
    try:
        return zstandard.ZstdDecompressor().decompress(data, max_output_size=MAX_SIZE)
    except zstandard.ZstdError as error:
        raise ValueError(f"it cannot be unpacked: {error}") from None


def open_record(record: bytes, timings: bytes) -> tuple[pb.Record, pb.Timings]:
    """Return a record and its timings from their frames. Raises ``ValueError`` where they are damaged."""
    try:
        return parse(decompress(record)), pb.Timings.FromString(decompress(timings))
    except DecodeError as error:
        raise ValueError(f"its timings are none: {error}") from None

"""The protobuf wire format, written directly where building messages would cost several times as much."""

_VARINT = 0
_LENGTH = 2

_DIGITS = tuple(bytes((value,)) for value in range(128))
_SHORT_HEADS = tuple(bytes((field << 3 | _LENGTH, size)) for field in range(16) for size in range(128))
"""What stands before the bytes of a field, by its number and their number."""


def varint(value: int) -> bytes:
    """Return a whole number as base-128 digits, lowest first; a negative one as its 64-bit complement."""
    if 0 <= value < 128:
        return _DIGITS[value]
    value &= 0xFFFF_FFFF_FFFF_FFFF
    digits = bytearray()
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def block(field: int, data: bytes) -> bytes:
    """Return a field of bytes, text or a message. Field numbers are below 16."""
    size = len(data)
    if size < 128:
        return _SHORT_HEADS[field << 7 | size] + data
    return b"%c%b%b" % (field << 3 | _LENGTH, varint(size), data)


def number(field: int, value: int) -> bytes:
    """Return a field of a whole number, which stands even if it is 0. Field numbers are below 16."""
    return b"%c%b" % (field << 3 | _VARINT, varint(value))

"""What a bot writes to stdout and stderr: always drained, so that it never blocks; head and tail are kept."""

import asyncio
import os
from collections import deque

_CHUNK = 64 * 1024
_BURST = 16
"""Chunks read at once before others get their turn."""
_PAUSE_TIME = 0.005


class Output:
    """Drains one pipe into a log of bounded size."""

    def __init__(self, loop: asyncio.AbstractEventLoop, pipe: int, size: int) -> None:
        self._loop = loop
        self._pipe: int | None = pipe
        self._half = size // 2
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._dropped = 0
        os.set_blocking(pipe, False)
        loop.add_reader(pipe, self._drain)

    @property
    def text(self) -> str:
        """What was kept, with a line that counts the bytes that were not."""
        tail = b"".join(self._tail)
        cut = max(0, len(tail) - self._half)
        dropped = self._dropped + cut
        parts = [bytes(self._head).decode(errors="replace")]
        if dropped:
            parts.append(f"\n[... {dropped} bytes dropped ...]\n")
        parts.append(tail[cut:].decode(errors="replace"))
        return "".join(parts)

    def close(self) -> None:
        """Read what is left and let go of the pipe."""
        if self._pipe is None:
            return
        self._loop.remove_reader(self._pipe)
        while self._read():
            pass
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None

    def _drain(self) -> None:
        for _ in range(_BURST):
            if not self._read():
                return
        if self._pipe is not None:
            # A flood must not keep the referee from its matches.
            self._loop.remove_reader(self._pipe)
            self._loop.call_later(_PAUSE_TIME, self._resume)

    def _resume(self) -> None:
        if self._pipe is not None:
            self._loop.add_reader(self._pipe, self._drain)

    def _read(self) -> bool:
        """Read one chunk and tell whether there may be more."""
        if self._pipe is None:
            return False
        try:
            chunk = os.read(self._pipe, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self._loop.remove_reader(self._pipe)
            os.close(self._pipe)
            self._pipe = None
            return False
        room = self._half - len(self._head)
        self._head += chunk[:room]
        rest = chunk[room:] if room > 0 else chunk
        if rest:
            self._tail.append(rest)
            self._tail_size += len(rest)
            while self._tail_size - len(self._tail[0]) >= self._half:
                gone = self._tail.popleft()
                self._tail_size -= len(gone)
                self._dropped += len(gone)
        return True

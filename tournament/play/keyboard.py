"""What a person types, line by line, while the event loop goes on."""

import asyncio
import codecs
import os
import termios
import threading
import tty
from collections.abc import Callable
from types import TracebackType
from typing import Self

_ERASE = ("\x7f", "\b")
_END = "\x04"


class Keyboard:
    """Reads a descriptor in a thread of its own. A file or a pipe serves as well as a terminal.

    ``alive`` is for screens that change while a line is typed: the terminal then hands over each character at once,
    ``typed`` has the line so far, and ``on_key`` is called after each change, so that it can be shown.
    """

    def __init__(self, descriptor: int = 0, *, alive: bool = False) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        """Each line without its end, and None once there will be no more."""
        self.typed = ""
        """The line so far, where the keyboard is alive."""
        self.on_key: Callable[[], None] = lambda: None
        self.alive = alive and os.isatty(descriptor)
        self._descriptor = descriptor
        self._restore: Callable[[], None] = lambda: None
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def __enter__(self) -> Self:
        """Begin to read."""
        if self.alive:
            settings = termios.tcgetattr(self._descriptor)
            self._restore = lambda: termios.tcsetattr(self._descriptor, termios.TCSADRAIN, settings)
            tty.setcbreak(self._descriptor)
        loop = asyncio.get_running_loop()
        # It may wait for a key that never comes: the process does not wait for it.
        threading.Thread(target=self._read, args=(loop,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._restore()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        data = b" "
        while data:
            try:
                data = os.read(self._descriptor, 4096)
            except OSError:  # a terminal whose other end is gone
                data = b""
            try:
                loop.call_soon_threadsafe(self._take, data)
            except RuntimeError:  # the loop is closed: nobody listens any more
                return

    def _take(self, data: bytes) -> None:
        for character in self._decode(data):
            if character in "\r\n":
                self.lines.put_nowait(self.typed)
                self.typed = ""
            elif not self.alive:
                self.typed += character
            elif character in _ERASE:
                self.typed = self.typed[:-1]
            elif character == _END:
                self.lines.put_nowait(None)
            elif character.isprintable():
                self.typed += character
        if not data:
            if self.typed and not self.alive:
                self.lines.put_nowait(self.typed)
            self.lines.put_nowait(None)
        self.on_key()

"""A person's place at the table, in a terminal: shows the turns, reads what is typed."""

import asyncio
import re
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.markdown import Markdown

from cardpit import Result, Table, Turn
from cardpit.games import find_game
from referee.seats.person import News, PersonSeat
from tournament.play.adviser import Adviser
from tournament.play.choice import Unclear, find_action
from tournament.play.keyboard import Keyboard
from tournament.replay import draw
from tournament.web.documents import documents

MOST_LISTED = 60
"""Actions that are listed with their numbers; the others are there all the same."""

PROMPT = "> "

COMMANDS = """\
Type the number of an action, or the action: `555+6` will do for `play 555+6`, and so does any beginning that tells it
from the others. A number that stands in the list always means its place there.

| word | |
|---|---|
| `?` | this page |
| `rules` | the rules of the game |
| `table` | show the table again |
| `hint` | what a search of a second would do |
| `quit` | leave, which forfeits the match |
"""


class Terminal:
    """Attends to one person at one table."""

    def __init__(self, seat: PersonSeat, keyboard: Keyboard, console: Console, names: Sequence[str]) -> None:
        """``names`` are who sits where, by seat."""
        self._seat = seat
        self._keyboard = keyboard
        self._console = console
        self._names = names
        self._table: Table | None = None
        self._adviser: Adviser | None = None
        self._shown: Turn | None = None
        """The turn that the screen shows."""
        self._meant: Sequence[str] | None = None
        """The list that was shown when the line was begun: its numbers are meant."""
        self._came = asyncio.Event()

    async def attend(self) -> None:
        """Show what comes and obey what is typed, until the match has ended."""
        self._keyboard.on_key = self._on_key
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(self._listen())
            async for piece in self._seat.news():
                self._show(piece)
                self._came.set()
            listening.cancel()
        self._keyboard.on_key = lambda: None

    def _show(self, piece: News) -> None:
        if isinstance(piece, Table):
            self._table, self._adviser = piece, Adviser(piece)
            others = ", ".join(f"{name} in seat {seat}" for seat, name in enumerate(self._names) if seat != piece.seat)
            self._console.print(f"{find_game(piece.game).name}: you are in seat {piece.seat}, {others}", style="bold")
            self._console.print("? tells what you can type, quit leaves", style="dim")
        elif isinstance(piece, Turn):
            if self._adviser is not None:
                self._adviser.watch(piece)
            if not self._keyboard.alive or self._shown is None or _look(piece) != _look(self._shown):
                self._draw(piece)
            self._shown = piece
        elif isinstance(piece, Result):
            self._say("the match is over")

    def _draw(self, turn: Turn) -> None:
        if self._keyboard.alive:
            self._console.clear()
        for line in draw(turn.observation):
            self._console.print(line)
        if turn.substitution is not None:
            self._console.print(
                f"  in place of your last answer ({turn.substitution.reason}): {turn.substitution.action}"
            )
        for text in listed(turn.legal_actions, self._console.width):
            self._console.print(text, markup=False)
        self._prompt()

    def _prompt(self) -> None:
        if self._console.is_terminal:
            start = "\r\x1b[K" if self._keyboard.alive else ""
            self._console.file.write(start + PROMPT + (self._keyboard.typed if self._keyboard.alive else ""))
            self._console.file.flush()

    def _say(self, text: str, style: str = "") -> None:
        if self._console.is_terminal and self._keyboard.alive:
            self._console.file.write("\r\x1b[K")
        self._console.print(text, style=style, markup=False)

    def _on_key(self) -> None:
        if self._keyboard.typed and self._meant is None and self._shown is not None:
            self._meant = self._shown.legal_actions
        if self._keyboard.alive:
            self._prompt()

    async def _listen(self) -> None:
        while (line := await self._keyboard.lines.get()) is not None:
            text = " ".join(line.split())
            if text == "quit":
                break
            await self._until(lambda: self._shown is not None)
            if not await self._obey(text):
                self._prompt()
        self._seat.leave()

    async def _obey(self, text: str) -> bool:
        """Do what was typed, and tell whether a decision was made."""
        meant, self._meant = self._meant, None
        if text in ("?", "help"):
            self._console.print(Markdown(COMMANDS + self._section("Actions")), soft_wrap=False)
        elif text == "rules":
            self._console.print(Markdown(self._section("Rules")), soft_wrap=False)
        elif text == "table" and self._shown is not None:
            self._draw(self._shown)
        elif text == "hint" and self._adviser is not None:
            self._say(await self._adviser.advise())
        elif text:
            return await self._decide(text, meant)
        return False

    async def _decide(self, text: str, meant: Sequence[str] | None) -> bool:
        await self._until(lambda: self._seat.turn is not None)
        turn = self._seat.turn
        assert turn is not None, "nothing else runs between the two"
        try:
            action = find_action(text, meant if meant is not None and self._keyboard.alive else turn.legal_actions)
        except Unclear as unclear:
            self._say(f"{unclear}: ? tells what can be typed", "red")
            return False
        if not self._seat.decide(turn.number, action):
            self._say(f"{action} is no longer legal", "red")
            return False
        return True

    async def _until(self, holds: Callable[[], bool]) -> None:
        """Wait until something that depends on the news holds."""
        while not holds():
            self._came.clear()
            await self._came.wait()

    def _section(self, heading: str) -> str:
        """Return a section of the game's page."""
        assert self._table is not None, "the table is the first piece of news"
        page = (documents() / "games" / f"{self._table.game}.md").read_text(encoding="utf-8")
        sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
        return f"\n## {heading}\n{sections[heading]}"


def listed(actions: Sequence[str], width: int) -> list[str]:
    """Return the lines of a list of actions with their numbers, in columns."""
    cells = [f"{number:>4} {action}" for number, action in enumerate(actions[:MOST_LISTED], 1)]
    cell = max(map(len, cells), default=0) + 2
    columns = max(1, width // cell)
    lines = [
        "".join(text.ljust(cell) for text in cells[start : start + columns]).rstrip()
        for start in range(0, len(cells), columns)
    ]
    if len(actions) > MOST_LISTED:
        lines.append(
            f"     and {len(actions) - MOST_LISTED} more: begin to type one, and those that begin so are named"
        )
    return lines


def _look(turn: Turn) -> object:
    """Return what changes the screen: not the counters, for ticks are counted."""
    return turn.phase, turn.observation.zones, turn.legal_actions

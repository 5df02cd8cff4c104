"""Submissions over the network: taken in within quotas, then tried one after the other by a process of their own.

An archive and the log of its trial lie in the home's ``submissions`` until the trial has ended. A server that stops
leaves them there, and the next one goes on.
"""

import asyncio
import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from fastapi import HTTPException
from starlette.concurrency import run_in_threadpool

from tournament.errors import Busy, StoreFailed, UnknownName
from tournament.home import Home
from tournament.parcel import MAX_ARCHIVE_SIZE
from tournament.store.accounts import User
from tournament.store.database import Store
from tournament.store.submissions import (
    Status,
    StoredSubmission,
    add_submission,
    counts_of,
    find_submission,
    running,
    set_status,
    waiting,
)
from tournament.web.audit import audit
from tournament.web.trial import REFUSED

_log = logging.getLogger(__name__)

COUNTED = 2**62
"""Bytes of a request whose size the intake limits itself, to say how much is allowed."""

UPLOAD_TIME = 120.0
"""Seconds that an archive may take to arrive."""

TRIAL_TIME = 1200.0
"""Seconds that building and trying may take."""

END_TIME = 5.0
"""Seconds that a trial has to end by itself."""

MAX_LOG = 64 * 1024
"""Bytes of a log that are kept: its end."""

LOOK_TIME = 1.0
"""Seconds between two looks for submissions that another process has taken in."""


@dataclass(frozen=True, slots=True)
class Quotas:
    """How much a user may submit."""

    waiting: int = 3
    """Submissions that are not yet tried."""
    minute: int = 6
    day: int = 50
    size: int = MAX_ARCHIVE_SIZE
    """Bytes of an archive."""


class Intake:
    """Takes submissions in and has them tried."""

    def __init__(self, store: Store, home: Home, *, jail: str | None, quotas: Quotas | None = None) -> None:
        self.quotas = quotas or Quotas()
        self.closed = jail is None
        """Whether there is no jail that holds, so that nothing is taken in."""
        self._store = store
        self._home = home
        self._jail = jail or ""
        self._taking_in = asyncio.Lock()
        self._news = asyncio.Event()

    async def check(self, user: User) -> None:
        """Refuse what goes beyond a quota, or cannot be tried here."""
        if self.closed:
            raise HTTPException(503, "this server takes no submissions: no jail that holds works on its machine")
        counts = await run_in_threadpool(counts_of, self._store, user)
        quotas = self.quotas
        for count, quota, what, wait in (
            (counts.waiting, quotas.waiting, "waiting for their trial", 10),
            (counts.minute, quotas.minute, "in the last minute", 60),
            (counts.day, quotas.day, "in the last 24 hours", 3600),
        ):
            if count >= quota:
                message = f"{count} submissions {what}: {quota} are allowed"
                raise HTTPException(429, message, {"Retry-After": str(wait)})

    async def receive(self, user: User, bot: str, chunks: AsyncIterator[bytes]) -> int:
        """Take an archive in and return the key of its submission. Refuses what goes beyond a quota."""
        await self.check(user)
        draft = await run_in_threadpool(self._draft)
        try:
            size = await self._write(draft, chunks)
            # Two that arrive together are counted one after the other.
            async with self._taking_in:
                await self.check(user)
                key = await run_in_threadpool(add_submission, self._store, user, bot, size)
                draft.rename(self._archive(key))
        finally:
            draft.unlink(missing_ok=True)
        self._news.set()
        return key

    async def log(self, submission: StoredSubmission) -> str:
        """Return what a trial has said so far."""
        if submission.status.ended:
            return submission.log
        try:
            return await run_in_threadpool(self._read_log, submission.id)
        except FileNotFoundError:
            # It has ended meanwhile, or has not begun.
            return (await run_in_threadpool(find_submission, self._store, submission.id)).log

    async def work(self) -> None:
        """Try what waits, one after the other, for as long as the server runs.

        Of several servers with one home, one does this.
        """
        while not self.closed:
            try:
                with self._home.locked(".submissions"):
                    await run_in_threadpool(self._resume)
                    while True:
                        await self._try_waiting()
            except Busy:
                await asyncio.sleep(LOOK_TIME)
            except (StoreFailed, OSError) as error:
                # Nothing is lost: what was being tried is tried again.
                _log.error("submissions wait: %s", error)
                await asyncio.sleep(LOOK_TIME)

    async def _try_waiting(self) -> None:
        self._news.clear()
        keys = [key for key in await run_in_threadpool(waiting, self._store) if self._archive(key).exists()]
        for key in keys:
            await self._try(key)
        if not keys:
            try:
                await asyncio.wait_for(self._news.wait(), LOOK_TIME)
            except TimeoutError:
                return

    async def _try(self, key: int) -> None:
        await run_in_threadpool(set_status, self._store, key, Status.RUNNING)
        folder = Path(await run_in_threadpool(tempfile.mkdtemp, prefix=".trial-", dir=self._folder))
        try:
            status = await self._run(key, folder)
            log = await run_in_threadpool(self._read_log, key)
            if status is Status.FAILED:
                _log.error("submission %d could not be tried: %s", key, log[-500:])
            await run_in_threadpool(set_status, self._store, key, status, log)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        submission = await run_in_threadpool(find_submission, self._store, key)
        audit(None, submission.user, f"submission {status}", submission=key, bot=submission.bot)
        self._archive(key).unlink(missing_ok=True)
        self._log_file(key).unlink(missing_ok=True)

    async def _run(self, key: int, folder: Path) -> Status:
        """Run a trial to its end, or kill it; its bots end with it."""
        words = (str(self._home.folder), str(key), str(self._archive(key)), self._jail)
        self._log_file(key).write_bytes(b"")
        with self._log_file(key).open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "tournament.web.trial", *words),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=asyncio.subprocess.STDOUT,
                cwd=folder,
                env=os.environ | {"PYTHONUNBUFFERED": "1", "NO_COLOR": "1"},
                start_new_session=True,
            )
        try:
            code = await asyncio.wait_for(process.wait(), TRIAL_TIME)
        except TimeoutError:
            await _end(process)
            await run_in_threadpool(self._say, key, f"it took longer than {TRIAL_TIME:g} s: it is refused")
            return Status.REFUSED
        finally:
            await _end(process)
        return {0: Status.ACCEPTED, REFUSED: Status.REFUSED}.get(code, Status.FAILED)

    @property
    def _folder(self) -> Path:
        return self._home.folder / "submissions"

    def _archive(self, key: int) -> Path:
        return self._folder / f"{key}.archive"

    def _log_file(self, key: int) -> Path:
        return self._folder / f"{key}.log"

    def _read_log(self, key: int) -> str:
        return self._log_file(key).read_bytes()[-MAX_LOG:].decode(errors="replace")

    def _say(self, key: int, line: str) -> None:
        with self._log_file(key).open("a") as log:
            log.write(f"{line}\n")

    def _draft(self) -> Path:
        self._make_folder()
        descriptor, name = tempfile.mkstemp(prefix=".upload-", dir=self._folder)
        os.close(descriptor)
        return Path(name)

    async def _write(self, draft: Path, chunks: AsyncIterator[bytes]) -> int:
        size = 0
        try:
            async with asyncio.timeout(UPLOAD_TIME):
                with draft.open("wb") as file:
                    async for chunk in chunks:
                        size += len(chunk)
                        if size > self.quotas.size:
                            most = f"{self.quotas.size / 2**20:g} MiB"
                            raise HTTPException(413, f"the archive is larger than {most}: that much is allowed")
                        await run_in_threadpool(file.write, chunk)
        except TimeoutError:
            raise HTTPException(408, f"the archive did not arrive within {UPLOAD_TIME:g} s") from None
        if not size:
            raise HTTPException(422, "the archive is empty: a tar.gz or a zip is wanted")
        return size

    def _resume(self) -> None:
        """Take up what a server that has stopped left behind."""
        self._make_folder()
        for path in self._folder.glob(".trial-*"):
            shutil.rmtree(path, ignore_errors=True)
        for path in self._folder.glob(".upload-*"):
            if path.stat().st_mtime < time.time() - UPLOAD_TIME:
                path.unlink(missing_ok=True)
        for key in running(self._store):
            if self._archive(key).exists():
                set_status(self._store, key, Status.WAITING)
        for path in self._folder.glob("*.archive"):
            if self._ended(int(path.stem)):
                path.unlink(missing_ok=True)
                self._log_file(int(path.stem)).unlink(missing_ok=True)

    def _make_folder(self) -> None:
        # A bot may run as another user of this machine: what others have handed in is not for it to read.
        self._folder.mkdir(mode=0o700, exist_ok=True)

    def _ended(self, key: int) -> bool:
        try:
            return find_submission(self._store, key).status.ended
        except UnknownName:
            return True


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a trial that goes on: it clears up behind itself, if it can."""
    for number, patience in ((signal.SIGINT, END_TIME), (signal.SIGKILL, None)):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            await asyncio.wait([asyncio.ensure_future(process.wait())], timeout=patience)

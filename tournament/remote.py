"""Submitting to a server over the network."""

import http.client
import json
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import cardpit
from tournament.bundle import Bundle
from tournament.errors import BadConfiguration, Failure, Refused
from tournament.parcel import MAX_ARCHIVE_SIZE, pack

ANSWER_TIME = 60.0
"""Seconds that the server may take to answer."""

PAUSE = 0.5
"""Seconds between two looks at a submission."""

PATIENCE = 5
"""How often the server may be out of reach in a row while a submission is followed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What has become of a submission since it was last asked for."""

    status: str
    said: str
    """What was added to its log."""
    label: str
    """Name and version of what it became; empty until it is accepted."""

    @property
    def ended(self) -> bool:
        """Whether nothing more will become of it."""
        return self.status not in ("waiting", "running")


class Remote:
    """A server that takes submissions."""

    def __init__(self, server: str, token: str) -> None:
        """Remember where it is. Raises :class:`BadConfiguration` where that is no address."""
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise BadConfiguration(f"--server {server!r}: an address such as https://cards.example.org is allowed")
        try:
            self._port = parts.port
        except ValueError:
            raise BadConfiguration(f"--server {server!r}: its port is none: 1 to 65535 are allowed") from None
        if not token.isascii() or not token.isprintable():
            raise BadConfiguration("the token has characters that no token has: tournament users shows it as it is")
        self.server = server.rstrip("/")
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._path = parts.path.rstrip("/")
        self._token = token

    @property
    def readable(self) -> bool:
        """Whether others on the way can read the token."""
        return not self._secure and self._host not in ("localhost", "127.0.0.1", "::1")

    def submit(self, bundle: Bundle) -> int:
        """Hand a bundle in and return the key of the submission. Raises :class:`Refused` with what the server says."""
        archive = pack(bundle.files)
        if len(archive) > MAX_ARCHIVE_SIZE:
            raise Refused(
                f"bot {bundle.name}: packed it has more than {MAX_ARCHIVE_SIZE // 2**20} MiB, which are allowed"
            )
        answer = self._ask("POST", f"/submissions?{urlencode({'name': bundle.name})}", archive)
        return int(str(answer["id"]))

    def follow(self, key: int) -> Iterator[Progress]:
        """Yield what becomes of a submission, until it is accepted or refused."""
        known = failed = 0
        while True:
            try:
                answer = self._ask("GET", f"/submissions/{key}?after={known}")
            except Failure as error:
                # The submission goes on without us: a server that is started again is waited for.
                failed += 1
                if isinstance(error, Refused) or failed > PATIENCE:
                    raise
                time.sleep(PAUSE)
                continue
            failed, known = 0, int(str(answer["log_size"]))
            label = f"{answer['bot']} {answer['version']}" if answer["version"] else ""
            progress = Progress(str(answer["status"]), str(answer["log"]), label)
            yield progress
            if progress.ended:
                return
            time.sleep(PAUSE)

    def _ask(self, method: str, path: str, body: bytes | None = None) -> dict[str, object]:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/gzip",
            "User-Agent": f"cardpit/{cardpit.__version__}",
        }
        connection: http.client.HTTPConnection
        if self._secure:
            connection = http.client.HTTPSConnection(
                self._host, self._port, timeout=ANSWER_TIME, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=ANSWER_TIME)
        try:
            connection.request(method, f"{self._path}/api/v1{path}", body, headers)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"server {self.server} cannot be reached: {error or type(error).__name__}") from None
        finally:
            connection.close()
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Failure(f"server {self.server} answered {response.status}, and not as a Cardpit server does")
        if response.status >= 500:
            raise Failure(f"server {self.server} answered {response.status}: {answer.get('detail')}")
        if response.status >= 300:
            raise Refused(f"server {self.server} answered {response.status}: {answer.get('detail')}")
        return answer

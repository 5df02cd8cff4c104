"""Where a bot lives: a folder of its own, a jail, and a socket on which the referee serves it."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import grpc

from referee.orders import Conduct
from referee.sandbox import BotProcess, Confinement, Launch, Scratch, find_jail
from referee.seats.stream import SERVER_OPTIONS, Stream

KEPT_VARIABLES = ("LANG", "LC_ALL", "PATH", "TZ")
"""What a bot's environment keeps of the referee's."""


@cache
def _keep_running() -> None:
    """Keep gRPC's event thread until the process ends.

    Otherwise the last server to go ends it, whenever the garbage collector comes by, and may wait for it for ever.
    """
    grpc.aio.init_grpc_aio()


class Lodging(grpc.GenericRpcHandler):
    """A socket and a jail for one bot process, or for several, one after another."""

    def __init__(self) -> None:
        self.stream: Stream | None = None
        """Who serves the bot that calls; nobody does while it is None."""
        self.confinement: Confinement | None = None
        """How the jail confines, once something was started in it."""
        _keep_running()
        self._server = grpc.aio.server(options=SERVER_OPTIONS)
        self._server.add_generic_rpc_handlers((self,))

    def service(self, details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """Return what handles a call."""
        return self.stream.handler.service(details) if self.stream is not None else None

    async def start(
        self, command: tuple[str, ...], folder: Path, conduct: Conduct, variables: Mapping[str, str], channel: int = -1
    ) -> BotProcess:
        """Listen, and start a command in the jail, with ``channel`` as its standard input if there is one.

        Raises :class:`NoProgram` or :class:`JailError`.
        """
        jail = find_jail(conduct.jail)
        scratch = Scratch()
        try:
            address = self._listen(scratch, conduct.transport)
            await self._server.start()
            kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
            environment = kept | {"CARDPIT_ADDRESS": address, "PYTHONUNBUFFERED": "1", **variables}
            self.confinement = jail.confine(Launch(command, folder, environment, scratch))
            return BotProcess(self.confinement, scratch, conduct.log_size, channel)
        except BaseException:
            scratch.remove()
            raise

    async def close(self) -> None:
        """Listen no more."""
        await self._server.stop(None)

    def _listen(self, scratch: Scratch, transport: str) -> str:
        if transport == "tcp":
            return f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        address = f"unix:{scratch.socket}"
        self._server.add_insecure_port(address)
        return address

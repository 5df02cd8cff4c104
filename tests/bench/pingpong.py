"""A bare bidirectional gRPC stream that sends the same bytes back and forth: what a decision costs at the least."""

import asyncio
import os
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import uvloop

METHOD = "/bench.PingPong/Play"


def _identity(data: bytes) -> bytes:
    return data


class _Server(grpc.GenericRpcHandler):
    def __init__(self, ping: bytes, rounds: int) -> None:
        self._ping = ping
        self._rounds = rounds
        self.result: asyncio.Future[tuple[list[float], float]] = asyncio.get_running_loop().create_future()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        return grpc.stream_stream_rpc_method_handler(self._play, _identity, _identity)

    async def _play(self, requests: AsyncIterator[bytes], context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
        await context.read()
        times = []
        used = _cpu_time()
        for _ in range(self._rounds):
            started = time.perf_counter()
            await context.write(self._ping)
            await context.read()
            times.append(time.perf_counter() - started)
        self.result.set_result((times, _cpu_time() - used))


def _cpu_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def serve(ping: bytes, pong: bytes, rounds: int) -> tuple[list[float], float]:
    """Return the round-trip times in seconds and the CPU seconds that the server used for all of them."""
    server = grpc.aio.server()
    handler = _Server(ping, rounds)
    server.add_generic_rpc_handlers((handler,))
    with tempfile.TemporaryDirectory() as folder:
        address = f"unix:{Path(folder) / 'socket'}"
        server.add_insecure_port(address)
        await server.start()
        client = await asyncio.create_subprocess_exec(sys.executable, __file__, address, pong.hex())
        result = await handler.result
        await server.stop(None)
        await client.wait()
    return result


async def _answer(address: str, pong: bytes) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream(METHOD, _identity, _identity)()
        await call.write(pong)
        while await call.read() is not grpc.aio.EOF:
            await call.write(pong)


def measure(ping: bytes, pong: bytes, rounds: int) -> tuple[list[float], float]:
    """Run :func:`serve` in an event loop like the referee's."""
    return uvloop.run(serve(ping, pong, rounds))


if __name__ == "__main__":
    try:
        asyncio.run(_answer(sys.argv[1], bytes.fromhex(sys.argv[2])))
    except grpc.aio.AioRpcError:
        os._exit(0)

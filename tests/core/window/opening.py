"""The window served as `postern ui` does, and a slow way between it and its engine."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import ui
from tests.ports import free_port, is_answered

APP = Path(ui.__file__).parent / "app.py"
START_SECONDS = 240.0
"""How long a served window may take to start, seconds; far more than it needs."""


@contextmanager
def serving(api_port: int) -> Iterator[str]:
    """Serve the window over the engine at that port; yield its address."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(APP), f"--server.port={port}"]
    process = subprocess.Popen(
        [*command, "--server.address=127.0.0.1", "--logger.level=error"],
        env=os.environ | {"POSTERN_API_PORT": str(api_port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + START_SECONDS
    try:
        while not is_answered(f"http://127.0.0.1:{port}/_stcore/health"):
            assert process.poll() is None, "the window has ended"
            assert time.monotonic() < end, "the window did not start"
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=100)


class SlowWay:
    """Passes connections on to a port, each after `delay` seconds; the window makes one a call."""

    def __init__(self, to: int, delay: float) -> None:
        self.delay = delay
        self._to = to
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._begun.wait(timeout=60)

    def _run(self) -> None:
        with asyncio.Runner() as runner:  # at its end it cancels what is still passed on
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.port = int(server.sockets[0].getsockname()[1])
        self._begun.set()
        await self._ended.wait()
        server.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError, ConnectionError), closing(writer):
            await asyncio.sleep(self.delay)
            beyond, onward = await asyncio.open_connection("127.0.0.1", self._to)
            await asyncio.gather(_copy(reader, onward), _copy(beyond, writer))

    def close(self) -> None:
        """Stop passing on."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(timeout=100)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()

"""One child process of the supervisor: starting it, reading what it says, ending it."""

import asyncio
import contextlib
import ctypes
import http.client
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_PDEATHSIG = 1
FIRST_WAIT, LONGEST_WAIT, STEADY_SECONDS = 0.5, 30.0, 60.0
LOG_BYTES = 10_000_000

SayLine = Callable[[str, str], None]
"""Prints a line of a child; takes the child's name and the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSpec:
    """What to run and how to see that it is ready."""

    name: str
    """Prefix of its lines and name of its log file."""
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    """Added to our own environment."""
    ready_url: str = ""
    """Answers 2xx when ready; wins over `ready_port`."""
    ready_port: int = 0
    """Accepts connections on `ready_host` when ready; 0 means ready at once."""
    ready_host: str = "127.0.0.1"
    after: tuple[str, ...] = ()
    """Names of children that must be ready before this one starts."""


def compute_restart_delay(failures: int) -> float:
    """Return the seconds to wait before start number `failures` + 1: 0.5, doubling to 30."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(max(failures - 1, 0), 16))


class Child:
    """A process in its own group, which dies with us."""

    def __init__(self, spec: ChildSpec, log: Path, say: SayLine) -> None:
        self.spec = spec
        self.process: asyncio.subprocess.Process | None = None
        self.ready = asyncio.Event()
        self.starts = self.failures = 0
        self._log, self._say = log, say
        self._started_at = 0.0

    @property
    def pid(self) -> int:
        """Return the process id, 0 when it is not running."""
        if self.process is None or self.process.returncode is not None:
            return 0
        return self.process.pid

    async def run_once(self) -> int:
        """Start it, pass on what it says, and return its exit status when it has ended."""
        parent = os.getpid()
        self._started_at = time.monotonic()
        self.starts += 1
        self.process = await asyncio.create_subprocess_exec(
            *self.spec.argv,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **self.spec.env},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C on the terminal reaches the supervisor only
            preexec_fn=(lambda: _die_with_parent(parent)) if sys.platform == "linux" else None,
        )
        probe = asyncio.create_task(self._wait_until_ready())
        try:
            await self._pass_on_output(self.process)
            status = await self.process.wait()
        finally:
            probe.cancel()
            self.ready.clear()
            await asyncio.gather(probe, return_exceptions=True)
            self.send_signal(signal.SIGKILL)  # what it left behind in its group
        if time.monotonic() - self._started_at >= STEADY_SECONDS:
            self.failures = 0
        self.failures += 1
        return status

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and everything in its group."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    async def _pass_on_output(self, process: asyncio.subprocess.Process) -> None:
        if process.stdout is None:
            return
        rest = b""
        with _RollingFile(self._log) as file:
            while chunk := await process.stdout.read(65_536):
                file.write(chunk)
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._say(self.spec.name, line.decode("utf-8", "replace").rstrip())
                if len(rest) > 65_536:
                    self._say(self.spec.name, rest.decode("utf-8", "replace"))
                    rest = b""
        if rest:
            self._say(self.spec.name, rest.decode("utf-8", "replace"))

    async def _wait_until_ready(self) -> None:
        while not await self._is_ready():  # noqa: ASYNC110 - it is another process that gets ready
            await asyncio.sleep(0.1)
        self.ready.set()

    async def _is_ready(self) -> bool:
        if self.spec.ready_url:
            return await asyncio.to_thread(_is_answered, self.spec.ready_url)
        if not self.spec.ready_port:
            return True
        try:
            async with asyncio.timeout(1):
                _, writer = await asyncio.open_connection(
                    self.spec.ready_host, self.spec.ready_port
                )
        except (OSError, TimeoutError):
            return False
        writer.close()
        return True


class _RollingFile:
    """The last output of a child: one file, and the one before it, each up to `LOG_BYTES`.

    What a full disk cannot hold is left out: a child must not end because its words are not kept.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab", buffering=0)

    def __enter__(self) -> "_RollingFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):
            self._file.write(data)
            if self._file.tell() > LOG_BYTES:
                self._begin_another_file()

    def _begin_another_file(self) -> None:
        self._path.replace(self._path.with_suffix(".1.log"))
        before, self._file = self._file, self._path.open("ab", buffering=0)
        before.close()


def _is_answered(url: str) -> bool:
    """Return whether a URL is answered with 2xx; whatever else comes is no answer yet."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own loopback URL
            return 200 <= int(answer.status) < 300
    except (http.client.HTTPException, OSError, ValueError):  # URLError is an OSError
        return False


def _die_with_parent(parent: int) -> None:
    """Ask Linux to kill this process when the supervisor is gone, however it went."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it went before we asked
        os._exit(1)

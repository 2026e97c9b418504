"""One reading process as its parent sees it: start, ask, and know how it ended."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from connectors import parse_child
from data.errors import OutsideTemporaryError
from data.one_thread import ONE_THREAD

ANSWER_BYTES = 256 * 1024 * 1024
"""Largest answer that is taken from a reading process."""
START_SECONDS = 60.0
"""Time that a reading process has for its imports."""


class ChildEndedError(Exception):
    """The reading process ended, or was ended, before it answered; the text says how."""

    def __init__(self, text: str, *, message_at_fault: bool) -> None:
        super().__init__(text)
        self.message_at_fault = message_at_fault
        """Whether a limit was exceeded, so that trying the message again is of no use."""


class ReadingProcess:
    """A child process that reads messages under limits of processor time and memory."""

    def __init__(self, process: asyncio.subprocess.Process, wall_seconds: float) -> None:
        self._process = process
        self._wall_seconds = wall_seconds

    @classmethod
    async def start(
        cls, target: str, *, cpu_seconds: int, memory_mb: int, wall_seconds: float
    ) -> "ReadingProcess":
        """Start a process and wait until its imports are done.

        It gets no environment but the module path and one thread, so no secret of ours is in it,
        and is in a session of its own, so that a key press in the terminal ends only the parent.

        Raises:
            OutsideTemporaryError: it did not come up; its words are on standard error.
        """
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", parse_child.__name__),
            *(target, str(cpu_seconds), str(memory_mb)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={
                "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path),
                "PYTHONUTF8": "1",
                **ONE_THREAD,
            },
            start_new_session=True,
        )
        child = cls(process, START_SECONDS)
        try:
            await child.answer()
        except ChildEndedError as error:
            raise OutsideTemporaryError(
                f"the reading process for {target!r} did not start ({error}); "
                "see what it wrote on standard error"
            ) from error
        except asyncio.CancelledError:
            await child.kill()
            raise
        child._wall_seconds = wall_seconds
        return child

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs, as far as is known."""
        return self._process.returncode is None

    def ask(self, raws: Sequence[bytes]) -> None:
        """Hand over messages; the answers come one by one, in order."""
        assert self._process.stdin is not None  # noqa: S101 - it was asked for as a pipe
        with suppress(ConnectionError):
            self._process.stdin.writelines(
                piece for raw in raws for piece in (parse_child.LENGTH.pack(len(raw)), raw)
            )

    async def answer(self) -> tuple[int, bytes]:
        """Return the status and the payload of the next answer.

        Raises:
            ChildEndedError: the process died, took too long, or wrote no frame.
        """
        try:
            async with asyncio.timeout(self._wall_seconds):
                return await self._frame()
        except TimeoutError:
            await self.kill()
            raise ChildEndedError(
                f"no answer within {self._wall_seconds:g} seconds", message_at_fault=True
            ) from None
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.kill()
            ending, over_time = self._say_how_it_ended(), self._over_time()
            raise ChildEndedError(ending, message_at_fault=over_time) from None

    async def _frame(self) -> tuple[int, bytes]:
        """Read one frame."""
        assert self._process.stdout is not None  # noqa: S101 - it was asked for as a pipe
        head = await self._process.stdout.readexactly(parse_child.HEAD.size)
        status, length = parse_child.HEAD.unpack(head)
        if length > ANSWER_BYTES:
            await self.kill()
            raise ChildEndedError(f"an answer of {length} bytes", message_at_fault=True)
        return status, await self._process.stdout.readexactly(length)

    def _over_time(self) -> bool:
        """Whether the system ended the process for its processor time."""
        return self._process.returncode == -signal.SIGXCPU

    def _say_how_it_ended(self) -> str:
        """Return how the process ended, in words."""
        code = self._process.returncode
        if self._over_time():
            return "too much processor time"
        if code is not None and code < 0:
            return f"ended by signal {signal.Signals(-code).name}"
        return f"ended with code {code}"

    async def kill(self) -> None:
        """End the process and collect it; nothing happens when it has ended already."""
        with suppress(ProcessLookupError):
            if self._process.returncode is None and not await self._ends_by_itself():
                self._process.kill()
        await self._process.wait()
        self._close()

    async def _ends_by_itself(self) -> bool:
        """Whether the process ends by itself at once, so that its own reason is kept."""
        if self._process.stdout is None or not self._process.stdout.at_eof():
            return False
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await self._process.wait()
        return self._process.returncode is not None

    async def stop(self, seconds: float = 2.0) -> None:
        """Let the process finish by closing its input; end it when it does not."""
        self._close()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._process.wait()
        await self.kill()

    def _close(self) -> None:
        """Close our end of its input."""
        if self._process.stdin is not None:
            self._process.stdin.close()

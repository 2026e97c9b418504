"""Keeps the processes of Postern running: one readable stream, restarts, one orderly stop."""

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from flows.core.children import Child, ChildSpec, compute_restart_delay

STOP_SECONDS = 30.0
#: Of the stop time, what is left for those that did not obey TERM.
KILL_RESERVE = 3.0
COLORS = (36, 33, 35, 32, 34, 31)


class Supervisor:
    """Runs children until SIGINT or SIGTERM; a dead one is started again with backoff.

    They start in the order given, each after those it names in `after`, and stop in the reverse
    order: TERM to one after the other within `stop_seconds`, then KILL. A second signal kills
    at once. If the supervisor itself is killed, Linux kills the children.
    """

    def __init__(
        self,
        specs: Sequence[ChildSpec],
        logs: Path,
        *,
        stream: TextIO | None = None,
        stop_seconds: float = STOP_SECONDS,
    ) -> None:
        unknown = {need for spec in specs for need in spec.after} - {spec.name for spec in specs}
        if unknown:
            raise ValueError(f"no process is called {sorted(unknown)!r}")
        logs.mkdir(parents=True, exist_ok=True)
        self._stream = stream or sys.stdout
        self._colors = {s.name: COLORS[i % len(COLORS)] for i, s in enumerate(specs)}
        self._width = max((len(spec.name) for spec in specs), default=0)
        self._stop_seconds = stop_seconds
        self._stopping = asyncio.Event()
        self._signals = 0
        self.children = {
            spec.name: Child(spec, logs / f"{spec.name}.out.log", self.say) for spec in specs
        }

    def say(self, name: str, line: str) -> None:
        """Print a line of a child, with its name before it."""
        label = f"{name:<{self._width}} |"
        if self._stream.isatty():
            label = f"\x1b[{self._colors.get(name, 37)}m{label}\x1b[0m"
        with contextlib.suppress(OSError, ValueError):  # a closed pipe must not stop the service
            self._stream.write(f"{label} {line}\n")
            self._stream.flush()

    def stop(self) -> None:
        """Begin the orderly stop; from the second call on, kill."""
        self._signals += 1
        self._stopping.set()
        if self._signals > 1:
            for child in self.children.values():
                child.send_signal(signal.SIGKILL)

    async def run(self) -> None:
        """Run everything until told to stop; returns when no child is left."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(ValueError, RuntimeError):
                loop.add_signal_handler(number, self.stop)
        keepers = {
            name: asyncio.create_task(self._keep(child)) for name, child in self.children.items()
        }
        for keeper in keepers.values():
            keeper.add_done_callback(self._stop_if_failed)
        await self._stopping.wait()
        await self._stop_all(keepers)

    def _stop_if_failed(self, keeper: "asyncio.Task[None]") -> None:
        """Stop everything when a keeper itself has failed, rather than run on without it."""
        if not keeper.cancelled() and keeper.exception() is not None:
            self.stop()

    async def wait_ready(self, seconds: float) -> list[str]:
        """Return the names of the children that are not ready after `seconds`; [] when all are."""
        waits = [child.ready.wait() for child in self.children.values()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*waits)
        return [name for name, child in self.children.items() if not child.ready.is_set()]

    async def _keep(self, child: Child) -> None:
        """Start a child whenever it has ended, until the stop."""
        for name in child.spec.after:
            await self.children[name].ready.wait()
        while not self._stopping.is_set():
            try:
                status = await child.run_once()
            except OSError as error:
                child.failures += 1
                status, reason = -1, f"cannot be started: {error}"
            else:
                reason = _say_how_it_ended(status)
            if self._stopping.is_set():
                return
            wait = compute_restart_delay(child.failures)
            self.say(child.spec.name, f"{reason}; starting again in {wait:g} s")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._stopping.wait()

    async def _stop_all(self, keepers: dict[str, "asyncio.Task[None]"]) -> None:
        """TERM in the reverse order of starting, each waited for; KILL for what is left."""
        end = time.monotonic() + self._stop_seconds
        for name, child in reversed(self.children.items()):
            if not child.pid:
                keepers[name].cancel()
                continue
            child.send_signal(signal.SIGTERM)
            left = end - time.monotonic() - min(KILL_RESERVE, self._stop_seconds / 10)
            await asyncio.wait([keepers[name]], timeout=max(left, 0))
        for name, child in self.children.items():
            if not keepers[name].done():
                self.say(name, "did not stop in time and is killed")
                child.send_signal(signal.SIGKILL)
        ends = await asyncio.gather(*keepers.values(), return_exceptions=True)
        for end_of_keeper in ends:
            if isinstance(end_of_keeper, Exception):
                raise end_of_keeper


def _say_how_it_ended(status: int) -> str:
    """Return an exit status in words; a negative one is the number of a signal."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:  # most real-time signals have no name
        return f"was ended by signal {-status}"

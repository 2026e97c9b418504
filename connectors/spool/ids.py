"""Ids of spooled messages: sortable by arrival, unique across processes and restarts."""

import os
import threading
import time
from collections.abc import Iterable
from datetime import UTC, datetime

LENGTH = 26


class IdSource:
    """Gives ids that only rise: 16 hex digits of nanoseconds, then 10 random ones.

    When the clock steps back the source goes on from its own last value, and a new process
    starts above the highest id it finds waiting, so arrival order survives both.
    """

    def __init__(self, existing: Iterable[str] = ()) -> None:
        self._lock = threading.Lock()
        self._last = max((int(name[:16], 16) for name in existing if is_id(name)), default=0)

    def next(self) -> str:
        """Return the next id."""
        with self._lock:
            self._last = max(self._last + 1, time.time_ns())
            return f"{self._last:016x}{os.urandom(5).hex()}"


def came_at(spool_id: str) -> datetime:
    """Return when a message came, as its id says it."""
    return datetime.fromtimestamp(int(spool_id[:16], 16) / 1e9, UTC)


def is_id(name: str) -> bool:
    """Return whether a file name is an id of ours, and thus safe to use in a path."""
    return len(name) == LENGTH and name.isascii() and all(c in "0123456789abcdef" for c in name)

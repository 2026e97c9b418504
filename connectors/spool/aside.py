"""Messages that work on has failed for: how often it was tried, and where they are kept."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from connectors.spool import disk
from connectors.spool.ids import is_id
from data.errors import NotFoundError


class Aside:
    """The folders `bad/` and `tries/` of a spool."""

    def __init__(self, new: Path, bad: Path, tries: Path) -> None:
        self._new, self._bad, self._tries = new, bad, tries

    def count_try(self, spool_id: str) -> int:
        """Add one to the tries of a message, a byte in a file each; return how many it has."""
        path = self._tries / checked(spool_id)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, b".")
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def counts(self, ids: Iterable[str]) -> dict[str, int]:
        """Return how many tries those of the messages have that were tried and not forgotten."""
        counted = {path.name for path in self._tries.iterdir()}
        found: dict[str, int] = {}
        for spool_id in counted.intersection(ids):
            with contextlib.suppress(FileNotFoundError):
                found[spool_id] = (self._tries / spool_id).stat().st_size
        return found

    def tried_at(self, ids: Iterable[str]) -> dict[str, float]:
        """Return when work on each of these began last, in seconds of the clock on the wall."""
        found: dict[str, float] = {}
        for spool_id in ids:
            with contextlib.suppress(FileNotFoundError):
                found[spool_id] = (self._tries / spool_id).stat().st_mtime
        return found

    def forget_tries(self, ids: Iterable[str]) -> None:
        """Remove the counts of messages that are done."""
        counted = {path.name for path in self._tries.iterdir()}
        for spool_id in counted.intersection(ids):
            (self._tries / spool_id).unlink(missing_ok=True)

    def put(self, spool_id: str, reason: str) -> None:
        """Move a waiting message to `bad/`; the reason is durable first."""
        name = checked(spool_id)
        disk.write_durably(self._bad, f"{name}.reason", reason.encode("utf-8", "replace"))
        try:
            (self._new / name).rename(self._bad / name)
        except FileNotFoundError:
            (self._bad / f"{name}.reason").unlink(missing_ok=True)
            raise NotFoundError(f"no message {name!r} waits in the spool") from None
        disk.sync_folder(self._bad)
        disk.sync_folder(self._new)
        self.forget_tries([name])

    def list(self) -> list[tuple[str, str]]:
        """Return (spool_id, reason) in order of arrival."""
        names = sorted(path.name for path in self._bad.iterdir() if is_id(path.name))
        return [(name, self._reason(name)) for name in names]

    def restore(self, spool_id: str) -> None:
        """Move a message back to where intake finds it."""
        name = checked(spool_id)
        try:
            (self._bad / name).rename(self._new / name)
        except FileNotFoundError:
            raise NotFoundError(f"no message {name!r} was set aside") from None
        disk.sync_folder(self._new)
        (self._bad / f"{name}.reason").unlink(missing_ok=True)

    def _reason(self, name: str) -> str:
        try:
            return (self._bad / f"{name}.reason").read_text("utf-8", "replace")
        except FileNotFoundError:
            return ""


def checked(spool_id: str) -> str:
    """Return the id if it is one of ours, so that no other file can be named; NotFoundError."""
    if not is_id(spool_id):
        raise NotFoundError(f"{spool_id!r} is not the id of a spooled message")
    return spool_id

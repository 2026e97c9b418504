"""Messages that work on has failed for: how often it was tried, and where they are kept."""

import contextlib
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from connectors import disk
from connectors.spool.ids import is_id
from data.errors import NotFoundError


class AsideFolders:
    """The folders `bad/` and `tries/` of a spool: what intake gave up, and what it has begun."""

    def __init__(self, new: Path, bad: Path, tries: Path) -> None:
        self._new, self._bad, self._tries = new, bad, tries

    def count_tries(self, ids: Iterable[str]) -> dict[str, int]:
        """Count that work on messages begins, also across crashes; return which try it is of each.

        One file names those that begin together. From the `MAX_TRIES + 1`th try on, the caller
        should `put` a message here instead of trying.
        """
        names = [require_id(spool_id) for spool_id in ids]
        descriptor = disk.create_exclusive(self._tries / os.urandom(12).hex())
        try:
            disk.write_all(descriptor, ("\n".join(names).encode(),))
        finally:
            os.close(descriptor)
        return self.read_tries(names)

    def read_tries(self, ids: Iterable[str]) -> dict[str, int]:
        """Return how often work began on each of these messages and never ended."""
        counter = Counter(name for _, names, _ in self._begun() for name in names)
        return {spool_id: counter[spool_id] for spool_id in ids if spool_id in counter}

    def read_try_times(self, ids: Iterable[str]) -> dict[str, float]:
        """Return when work on each of these messages began last, in seconds since 1970."""
        ids_wanted, times_tried = set(ids), dict[str, float]()
        for _, names, at in self._begun():
            for name in ids_wanted.intersection(names):
                times_tried[name] = max(at, times_tried.get(name, at))
        return times_tried

    def forget_tries(self, ids: Iterable[str]) -> None:
        """Forget that work on these messages began: it has ended, well or not.

        Of others that were begun with them it stays.
        """
        done = set(ids)
        for path, names, at in self._begun():
            if done.isdisjoint(names):
                continue
            left = [name for name in names if name not in done]
            if left:
                shorter = path.with_name(f".{path.name}")
                shorter.write_text("\n".join(left), "ascii")
                os.utime(shorter, (at, at))
                shorter.replace(path)
            else:
                path.unlink(missing_ok=True)

    def _begun(self) -> list[tuple[Path, list[str], float]]:
        """Return the files of `tries/`: each names what was begun together, at its own time."""
        begun = []
        for path in self._tries.iterdir():
            if not path.name.startswith("."):
                with contextlib.suppress(FileNotFoundError):
                    names = path.read_text("ascii", "replace").split("\n")
                    begun.append((path, names, path.stat().st_mtime))
        return begun

    def put(self, spool_id: str, reason: str) -> None:
        """Move a waiting message to `bad/`, so that the others go on; the reason is durable first.

        Raises:
            NotFoundError: no such message waits; the reason of one in `bad/` stays as it is.

        """
        name = require_id(spool_id)
        if not (self._new / name).exists():
            raise NotFoundError(f"no message {name!r} waits in the spool")
        disk.write_durably(self._bad, f"{name}.reason", reason.encode("utf-8", "replace"))
        try:
            (self._new / name).rename(self._bad / name)
        except FileNotFoundError:
            (self._bad / f"{name}.reason").unlink(missing_ok=True)
            raise NotFoundError(f"no message {name!r} waits in the spool") from None
        disk.sync_folder(self._bad)
        disk.sync_folder(self._new)
        self.forget_tries([name])

    def list_reasons(self) -> list[tuple[str, str]]:
        """Return (spool_id, reason) of every message in `bad/`, in order of arrival."""
        names = sorted(path.name for path in self._bad.iterdir() if is_id(path.name))
        return [(name, self._reason(name)) for name in names]

    def _reason(self, name: str) -> str:
        try:
            return (self._bad / f"{name}.reason").read_text("utf-8", "replace")
        except FileNotFoundError:
            return ""


def require_id(spool_id: str) -> str:
    """Return an id that is one of ours, so that no other file can be named, else NotFoundError."""
    if not is_id(spool_id):
        raise NotFoundError(f"{spool_id!r} is not the id of a spooled message")
    return spool_id

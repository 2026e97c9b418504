"""The spool's folder: taking messages in, handing them to intake, and keeping watch."""

import contextlib
import heapq
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from connectors import disk, line_ends
from connectors.spool import file_format
from connectors.spool.dead_letters import AsideFolders, require_id
from connectors.spool.failures import (
    SpoolBusyError,
    SpoolDamagedError,
    from_os_error,
)
from connectors.spool.group import Group
from connectors.spool.health import Health
from connectors.spool.ids import IdSource, is_id
from connectors.spool.writer import SpoolWriter
from data.errors import NotFoundError, SpoolError
from data.records.core.envelope import Channel, Envelope
from data.settings import Settings

FOLDERS = ("tmp", "new", "bad", "tries")
MAX_TRIES = 5
GIB = 1 << 30


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class SpoolEntry:
    """A message that waits: its id and its file."""

    spool_id: str
    path: Path


class Spool:
    """The folder `tmp/ new/ bad/ tries/` that is the truth until intake has committed.

    Every process opens its own `Spool` on the same folder. `Spool(folder)` refuses a folder
    that is missing or has lost its layout; `Spool.create(folder)` makes a new one.
    """

    def __init__(
        self,
        folder: Path,
        *,
        min_free_bytes: int = 0,
        limit: int = 100_000,
        clock: Callable[[], datetime] = _utc_now,
    ) -> None:
        """Open the spool; `min_free_bytes` is the free space below which nothing is taken.

        `clock` says when a message was received.
        """
        self.folder, self._clock = folder, clock
        self.tmp, self.new, self.bad, self.tries = (folder / name for name in FOLDERS)
        self.limit = limit
        self.aside = AsideFolders(self.new, self.bad, self.tries)
        self.health = Health(self.tmp, self.new, min_free_bytes)
        self._group = Group(self.health)
        try:
            devices = {(folder / name).stat().st_dev for name in FOLDERS}
        except OSError as error:
            raise SpoolError(
                f"the spool {str(folder)!r} is missing or incomplete; mount its disk, or remove "
                "the folder so that a new one is made"
            ) from error
        if len(devices) > 1:
            raise SpoolError(f"the folders of {str(folder)!r} are not on one file system")
        self._ids = IdSource(self._names())

    @classmethod
    def create(
        cls,
        folder: Path,
        *,
        min_free_bytes: int = 0,
        limit: int = 100_000,
        clock: Callable[[], datetime] = _utc_now,
    ) -> "Spool":
        """Open the spool, making it when there is no such folder yet."""
        if not folder.exists():
            try:
                disk.make_folders(folder, FOLDERS)
            except OSError as error:
                raise from_os_error(error, f"making the spool {str(folder)!r}") from error
        return cls(folder, min_free_bytes=min_free_bytes, limit=limit, clock=clock)

    @classmethod
    def from_settings(cls, settings: Settings, clock: Callable[[], datetime] = _utc_now) -> "Spool":
        """Open or make the spool of these settings, with their limits.

        Free space: twice the largest message, or 5 % of the disk but not more than 1 GiB.
        """
        spool = cls.create(settings.spool, limit=settings.spool_limit, clock=clock)
        disk_size = os.statvfs(settings.spool)
        share = min(GIB, disk_size.f_blocks * disk_size.f_frsize // 20)
        spool.health.min_free_bytes = max(2 * settings.message_size_limit, share)
        return spool

    # -- taking in -----------------------------------------------------------------------

    def open_writer(
        self,
        *,
        channel: Channel,
        mail_from: str,
        rcpt_to: Sequence[str],
        peer: str = "",
        helo: str = "",
        tls: bool = False,
        authenticated_as: str = "",
    ) -> SpoolWriter:
        """Begin a message that arrives in pieces."""
        return SpoolWriter(
            self.tmp,
            self.new,
            clock=self._clock,
            spool_id=self._ids.next(),
            channel=channel,
            mail_from=mail_from,
            rcpt_to=tuple(rcpt_to),
            peer=peer,
            helo=helo,
            tls=tls,
            authenticated_as=authenticated_as,
        )

    def put(
        self,
        raw: bytes,
        *,
        channel: Channel,
        mail_from: str,
        rcpt_to: Sequence[str],
        peer: str = "",
    ) -> Envelope:
        """Keep a whole message durably; its line ends become CRLF."""
        writer = self._filled(raw, channel, mail_from, rcpt_to, peer)
        return self.commit(writer)

    def put_many(
        self,
        messages: Iterable[tuple[bytes, str, Sequence[str]]],
        *,
        channel: Channel,
    ) -> list[Envelope]:
        """Keep messages (raw, mail_from, rcpt_to) durably with one sync of the folder.

        Raises the first failure, if any; the other messages of the group are kept.
        """
        outcomes = self.commit_many(
            [self._filled(raw, channel, sender, rcpt, "") for raw, sender, rcpt in messages]
        )
        for outcome in outcomes:
            if isinstance(outcome, SpoolError):
                raise outcome
        return [outcome for outcome in outcomes if isinstance(outcome, Envelope)]

    def commit(self, writer: SpoolWriter) -> Envelope:
        """Make one written message durable: fsync, rename, fsync of the folder."""
        outcome = self.commit_many([writer])[0]
        if isinstance(outcome, SpoolError):
            raise outcome
        return outcome

    def commit_many(self, writers: Sequence[SpoolWriter]) -> list[Envelope | SpoolError]:
        """Make messages durable together: each file synced, all renamed, the folder synced once.

        The outcomes are in the order of `writers`; an `Envelope` is a promise.
        """
        outcomes = self._group.store(writers)
        envelopes = [outcome for outcome in outcomes if isinstance(outcome, Envelope)]
        if not envelopes:
            return outcomes
        try:
            disk.sync_folder(self.new)
        except OSError as os_error:
            failure = from_os_error(os_error, f"syncing {str(self.new)!r}")
            self.health.note(failure)
            self.done(envelope.spool_id for envelope in envelopes)
            return [failure if isinstance(o, Envelope) else o for o in outcomes]
        return outcomes

    def _filled(
        self, raw: bytes, channel: Channel, sender: str, rcpt: Sequence[str], peer: str
    ) -> SpoolWriter:
        content, mixed = line_ends.from_storage(raw)
        writer = self.open_writer(channel=channel, mail_from=sender, rcpt_to=rcpt, peer=peer)
        writer.bare_eol = mixed
        writer.write(content)
        return writer

    # -- keeping watch -------------------------------------------------------------------

    def check(self) -> None:
        """Raise the SpoolError for which no message can be taken now; blocks on disk."""
        self.health.check_disk()
        waiting = self.waiting()
        if waiting >= self.limit:
            raise SpoolBusyError(f"{waiting} messages wait; the setting 'spool_limit' is reached")

    def recover(self, older_than_seconds: float = 3600) -> int:
        """Remove leftovers of broken connections and counts of long ago; return how many.

        What cannot be removed is left, and does not keep the others from going.
        """
        removed = 0
        before = time.time() - older_than_seconds
        for path in (*self.tmp.iterdir(), *self.tries.iterdir()):
            with contextlib.suppress(OSError):
                if path.stat().st_mtime < before:
                    path.unlink()
                    removed += 1
        return removed

    # -- handing over --------------------------------------------------------------------

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.new) if is_id(name)]  # noqa: PTH208
        except OSError as error:
            raise from_os_error(error, f"listing {str(self.new)!r}") from error

    def waiting(self) -> int:
        """Return how many messages intake has not committed."""
        return len(self._names())

    def list_waiting(self, limit: int) -> list[SpoolEntry]:
        """Return the oldest waiting messages, at most `limit`, in order of arrival."""
        return [SpoolEntry(name, self.new / name) for name in heapq.nsmallest(limit, self._names())]

    def read(self, entry: SpoolEntry) -> tuple[Envelope, bytes]:
        """Return a waiting message, checked against END, size and hash.

        Raises NotFoundError when it is gone, SpoolDamagedError after moving it to `bad/`.
        """
        try:
            content = entry.path.read_bytes()
        except FileNotFoundError:
            raise NotFoundError(f"no message {entry.spool_id!r} waits in the spool") from None
        except OSError as error:
            raise from_os_error(error, f"reading {str(entry.path)!r}") from error
        try:
            return file_format.unpack(content, entry.spool_id)
        except ValueError as error:
            self.aside.put(entry.spool_id, str(error))
            raise SpoolDamagedError(
                f"the spool file {entry.spool_id!r} is damaged: {error}; it is kept in 'bad/'"
            ) from error

    def done(self, ids: Iterable[str]) -> None:
        """Forget messages that intake has committed; unknown ids are no error.

        A crash may bring one back, which is why intake is idempotent on the id.
        """
        finished = [require_id(spool_id) for spool_id in ids]
        for spool_id in finished:
            (self.new / spool_id).unlink(missing_ok=True)
        self.aside.forget_tries(finished)

"""Writing one message: kept in memory while small, streamed to `tmp/` when not."""

import contextlib
import hashlib
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from connectors import disk
from connectors.spool import file_format
from connectors.spool.failures import from_os_error
from data.errors import SpoolError
from data.records.core.envelope import Channel, Envelope

SPILL_BYTES = 131_072


class SpoolWriter:
    """One message on its way into the spool.

    Use: `write` the chunks, `spill` (blocks on disk) whenever `full` says so, then commit
    through `Spool.commit_many` or `commit`, or `abort`. An unfinished writer leaves at most
    a file in `tmp/`, which counts for nothing.
    """

    def __init__(
        self,
        tmp: Path,
        new: Path,
        *,
        clock: Callable[[], datetime],
        spool_id: str,
        channel: Channel,
        mail_from: str,
        rcpt_to: tuple[str, ...],
        peer: str = "",
        helo: str = "",
        tls: bool = False,
        authenticated_as: str = "",
    ) -> None:
        self.spool_id = spool_id
        self._clock = clock
        self.size_bytes = 0
        self.bare_eol = False
        self.abandoned = False
        """Set when nobody waits any more: the commit then ends without a file in `new/`."""
        self.committing = False
        """Set when the commit has been asked for: from then on nobody else aborts."""
        self._begun = Envelope(
            spool_id=spool_id,
            channel=channel,
            received_at=clock(),
            mail_from=mail_from,
            rcpt_to=rcpt_to,
            peer=peer,
            helo=helo,
            tls=tls,
            authenticated_as=authenticated_as,
            size_bytes=0,
            sha256="",
        )
        self._tmp, self._new = tmp / spool_id, new / spool_id
        self._chunks: list[bytes] = []
        self._held = 0
        self._hash = hashlib.sha256()
        self._descriptor = -1
        self._width = 0

    def write(self, chunk: bytes) -> None:
        """Add bytes of the message; does not touch the disk."""
        self._chunks.append(chunk)
        self._held += len(chunk)
        self.size_bytes += len(chunk)
        self._hash.update(chunk)

    @property
    def full(self) -> bool:
        """Whether so much is held in memory that `spill` should be called."""
        return self._held >= SPILL_BYTES

    def spill(self) -> None:
        """Move what is held in memory to the file in `tmp/`; SpoolError when it cannot be."""
        try:
            if self._descriptor < 0:
                self._width = file_format.header_width(self._begun)
                self._descriptor = disk.create_exclusive(self._tmp)
                disk.write_all(self._descriptor, (b" " * self._width,))
            disk.write_all(self._descriptor, self._chunks)
        except OSError as error:
            self.abort()
            raise from_os_error(error, f"writing {str(self._tmp)!r}") from error
        self._chunks.clear()
        self._held = 0

    def write_out(self) -> Envelope:
        """Write the rest: whole in `tmp/`, neither synced nor with a name in `new/` yet."""
        envelope = self._begun.model_copy(
            update={
                "received_at": self._clock(),
                "bare_eol": self.bare_eol,
                "size_bytes": self.size_bytes,
                "sha256": self._hash.hexdigest(),
            }
        )
        header, end = (
            file_format.header_line(envelope, self._width),
            file_format.end_line(self.size_bytes),
        )
        try:
            if self._descriptor < 0:
                self._descriptor = disk.create_exclusive(self._tmp)
                disk.write_all(self._descriptor, (b"".join((header, *self._chunks, end)),))
            else:
                disk.write_all(self._descriptor, (*self._chunks, end))
                os.lseek(self._descriptor, 0, os.SEEK_SET)
                disk.write_all(self._descriptor, (header,))
        except OSError as error:
            raise from_os_error(error, f"writing {str(self._tmp)!r}") from error
        self._chunks.clear()
        return envelope

    def start_sync(self) -> None:
        """Let the kernel begin to write, so that the files of a group are written together."""
        disk.hint_write(self._descriptor)

    def sync(self) -> SpoolError | None:
        """Fsync and close; return the failure, so that a group can go through threads.

        Never a second time on one descriptor: the kernel may have marked the pages clean.
        """
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            return from_os_error(error, f"syncing {str(self._tmp)!r}")
        finally:
            self._close()
        return None

    def publish(self) -> None:
        """Give the stored file its name in `new/`; durable once the folder is synced."""
        if self.abandoned:
            self.abort()
            raise SpoolError(f"storing {self.spool_id!r} took too long; the client sends again")
        try:
            self._tmp.rename(self._new)
        except OSError as error:
            self.abort()
            raise from_os_error(error, f"renaming {str(self._tmp)!r}") from error

    def abort(self) -> None:
        """Forget the message and remove its temporary file; safe to call twice."""
        self._close()
        self._chunks.clear()
        self._held = 0
        with contextlib.suppress(OSError):
            self._tmp.unlink(missing_ok=True)

    def _close(self) -> None:
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            with contextlib.suppress(OSError):
                os.close(descriptor)

"""The health of the spool's disk: after a failed write it is trusted again by a full test alone."""

import os
import threading
import time
from pathlib import Path

from connectors import disk
from connectors.spool.failures import SpoolFullError, SpoolUnhealthyError, from_os_error
from data.errors import SpoolError

SECONDS_BETWEEN_TESTS = 1.0


class Health:
    """Remembers a failed write and believes the disk again only after a full write test."""

    def __init__(self, tmp: Path, new: Path, min_free_bytes: int) -> None:
        self.healthy = True
        self.min_free_bytes = min_free_bytes
        self._tmp, self._new = tmp, new
        self._tested_at = 0.0
        self._lock = threading.Lock()

    def note(self, error: SpoolError) -> None:
        """Take in how a write failed; a full disk is not a broken one."""
        if isinstance(error, SpoolUnhealthyError):
            self.healthy = False

    def refuse_if_unhealthy(self) -> None:
        """Raise SpoolUnhealthyError while no write test has succeeded since the failure."""
        if not self.healthy:
            raise SpoolUnhealthyError("the spool's disk failed; waiting for a write test")

    def check_disk(self) -> None:
        """Test the disk if it failed, and look at the free space; raises SpoolError."""
        if not self.healthy:
            self._test()
        free = self.free_bytes()
        if free < self.min_free_bytes:
            raise SpoolFullError(
                f"{free} bytes are free for {str(self._new)!r}, {self.min_free_bytes} are needed"
            )

    def free_bytes(self) -> int:
        """Return the bytes that a process of ours may still write; 0 when inodes ran out."""
        try:
            figures = os.statvfs(self._new)
        except OSError as error:
            raise from_os_error(error, f"looking at {str(self._new)!r}") from error
        if figures.f_files and not figures.f_favail:
            return 0
        return figures.f_bavail * figures.f_frsize

    def _test(self) -> None:
        with self._lock:
            if not self.healthy and time.monotonic() - self._tested_at >= SECONDS_BETWEEN_TESTS:
                self._tested_at = time.monotonic()
                try:
                    disk.write_test(self._tmp)
                    disk.sync_folder(self._new)
                except OSError as error:
                    raise from_os_error(error, f"testing {str(self._tmp)!r}") from error
                self.healthy = True
        self.refuse_if_unhealthy()

"""Backups as people see them."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.record import Record


class BackupState(StrEnum):
    """Where a backup is."""

    RUNNING = "running"  #: it is being made
    MADE = "made"  #: it was made, and every copied state was opened
    FAILED = "failed"  #: it could not be made; nothing of it is left


class NewBackup(Record):
    """An order to make a backup while other things go on."""

    folder: str = Field(default="", max_length=1000, pattern=r"^(/.*)?$")
    """Whole path of a folder on the engine's machine that is not there yet; empty for one of its
    own under the home."""


class BackupEntry(Record):
    """A backup that was made or tried."""

    id: str
    folder: str
    """On the engine's machine."""
    state: BackupState
    made_by: str
    begun_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    organizations: dict[str, int] = Field(default_factory=dict)
    """Messages by organization."""
    files: int = 0
    size: int = 0
    """Bytes in all."""
    missing: int = 0
    """Raw messages that the state names and the archive has not; retention removes them."""
    fault: str = ""
    """Why it could not be made."""
    verified_at: AwareDatetime | None = None
    """When every file of it was last read and compared."""
    verify_fault: str = ""
    """What was wrong then; empty where it was whole."""
    there: bool = True
    """Whether the folder is still there."""
    busy: bool = False
    """Whether it is being made or read now."""


class BackupList(Record):
    """The backups, the newest first."""

    items: tuple[BackupEntry, ...]

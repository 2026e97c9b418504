"""The log of backups, made and failed, in the control state."""

import json
from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.records.core.backup_views import BackupEntry, BackupState
from data.store.core.backups import Backup
from data.store.core.database import Connection
from data.store.core.statements import insert, one_record, records

KEPT = 200


class _BackupRow(NamedTuple):
    """One backup; its organizations are still text."""

    id: str
    folder: str
    state: str
    made_by: str
    begun_at: datetime
    ended_at: datetime | None
    organizations: str
    files: int
    size: int
    missing: int
    fault: str
    verified_at: datetime | None
    verify_fault: str

    @property
    def entry(self) -> BackupEntry:
        """The backup as it is handed on."""
        organizations = json.loads(self.organizations)
        return BackupEntry.model_validate({**self._asdict(), "organizations": organizations})


def begin(cursor: Connection, folder: str, made_by: str, now: datetime) -> str:
    """Note that a backup is begun; return its id."""
    identity = new_id(now)
    insert(
        cursor,
        "backups",
        [
            {
                "id": identity,
                "folder": folder,
                "state": BackupState.RUNNING.value,
                "made_by": made_by,
                "begun_at": now,
            }
        ],
    )
    cursor.execute(
        "DELETE FROM backups WHERE id NOT IN "
        "(SELECT id FROM backups ORDER BY begun_at DESC, id DESC LIMIT ?)",
        [KEPT],
    )
    return identity


def end(cursor: Connection, id: str, backup: Backup, now: datetime) -> None:
    """Note what was backed up."""
    cursor.execute(
        "UPDATE backups SET state = 'made', ended_at = ?, organizations = ?, files = ?, size = ?, "
        "missing = ? WHERE id = ?",
        [now, json.dumps(backup.organizations), len(backup.files), backup.size, backup.missing, id],
    )


def fail(cursor: Connection, id: str, fault: str, now: datetime) -> None:
    """Note why a backup could not be made."""
    cursor.execute(
        "UPDATE backups SET state = 'failed', ended_at = ?, fault = ? WHERE id = ?",
        [now, fault[:1000], id],
    )


def note_verified(cursor: Connection, id: str, fault: str, now: datetime) -> None:
    """Note what came of reading a backup again."""
    cursor.execute(
        "UPDATE backups SET verified_at = ?, verify_fault = ? WHERE id = ?",
        [now, fault[:1000], id],
    )


def list_backups(cursor: Connection) -> tuple[BackupEntry, ...]:
    """Return the backups, the newest first."""
    statement = "SELECT * FROM backups ORDER BY begun_at DESC, id DESC"
    return tuple(row.entry for row in records(cursor, _BackupRow, statement))


def read_backup(cursor: Connection, id: str) -> BackupEntry:
    """Return one backup.

    Raises:
        NotFoundError: there is none of that id.

    """
    missing = f"there is no backup {id!r}; `postern backups list` shows all"
    return one_record(cursor, _BackupRow, "SELECT * FROM backups WHERE id = ?", id, missing).entry


def find_newest_made(cursor: Connection) -> BackupEntry | None:
    """Return the newest backup that was made."""
    return next(
        (backup for backup in list_backups(cursor) if backup.state is BackupState.MADE), None
    )

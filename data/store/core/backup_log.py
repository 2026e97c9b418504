"""Which backups were made, in the control state."""

import json
from datetime import datetime
from typing import Any

from data.ids import new_id
from data.records.core.backup_views import BackupEntry, BackupState
from data.store.core.backups import Backup
from data.store.core.database import Connection
from data.store.core.statements import insert, only, rows

KEPT = 200


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


def verified(cursor: Connection, id: str, fault: str, now: datetime) -> None:
    """Note what came of reading a backup again."""
    cursor.execute(
        "UPDATE backups SET verified_at = ?, verify_fault = ? WHERE id = ?",
        [now, fault[:1000], id],
    )


def list_backups(cursor: Connection) -> tuple[BackupEntry, ...]:
    """Return the backups, the newest first."""
    backup_rows = rows(cursor, "SELECT * FROM backups ORDER BY begun_at DESC, id DESC")
    return tuple(_entry(row) for row in backup_rows)


def read_backup(cursor: Connection, id: str) -> BackupEntry:
    """Return one backup.

    Raises:
        NotFoundError: there is none of that id.

    """
    missing = f"there is no backup {id!r}; `postern backups list` shows all"
    return _entry(only(cursor, "SELECT * FROM backups WHERE id = ?", id, missing))


def newest_made(cursor: Connection) -> BackupEntry | None:
    """Return the newest backup that was made."""
    return next(
        (backup for backup in list_backups(cursor) if backup.state is BackupState.MADE), None
    )


def _entry(row: dict[str, Any]) -> BackupEntry:  # a row that becomes a record here
    return BackupEntry.model_validate({**row, "organizations": json.loads(row["organizations"])})

"""Mailboxes in the state: how far each folder is read, what became of it, how polls went."""

from collections.abc import Collection, Sequence
from datetime import datetime

from data.records.mail.mailboxes import (
    FolderCursor,
    FolderPosition,
    MailboxLine,
    MailboxOutcome,
    MailboxStanding,
)
from data.store.core.database import Connection
from data.store.core.statements import first, insert, validate_rows

_LEFT = (MailboxOutcome.OWN, MailboxOutcome.DRAFT, MailboxOutcome.DELETED)


def list_cursors(cursor: Connection, account: str, folder: str) -> list[FolderCursor]:
    """Return where reading of a folder stands under each UIDVALIDITY, the newest last."""
    return validate_rows(
        cursor,
        FolderCursor,
        "SELECT folder, uidvalidity, last_uid, read_to, owed, backlog_end, cutoff, "
        "advanced_at FROM mailbox_folders WHERE account = ? AND folder = ? ORDER BY advanced_at",
        [account, folder],
    )


def read_positions(cursor: Connection, account: str) -> dict[str, FolderPosition]:
    """Return how far each folder that was read was read, by its name."""
    position_rows = cursor.execute(
        "SELECT folder, arg_max(uidvalidity, advanced_at), "
        "arg_max(greatest(last_uid, read_to), advanced_at) "
        "FROM mailbox_folders WHERE account = ? GROUP BY folder",
        [account],
    ).fetchall()
    return {folder: FolderPosition(validity, last + 1) for folder, validity, last in position_rows}


def advance_cursor(
    cursor: Connection, account: str, position: FolderCursor, lines: Sequence[MailboxLine]
) -> None:
    """Note what became of messages, and move the folder's cursor; in one transaction."""
    cursor.execute(
        "DELETE FROM mailbox_folders WHERE account = ? AND folder = ? AND uidvalidity = ?",
        [account, position.folder, position.uidvalidity],
    )
    row = {"account": account, **position.model_dump(), "owed": list(position.owed)}
    insert(cursor, "mailbox_folders", [row])
    noted = [
        {**line.model_dump(), "outcome": str(line.outcome), "account": account}
        | {"seen_at": position.advanced_at}
        for line in lines
    ]
    insert(cursor, "mailbox_messages", noted)


def find_known_content(cursor: Connection, hashes: Collection[str]) -> dict[str, str]:
    """Return the id of the first message with each of these contents, where there is one."""
    content_rows = cursor.execute(
        "SELECT raw_sha256, min(id) FROM messages WHERE raw_sha256 IN (SELECT unnest(?)) "
        "GROUP BY raw_sha256",
        [list(hashes)],
    ).fetchall()
    return {str(sha256): str(message) for sha256, message in content_rows}


def note_poll(cursor: Connection, account: str, error: str, now: datetime, *, failed: bool) -> int:
    """Note how a poll went; return how many in a row have failed.

    One that reached its end may have an error to tell all the same: a folder that is missing.
    """
    before = first(
        cursor, "SELECT failures, succeeded_at FROM mailbox_polls WHERE account = ?", [account]
    )
    failures = (int(before[0]) if before else 0) + 1 if failed else 0
    succeeded = (before[1] if before else None) if failed else now
    cursor.execute("DELETE FROM mailbox_polls WHERE account = ?", [account])
    cursor.execute(
        "INSERT INTO mailbox_polls VALUES (?, ?, ?, ?, ?)",
        [account, now, succeeded, error[:1000], failures],
    )
    return failures


def list_read_times(cursor: Connection) -> dict[str, datetime]:
    """Return when each mailbox was last read to its end, by name, where it ever was."""
    read_accounts = cursor.execute(
        "SELECT account, succeeded_at FROM mailbox_polls WHERE succeeded_at IS NOT NULL"
    ).fetchall()
    return {str(account): at for account, at in read_accounts}


def list_standings(cursor: Connection) -> dict[str, MailboxStanding]:
    """Return how every mailbox that was ever polled is doing, by name."""
    left = ", ".join(f"'{outcome}'" for outcome in _LEFT)
    listed = validate_rows(
        cursor,
        MailboxStanding,
        "SELECT p.account AS name, p.polled_at, p.succeeded_at, p.error, p.failures, "
        "count(*) FILTER (m.outcome = 'taken') AS taken, "
        "count(*) FILTER (m.outcome = 'known') AS known, "
        "count(*) FILTER (m.outcome = 'too_large') AS too_large, "
        f'count(*) FILTER (m.outcome IN ({left})) AS "left" '
        "FROM mailbox_polls p LEFT JOIN mailbox_messages m USING (account) GROUP BY ALL",
    )
    return {standing.name: standing for standing in listed}

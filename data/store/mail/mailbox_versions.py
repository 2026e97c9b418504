"""The settings that mailboxes have had; each wording is kept, the newest counts."""

from datetime import datetime
from typing import NamedTuple

from data.errors import NotFoundError
from data.records.mail.mailbox_versions import UNKNOWN_AUTHOR, MailboxVersion
from data.records.mail.mailboxes import KeepMailbox
from data.store.core.database import Connection
from data.store.core.statements import insert, records


class _VersionRow(NamedTuple):
    """One wording."""

    name: str
    number: int
    removed: bool
    mailbox: str
    author: str
    written_at: datetime

    @property
    def version(self) -> MailboxVersion:
        """The wording as it is worked with."""
        return MailboxVersion(
            **self._asdict() | {"mailbox": KeepMailbox.model_validate_json(self.mailbox)}
        )


def list_versions(
    cursor: Connection, name: str = "", limit: int = 500
) -> tuple[MailboxVersion, ...]:
    """Return the versions of one mailbox, or of all; the newest of each first."""
    where, values = ("WHERE name = ? ", [name]) if name else ("", [])
    statement = f"SELECT * FROM mailbox_versions {where}ORDER BY name, number DESC LIMIT ?"
    return tuple(row.version for row in records(cursor, _VersionRow, statement, [*values, limit]))


def find_newest(cursor: Connection, name: str) -> MailboxVersion | None:
    """Return the newest version of a mailbox; None where it never had one."""
    listed = list_versions(cursor, name, 1)
    return listed[0] if listed else None


def read_version(cursor: Connection, name: str, number: int) -> MailboxVersion:
    """Return one version of a mailbox.

    Raises:
        NotFoundError: there is none of that number.

    """
    statement = "SELECT * FROM mailbox_versions WHERE name = ? AND number = ?"
    listed = records(cursor, _VersionRow, statement, [name, number])
    if not listed:
        raise NotFoundError(
            f"mailbox {name!r} has no version {number}; `postern mailbox versions {name}` lists"
        )
    return listed[0].version


def add_version(
    cursor: Connection,
    name: str,
    mailbox: KeepMailbox,
    before: KeepMailbox | None,
    *,
    removed: bool,
    author: str,
    now: datetime,
) -> int:
    """Keep another wording; return its number.

    Args:
        cursor: an open transaction.
        name: the mailbox.
        mailbox: its settings; the secrets are left out.
        before: what counted until now. Where no version says so, it becomes one of its own, so that
            nothing is lost that was kept before versions were, or by a process that was killed.
        removed: whether the mailbox is forgotten.
        author: who did it.
        now: when.

    """
    newest = find_newest(cursor, name)
    number = newest.number if newest else 0
    unlisted = before is not None and (
        newest is None or newest.removed or newest.mailbox != before.without_secrets()
    )
    versions_made = [(before, False, UNKNOWN_AUTHOR)] if before is not None and unlisted else []
    versions_made.append((mailbox, removed, author))
    insert(
        cursor,
        "mailbox_versions",
        [
            {
                "name": name,
                "number": number + place,
                "removed": is_removed,
                "mailbox": wording.without_secrets().model_dump_json(),
                "author": writer,
                "written_at": now,
            }
            for place, (wording, is_removed, writer) in enumerate(versions_made, start=1)
        ],
    )
    return number + len(versions_made)

"""The position in a folder from which fetching goes on. Pure."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from connectors.sources.mailboxes.session import OpenFolder
from data.records.mail.mailboxes import FolderCursor, MailboxAccount

CHANGED_MARGIN = timedelta(days=2)
"""How far before the last advance is read again when a UIDVALIDITY has changed; days differ."""


def begin(
    account: MailboxAccount, opened: OpenFolder, cursors: Sequence[FolderCursor], now: datetime
) -> FolderCursor:
    """Return where to go on in a folder.

    Under a UIDVALIDITY that is new, UIDs say nothing of earlier ones (RFC 9051 section 2.3.1.1).
    All that arrived since the last poll that brought something is read again, and what is known by
    its content is not taken twice. The same for a server whose UIDNEXT went back.
    """
    same = [cursor for cursor in cursors if cursor.uidvalidity == opened.uidvalidity]
    newest = cursors[-1] if cursors else None
    if same and same[-1] is newest and max(same[-1].last_uid, same[-1].read_to) < opened.uidnext:
        return same[-1]
    if newest is None:
        cutoff = first_cutoff(account, now)
        if account.since == 0:  # nothing of what is there
            return _cursor(opened, now, last_uid=opened.uidnext - 1)
        return _cursor(opened, now, cutoff=cutoff)
    again = (newest.advanced_at - CHANGED_MARGIN).date().isoformat()
    return _cursor(
        opened, now, cutoff=max(again, first_cutoff(account, newest.advanced_at) or again)
    )


def _cursor(
    opened: OpenFolder, now: datetime, *, last_uid: int = 0, cutoff: str = ""
) -> FolderCursor:
    return FolderCursor(
        folder=opened.name,
        uidvalidity=opened.uidvalidity,
        last_uid=last_uid,
        backlog_end=opened.uidnext,
        cutoff=cutoff,
        advanced_at=now,
    )


def first_cutoff(account: MailboxAccount, now: datetime) -> str:
    """Return the first day (ISO 8601) of a backlog that is taken; empty for all of it."""
    if isinstance(account.since, int):
        if account.since >= now.toordinal():  # more days than there have been
            return ""
        return (now.date() - timedelta(days=account.since)).isoformat()
    return "" if account.since == "all" else date.fromisoformat(account.since).isoformat()

"""The messages of a folder that wait to be fetched, and those that are left where they are."""

from datetime import date

from connectors.sources.mailboxes.session import MailboxSession
from connectors.sources.mailboxes.sizes import MessageSize
from data.records.mail.mailboxes import FolderCursor

LOOK = 500
"""Messages whose sizes are asked for at once."""


def new_uids(session: MailboxSession, cursor: FolderCursor, last_uid: int) -> list[int]:
    """Return the UIDs above `last_uid` that are not settled; of the backlog those since its cutoff.

    `search` of the session says what is raised when the server does not answer.
    """
    since = date.fromisoformat(cursor.cutoff) if cursor.cutoff else None
    begin = max(last_uid, cursor.read_to) + 1
    owed = [uid for uid in cursor.owed if uid > last_uid]
    if since is None:
        return owed + session.search(begin)
    backlog = session.search(begin, cursor.backlog_end - 1, since)
    return owed + backlog + session.search(max(begin, cursor.backlog_end))


def left_because(message: MessageSize, largest: int) -> str:
    """Return why a message is not to be fetched, empty when it is."""
    if "\\deleted" in message.flags:
        return "deleted"
    if "\\draft" in message.flags:
        return "draft"
    return "too_large" if (message.size_bytes or 0) > largest else ""

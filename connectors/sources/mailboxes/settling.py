"""Settling messages on the server once they are safe here: marked, moved, or left."""

from collections.abc import Sequence

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from connectors.sources.mailboxes.failures import shorten_failure, translate_failures
from connectors.sources.mailboxes.session import MailboxSession, OpenFolder
from data.records.mail.mailboxes import MailboxAccount, MailboxAfter

DELETED, SEEN = b"\\Deleted", b"\\Seen"


def settle(session: MailboxSession, opened: OpenFolder, uids: Sequence[int]) -> str:
    """Mark or move these messages as the mailbox is configured.

    Doing it again changes nothing: a message that is gone is none of the folder's any more.

    Returns:
        What the server refused, in a sentence; empty when it did everything.

    Raises:
        MailboxAwayError: the connection broke; whether it was done is not known.

    """
    account = session.account
    if account.after is MailboxAfter.LEAVE or not uids:
        return ""
    with translate_failures(account, "marking what was taken"):
        try:
            if account.after is MailboxAfter.MOVE:
                _move(session, list(uids))
            else:
                session.client.add_flags(list(uids), [_flag(account)], silent=True)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            return (
                f"{len(uids)} messages of folder {opened.name!r} are safe here but could not be "
                f"marked or moved on the server ({shorten_failure(str(error))}); see what this "
                "login may do there, or set 'after: leave'"
            )
    return ""


def objection(session: MailboxSession, opened: OpenFolder) -> str:
    """Return why the server could not do what is configured here, empty when it could."""
    account = session.account
    if account.after is MailboxAfter.KEYWORD and not (
        opened.keywords or account.keyword.lower() in opened.flags
    ):
        return (
            f"folder {opened.name!r} of mailbox {account.name!r} takes no keyword "
            f"{account.keyword!r}; use 'after: seen' or 'after: move'"
        )
    if account.after is MailboxAfter.SEEN and "\\seen" not in opened.flags:
        return (
            f"folder {opened.name!r} of mailbox {account.name!r} may not be marked by this "
            "login; give it the right to, or set 'after: leave'"
        )
    return ""


def make_target(session: MailboxSession) -> None:
    """Make the folder that messages are moved to, if it is missing."""
    account = session.account
    if account.after is MailboxAfter.MOVE:
        with translate_failures(account, f"making folder {account.move_to!r}"):
            if not session.client.folder_exists(account.move_to):
                session.client.create_folder(account.move_to)


def _flag(account: MailboxAccount) -> bytes:
    return account.keyword.encode() if account.after is MailboxAfter.KEYWORD else SEEN


def _move(session: MailboxSession, uids: list[int]) -> None:
    """MOVE (RFC 6851); else COPY, the mark, and UID EXPUNGE (RFC 4315) of these alone.

    Without UIDPLUS they stay behind marked as deleted: a plain EXPUNGE would also remove what
    others have marked. If the connection broke between COPY and the mark, a second copy comes to
    lie in the target; none is lost.
    """
    client, target = session.client, session.account.move_to
    if client.has_capability("MOVE"):
        client.move(uids, target)
        return
    client.copy(uids, target)
    client.add_flags(uids, [DELETED], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)

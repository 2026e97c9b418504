"""Mailboxes read over IMAP, through the same spool as the receiver.

`polling` is one poll, `inspecting` a poll that takes nothing, `watching` says when one is due; the
dlt source `mailbox` is in `reading`, which imports dlt and is imported when there is work.
"""

from connectors.sources.mailboxes.failures import (
    FolderMissingError,
    MailboxAwayError,
    MailboxCertificateError,
    MailboxRefusedError,
)
from connectors.sources.mailboxes.logins import MailboxLogins
from connectors.sources.mailboxes.session import MailboxSession

__all__ = [
    "FolderMissingError",
    "MailboxAwayError",
    "MailboxCertificateError",
    "MailboxLogins",
    "MailboxRefusedError",
    "MailboxSession",
]

"""A look at a mailbox that takes nothing: whether it works, and what a poll would take."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

from connectors.sources.mailboxes.pending_messages import LOOK, left_because, new_uids
from connectors.sources.mailboxes.position import begin
from connectors.sources.mailboxes.session import MailboxSession
from connectors.sources.mailboxes.settling import objection
from data.errors import OutsidePermanentError
from data.records.mail.mailboxes import (
    FolderCursor,
    FolderSight,
    MailboxAfter,
    MailboxSight,
)

SENT_OR_DRAFTS = {"\\sent": "sent mail", "\\drafts": "drafts", "\\trash": "deleted mail"}


def look(
    session: MailboxSession,
    cursors: Callable[[str], Sequence[FolderCursor]],
    largest: int,
    now: datetime,
) -> MailboxSight:
    """Return what the server offers, and what a poll would take from each folder."""
    account, troubles = session.account, []
    marks = session.folders()
    sights = []
    for folder in account.folders:
        uses = [SENT_OR_DRAFTS[mark] for mark in marks.get(folder, ()) if mark in SENT_OR_DRAFTS]
        if uses:
            troubles.append(
                f"folder {folder!r} is where the server keeps {uses[0]}; take it out of 'folders'"
            )
        try:
            sights.append(_sight(session, folder, cursors(folder), largest, now))
        except OutsidePermanentError as error:
            troubles.append(str(error))
            continue
        if account.after is not MailboxAfter.LEAVE:
            refused = objection(session, session.open(folder, readonly=False))
            troubles += [refused] if refused else []
    return MailboxSight(
        name=account.name,
        server=f"{session.peer}:{account.server_port}",
        encrypted=session.encrypted,
        idle=session.can("IDLE"),
        move=session.can("MOVE"),
        folders=tuple(sights),
        troubles=tuple(troubles),
    )


def _sight(
    session: MailboxSession,
    folder: str,
    cursors: Sequence[FolderCursor],
    largest: int,
    now: datetime,
) -> FolderSight:
    opened = session.open(folder, readonly=True)
    cursor = begin(session.account, opened, cursors, now)
    state: Literal["new", "known", "changed"] = "known"
    if cursor not in cursors:
        state = "changed" if cursors else "new"
    uids = new_uids(session, cursor, cursor.last_uid)
    too_large = 0
    for start in range(0, len(uids), LOOK):
        sizes = session.describe(uids[start : start + LOOK])
        too_large += sum(left_because(message, largest) == "too_large" for message in sizes)
    return FolderSight(
        folder=folder,
        messages=opened.messages,
        waiting=len(uids),
        too_large=too_large,
        state=state,
    )

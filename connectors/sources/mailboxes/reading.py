"""The dlt source `mailbox`: one resource per folder, incremental on the UID.

The cursor belongs to (mailbox, folder, UIDVALIDITY): the resource bears the UIDVALIDITY in its
name, and another one begins anew. What dlt keeps for itself lies in a working folder that is not
synced; so the durable cursor is the caller's, who advances it once a message is safe, and hands it
in here. Imports dlt: import it when there is work.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

import dlt
from dlt.sources import DltResource

from connectors.sources.mailboxes.pending_messages import LOOK, left_because, new_uids
from connectors.sources.mailboxes.session import MailboxSession, OpenFolder
from connectors.sources.mailboxes.sizes import MessageSize, cut_into_runs
from connectors.sources.run_context import seal_context
from data.records.mail.mailboxes import FolderCursor

PAGE_MESSAGES, PAGE_BYTES = 50, 16_000_000
"""Messages and bytes that are fetched, and made safe, together."""
UNANSWERED = "unanswered"
"""Of a message that is there and that the server does not give; it is asked for at each poll."""


class Fetched(TypedDict):
    """One message as a row."""

    uid: int
    page: int
    """Rows of one page were fetched together."""
    size_bytes: int
    """As the server says."""
    left: str
    """Why it was not fetched: `too_large`, `deleted`, `draft`, `unanswered`; empty when it was."""
    raw: bytes
    said: str
    """What the server said of one that is `unanswered`."""


@dlt.source(name="mailbox", max_table_nesting=0)
def mailbox(
    session: MailboxSession,
    opened: Sequence[tuple[OpenFolder, FolderCursor]],
    largest: int,
) -> Iterator[DltResource]:
    """Yield one resource for each folder; iterate them one after the other.

    A connection has one selected folder at a time, so a folder is to be read to its end (or left)
    while it is the selected one. `largest` is the most bytes that are fetched of a message.
    """
    seal_context()
    for folder, cursor in opened:
        yield dlt.resource(
            _new_messages,
            name=f"{folder.name}_{folder.uidvalidity}",
            primary_key="uid",
            write_disposition="append",
        )(
            session,
            cursor,
            largest,
            dlt.sources.incremental(
                "uid", initial_value=cursor.last_uid, range_start="open", row_order="asc"
            ),
        )


def _new_messages(
    session: MailboxSession,
    cursor: FolderCursor,
    largest: int,
    uid: dlt.sources.incremental[int] = dlt.sources.incremental("uid"),  # noqa: B008  # dlt's way
) -> Iterator[list[Mapping[str, Any]]]:
    """Yield pages of messages above the last UID, ascending."""
    waiting, page = new_uids(session, cursor, int(uid.last_value or 0)), 0
    for start in range(0, len(waiting), LOOK):
        sizes = session.describe(waiting[start : start + LOOK])
        for group in cut_into_runs(sizes, PAGE_MESSAGES, PAGE_BYTES):
            page += 1
            yield list(_page(session, group, largest, page))


def _page(
    session: MailboxSession, group: Sequence[MessageSize], largest: int, page: int
) -> Iterator[Mapping[str, Any]]:
    reasons = {message.uid: left_because(message, largest) for message in group}
    bodies, silent = session.bodies(
        [sound_message for sound_message in group if not reasons[sound_message.uid]], largest
    )
    for message in group:
        reason, raw = reasons[message.uid], bodies.get(message.uid, b"")
        if message.uid in silent:
            reason = UNANSWERED
        elif not reason and message.uid not in bodies:
            continue  # expunged since: a gap, as there are many
        if len(raw) > largest:
            reason, raw = "too_large", b""
        yield Fetched(
            uid=message.uid,
            page=page,
            size_bytes=message.size_bytes or 0,
            left=reason,
            raw=raw,
            said=silent.get(message.uid, ""),
        )

"""A whole conversation, theirs and ours, oldest first."""

from collections.abc import Mapping
from typing import Any

from data.errors import NotFoundError
from data.records.mail import Segments
from data.records.organization import Organization
from data.records.views import ThreadEntry, ThreadView
from data.store import threads
from data.store.database import Connection
from flows.api.lines import address, thread_line
from tasks.read import Reading


def thread_view(cursor: Connection, organization: Organization, thread_id: str) -> ThreadView:
    """Return one conversation.

    Raises:
        NotFoundError: there is none of that id.

    """
    row = threads.one(cursor, thread_id)
    if row is None:
        raise NotFoundError(f"there is no conversation {thread_id!r}")
    found = threads.earlier(cursor, [thread_id], [], 0)
    entries = tuple(_entry(each, organization) for each in reversed(found))
    return ThreadView.model_validate(thread_line(row) | {"entries": entries})


def _entry(row: Mapping[str, Any], organization: Organization) -> ThreadEntry:
    segments, attachments = Segments(new=row["body"] or ""), ()
    sender = address(row["contact_email"])
    if row["kind"] == "message":
        reading = Reading.model_validate_json(row["body"])
        segments, attachments = reading.segments, reading.mail.attachments  # type: ignore[assignment]
        sender = reading.mail.sender or sender
    if row["outbound"]:
        sender = address(organization.addresses[0], organization.name)
    return ThreadEntry(
        ref=f"{row['kind']}:{row['ref']}",
        outbound=row["outbound"],
        sender=sender,
        at=row["occurred_at"],
        subject=row["subject"],
        segments=segments,
        status=row["state"] or "",
        attachments=attachments,
    )

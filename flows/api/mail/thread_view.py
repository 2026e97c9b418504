"""A whole conversation, theirs and ours, oldest first."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from data.records.core.organization import Organization
from data.records.core.parsed_mail import Attachment, Segments
from data.records.mail.attaching import EnclosedFile
from data.records.mail.conversations import ThreadChange, ThreadLink
from data.records.mail.notes import NoteView
from data.records.mail.views import ThreadEntry, ThreadView
from data.store.core.database import Connection
from data.store.mail import attached_files, case_links, notes, pages, tags, thread_changes, threads
from data.store.mail.pages import ThreadEntryRow
from data.store.mail.threads import ThreadRow
from flows.api.mail.lines import address, case_link, pick_fields, thread_line
from flows.mail.line.answered_letters import cut_repeated_letter
from tasks.core.segment.subject import normalize_subject
from tasks.mail.read import Reading


def thread_view(
    cursor: Connection,
    organization: Organization,
    thread_id: str,
    readings: Mapping[str, str] | None = None,
) -> ThreadView:
    """Return one conversation; of one that was merged, what it has become part of.

    `readings` are those of its messages that were read already (JSON, by message), for the page of
    a case; its cases are left out then.

    Raises:
        NotFoundError: there is none of that id.

    """
    row = pages.read_conversation(cursor, thread_id)
    own_page = readings is None  # the page of a case says itself what other cases there are
    links_named = case_links.list_of_thread(cursor, row.id) if own_page else []
    found = pages.list_said(cursor, row.id, readings or {})
    sent = [each.ref for each in found if each.files]
    letters = [each.body for each in found if each.outbound and each.body]
    enclosed = attached_files.list_of_deliveries(cursor, sent)
    refers_to, referred_by = threads.list_links(cursor, row)
    return ThreadView.model_validate(
        dict(thread_line(row))
        | {
            "entries": tuple(
                _entry(each, organization, enclosed.get(each.ref, ()), letters, turns=turns)
                for each, turns in zip(found, _turns(row.subject, found), strict=True)
            ),
            "contacts": tuple(row.participants),
            "refers_to": tuple(_link(other) for other in refers_to),
            "referred_by": tuple(_link(other) for other in referred_by),
            "changes": _changes(cursor, row.id),
            "tags": tags.list_of_thread(cursor, row.id),
            "cases": tuple(case_link(each) for each in links_named),
            "notes": tuple(
                pick_fields(NoteView, each) for each in notes.list_of_thread(cursor, row.id)
            ),
        }
    )


def _link(row: ThreadRow) -> ThreadLink:
    contact = address(row.contact_email, row.contact_name)
    return ThreadLink(id=row.id, subject=row.subject, contact=contact)


def _changes(cursor: Connection, thread_id: str) -> tuple[ThreadChange, ...]:
    return tuple(
        ThreadChange(
            id=change.id,
            kind=change.kind,
            thread_id=change.thread_id,
            other_id=change.other_id,
            actor=change.actor,
            note=change.note,
            messages=len(thread_changes.moved_by(change)["messages"]),
            made_at=change.made_at,
            undoable=not thread_changes.has_later_change(cursor, change),
        )
        for change in thread_changes.list_of_thread(cursor, thread_id)
    )


def _turns(subject: str, entries: Sequence[ThreadEntryRow]) -> list[bool]:
    """Return of each entry whether it has another subject than the one before it."""
    subjects = [normalize_subject(each) for each in (subject, *(row.subject for row in entries))]
    return [before != after for before, after in pairwise(subjects)]


def _entry(
    row: ThreadEntryRow,
    organization: Organization,
    files: Sequence[EnclosedFile],
    letters: Sequence[str],
    *,
    turns: bool,
) -> ThreadEntry:
    """Return what was said as an entry; `files` are ours that went with it.

    One of our `letters` that a message repeats at its end is quoted.
    """
    segments = Segments(new=row.body or "")
    attachments = tuple(Attachment.model_validate(file.model_dump()) for file in files)
    sender = address(row.contact_email)
    if row.kind == "message":
        reading = cut_repeated_letter(Reading.model_validate_json(row.body), letters)
        segments, attachments = reading.segments, reading.mail.attachments
        sender = reading.mail.sender or sender
    if row.outbound:
        sender = address(organization.addresses[0], organization.name)
    return ThreadEntry(
        ref=f"{row.kind}:{row.ref}",
        outbound=row.outbound,
        sender=sender,
        at=row.occurred_at,
        subject=row.subject,
        turns=turns,
        segments=segments,
        status=row.state or "",
        attachments=attachments,
    )

"""Stage *thread*: which conversation a message belongs to, and whether its sender owns it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.errors import PosternError
from data.records.record import Record
from data.states import MessageStatus
from data.store import messages, threads
from data.store.database import Connection, insert, rows, update
from data.store.moves import move
from flows.stage import Batch
from flows.stages.message_stage import MessageStage
from tasks.read import Reading
from tasks.thread import ThreadCandidate, find_thread, normalize_subject
from tasks.urgent import is_urgent

SUBJECT_DAYS = 30


class Threaded(Record):
    """Where a message belongs."""

    thread_id: str
    contact_id: str
    new: bool
    """Whether the conversation begins with it."""
    linked_to: str | None = None
    """Another conversation that it refers to without having a part in it."""
    reason: str
    urgent: str | None = None
    """The words that make it urgent, before any classification."""


class ThreadStage(MessageStage[Threaded]):
    """Puts each message into a conversation, in the order they came."""

    name = "thread"
    output = Threaded

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Threaded | PosternError]:
        """Find or begin a conversation for each message."""
        database = batch.workspace.db
        readings = await batch.results("parse", Reading, ids)
        stored = await database.read(messages.many, ids)
        senders = {row["sender_email"]: row["sender_name"] for row in stored.values()}
        contacts = await database.write(messages.contacts_of, senders, batch.now())
        book = _Book(
            await database.read(threads.by_message_ids, _referred(readings)),
            await database.read(
                threads.by_contacts, list(senders), messages.since_days(batch.now(), SUBJECT_DAYS)
            ),
        )
        return {
            item: book.place(
                item, readings[item], stored[item], contacts[stored[item]["sender_email"]]["id"]
            )
            for item in sorted(ids, key=lambda item: (stored[item]["received_at"], item))
        }

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Threaded], now: datetime
    ) -> None:
        """Write new conversations, count the messages in, and let the burst gather."""
        stored = messages.many(cursor, list(results))
        _begin(cursor, results, stored)
        _count(cursor, results, stored)
        update(
            cursor,
            "messages",
            [
                {
                    "id": item,
                    "thread_id": placed.thread_id,
                    "contact_id": placed.contact_id,
                    "urgent": placed.urgent is not None,
                }
                for item, placed in results.items()
            ],
        )
        machine = [i for i in results if stored[i]["automated_kind"] != "none"]
        people = [item for item in results if item not in set(machine)]
        kinds = {
            item: f"written by a machine: {stored[item]['automated_kind']}" for item in machine
        }
        update(cursor, "messages", [{"id": item, "note": note} for item, note in kinds.items()])
        move(cursor, machine, MessageStatus.STORED, actor=self.name, now=now)
        move(cursor, people, MessageStatus.THREADED, actor=self.name, now=now)
        batch.leave(machine, "stored")
        batch.outcomes.update(dict.fromkeys(people, "threaded"))


class _Book:
    """The conversations that a batch may belong to, growing as it goes."""

    def __init__(
        self, by_id: Mapping[str, dict[str, Any]], by_contact: Mapping[str, list[dict[str, Any]]]
    ) -> None:
        self.by_id = {key: _candidate(row) for key, row in by_id.items()}
        self.by_contact = {
            email: [_candidate(row) for row in found] for email, found in by_contact.items()
        }

    def place(
        self, item: str, reading: Reading, row: Mapping[str, Any], contact_id: str
    ) -> Threaded:
        """Find the conversation of one message, and enter it."""
        email, mail = row["sender_email"], reading.mail
        match = find_thread(
            mail,
            contact_email=email,
            by_id=self.by_id,
            by_subject=self.by_contact.get(email, []),
            now=row["received_at"],
        )
        thread_id = match.thread_id or item
        entry = ThreadCandidate(
            thread_id=thread_id,
            participants=tuple(sorted(_people(reading, email))),
            contact_email=email,
            normalized_subject=normalize_subject(mail.subject),
            last_message_at=row["received_at"],
        )
        if mail.message_id:
            self.by_id.setdefault(mail.message_id, entry)
        if match.thread_id is None:
            self.by_contact.setdefault(email, []).insert(0, entry)
        return Threaded(
            thread_id=thread_id,
            contact_id=contact_id,
            new=match.thread_id is None,
            linked_to=match.linked_to,
            reason=match.reason,
            urgent=is_urgent(reading.segments.new or mail.text, mail.subject),
        )


def _candidate(row: Mapping[str, Any]) -> ThreadCandidate:
    return ThreadCandidate(
        thread_id=row["id"],
        participants=tuple(row["participants"]),
        contact_email=row["contact_email"],
        normalized_subject=row["normalized_subject"],
        last_message_at=row["last_message_at"],
    )


def _people(reading: Reading, email: str) -> set[str]:
    return {email, *(a.email.lower() for a in (*reading.mail.to, *reading.mail.cc))}


def _referred(readings: Mapping[str, Reading]) -> set[str]:
    found: set[str] = set()
    for reading in readings.values():
        found.update(reading.mail.references)
        if reading.mail.in_reply_to:
            found.add(reading.mail.in_reply_to)
    return found


def _begin(
    cursor: Connection,
    results: Mapping[str, Threaded],
    stored: Mapping[str, dict[str, Any]],
) -> None:
    known = {
        row["id"]
        for row in rows(
            cursor,
            "SELECT id FROM threads WHERE id IN (SELECT unnest(?))",
            [[placed.thread_id for placed in results.values()]],
        )
    }
    insert(
        cursor,
        "threads",
        [
            {
                "id": placed.thread_id,
                "subject": stored[item]["subject"],
                "normalized_subject": normalize_subject(stored[item]["subject"]),
                "contact_id": placed.contact_id,
                "contact_email": stored[item]["sender_email"],
                "contact_name": stored[item]["sender_name"],
                "participants": [stored[item]["sender_email"]],
                "status": "open",
                "assignee": None,
                "linked_to": placed.linked_to,
                "message_count": 0,
                "last_message_at": stored[item]["received_at"],
            }
            for item, placed in results.items()
            if placed.new and placed.thread_id not in known
        ],
    )


def _count(
    cursor: Connection, results: Mapping[str, Threaded], stored: Mapping[str, dict[str, Any]]
) -> None:
    counted: dict[str, tuple[int, datetime]] = {}
    for item, placed in results.items():
        count, last = counted.get(placed.thread_id, (0, stored[item]["received_at"]))
        counted[placed.thread_id] = (count + 1, max(last, stored[item]["received_at"]))
    known = {
        row["id"]: row
        for row in rows(
            cursor, "SELECT * FROM threads WHERE id IN (SELECT unnest(?))", [list(counted)]
        )
    }
    update(
        cursor,
        "threads",
        [
            {
                "id": thread,
                "message_count": known[thread]["message_count"] + count,
                "last_message_at": max(known[thread]["last_message_at"], last),
                "status": "open",
            }
            for thread, (count, last) in counted.items()
        ],
    )

"""Stage *thread*: which conversation a message belongs to, and whether its sender owns it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.core.record import Record
from data.records.core.screening import Authentication, AuthResult
from data.states import MessageStatus
from data.store.core.database import Connection
from data.store.mail import contacts, messages
from data.store.mail.messages import MessageRow
from data.store.mail.moves import move
from flows.core.batch import Batch
from flows.mail.knowing.threads_known import book_for
from flows.mail.knowing.threads_settled import settle_placements
from flows.mail.leaving.approving import ask
from flows.mail.leaving.following_up import end_by_mail
from flows.mail.line.decision_recall import recall_replies
from flows.mail.line.waking import wake_by_mail
from flows.mail.stages.message_stage import MessageStage
from tasks.core.words.cleaning import without_undrawn
from tasks.mail.automated.web_forms import form_writer, is_form
from tasks.mail.classify.classify_cases import alarms_in
from tasks.mail.read import Reading
from tasks.mail.thread.content_hash import hash_content
from tasks.mail.thread.conversation_ties import Letterhead, letterhead
from tasks.mail.thread.thread_book import Placement


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
    place: Placement | None = None
    """Everything that follows for conversations."""
    head: Letterhead | None = None
    """What was compared."""


class ThreadStage(MessageStage[Threaded]):
    """Puts each message into a conversation, in the order they came."""

    name = "thread"
    output = Threaded

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Threaded | PosternError]:
        """Find or begin a conversation for each message."""
        database = batch.workspace.db
        readings = await batch.read_results("parse", Reading, ids)
        checked = await batch.read_results("authenticate", Authentication, ids)
        stored = await database.read(messages.read_messages, ids)
        own = {address.lower() for address in batch.workspace.organization.own_addresses}
        contacts, alarms = await asyncio.gather(
            database.write(_find_contacts, readings, stored, own, batch.now()),
            batch.house.work.compute_each(
                alarms_in, None, [_cut_new_words(readings[item]) for item in ids]
            ),
        )
        urgent = dict(zip(ids, alarms, strict=True))
        heads = {
            item: _build_letterhead(readings[item], stored[item], own, checked.get(item))
            for item in ids
        }
        days = batch.house.settings.thread_subject_days
        book = await database.read(book_for, list(heads.values()), days)

        def place(item: str) -> Threaded:
            placed = book.place(heads[item], stored[item].thread_id)
            return Threaded(
                thread_id=placed.thread_id,
                contact_id=contacts[item],
                new=placed.new,
                linked_to=placed.linked_to,
                reason=placed.reason,
                urgent=urgent[item],
                place=placed,
                head=heads[item],
            )

        order = sorted(ids, key=lambda item: (stored[item].received_at, item))
        return await asyncio.to_thread(lambda: {item: place(item) for item in order})

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Threaded], now: datetime
    ) -> None:
        """Write the conversations, and let the burst gather."""
        stored = messages.read_messages(cursor, list(results))
        fields = {
            item: {"contact_id": placed.contact_id, "urgent": placed.urgent is not None}
            for item, placed in results.items()
        }
        messages.change(cursor, [{"id": item} | change for item, change in fields.items()])
        placed = {
            item: (threaded.head, threaded.place)
            for item, threaded in results.items()
            if threaded.head is not None and threaded.place is not None
        }
        contacts = {item: threaded.contact_id for item, threaded in results.items()}
        settle_placements(cursor, placed, stored, contacts, now)
        machine = [i for i in results if stored[i].automated_kind != "none"]
        people = [item for item in results if item not in set(machine)]
        kinds = {item: f"written by a machine: {stored[item].automated_kind}" for item in machine}
        messages.change(cursor, [{"id": item, "note": note} for item, note in kinds.items()])
        move(cursor, machine, MessageStatus.STORED, actor=self.name, now=now)
        move(cursor, people, MessageStatus.THREADED, actor=self.name, now=now)
        recalled_ids = recall_replies(cursor, people, self.name, now)
        wake_by_mail(cursor, people, self.name, now)
        end_by_mail(cursor, [item for item in people if not _is_forged(results[item])], now)
        ask(cursor, batch.workspace, recalled_ids, self.name, now)
        batch.take_off(machine, "stored")
        batch.outcomes.update(dict.fromkeys(people, "threaded"))


def _is_forged(placed: Threaded) -> bool:
    """Return whether authentication says that a message is not from whom it names."""
    head = placed.head
    return head is not None and bool(head.sender) and not head.trusted


def _cut_new_words(reading: Reading) -> tuple[str, str]:
    """Return what is new in a message, and its subject, as people see them."""
    text = without_undrawn(reading.segments.new or reading.mail.text)
    return text, without_undrawn(reading.mail.subject)


def _find_contacts(
    cursor: Connection,
    readings: Mapping[str, Reading],
    stored: Mapping[str, MessageRow],
    own: set[str],
    now: datetime,
) -> dict[str, str]:
    """Return whose each message is: the contact of its sender's address, or nobody else's.

    Of a From that names no one or several people, and of a web form without an address, nobody
    knows who wrote it. So each such message has a contact of its own, whom nothing ties to others.
    """
    items = {item for item in readings if _has_one_sender(readings[item], own)}
    senders = {stored[item].sender_email: stored[item].sender_name for item in items}
    known_contacts = contacts.find_or_make(cursor, senders, now)
    unknown = {item: stored[item].sender_name for item in readings if item not in items}
    return contacts.make_nameless(cursor, unknown, now) | {
        item: known_contacts[stored[item].sender_email].id for item in items
    }


def _has_one_sender(reading: Reading, own: set[str]) -> bool:
    mail = reading.mail
    if mail.sender is None or not mail.sender.email:
        return False
    return form_writer(mail, own) is not None or not is_form(mail, own)


def _build_letterhead(
    reading: Reading, row: MessageRow, own: set[str], checked: Authentication | None
) -> Letterhead:
    """Return what is compared; a From that is forged, a form's or not one ties to nothing."""
    mail = reading.mail
    sender_known = None if reading.passed_on or is_form(mail, own) else mail.sender
    return letterhead(
        mail,
        item=row.id,
        sender=sender_known.email.lower() if sender_known else "",
        own=own,
        subject=hash_content(mail),
        forged=checked is not None and checked.dmarc is AuthResult.FAIL,
        came_at=row.received_at,
    )

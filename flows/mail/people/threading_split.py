"""Splitting messages off a conversation by hand."""

from collections.abc import Sequence
from datetime import datetime

from data.counting import plural
from data.errors import ConflictError
from data.ids import new_id
from data.records.core.principals import Principal
from data.records.mail.conversations import SplitThread, ThreadPreview
from data.store.core.database import Connection
from data.store.mail import cases, deliveries, messages, thread_changes, threads
from data.store.mail.messages import MessageRow
from data.store.mail.thread_changes import Moved
from data.store.mail.threads import ThreadRow
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.threading_cases import restart
from flows.mail.people.threading_merge import arrange, case_sentences, known_thread


async def split(
    house: House, workspace: Workspace, thread_id: str, order: SplitThread, principal: Principal
) -> str:
    """Make a conversation of its own of some messages; return its id.

    Raises:
        NotFoundError: there is no such conversation.
        ConflictError: a message is not of it, or nothing would stay.

    """
    return await carry_out(
        house, workspace, principal, lambda act: _split_off(act, thread_id, order)
    )


def _split_off(act: Act, thread_id: str, order: SplitThread) -> str:
    """Move the chosen messages to a conversation of their own; return its id."""
    row, chosen = _chosen(act.cursor, thread_id, order.messages)
    fresh, old = new_id(act.now), row.id
    change = _move_messages(act, chosen, fresh, old)
    _follow_up(act, fresh, old)
    shown = f"{plural(len(chosen), 'message')} into {fresh}; change {change}"
    act.note("split conversation", f"thread:{old}", shown)
    return fresh


def _move_messages(act: Act, chosen: Sequence[MessageRow], fresh: str, old: str) -> str:
    """Begin a conversation with messages of another; return the id of the change."""
    moved = with_cases(act.cursor, old, [message.id for message in chosen])
    _begin(act.cursor, fresh, old, chosen[0], act.now)
    thread_changes.move_content(act.cursor, moved, fresh)
    return thread_changes.record_change(
        act.cursor,
        "split",
        thread=fresh,
        other=old,
        moved=moved,
        actor=act.actor,
        note=f"split by {act.actor}",
        now=act.now,
    )


def _follow_up(act: Act, fresh: str, old: str) -> None:
    """Have both conversations tell what is in them now, and their open cases worked on again."""
    arrange(act.cursor, fresh, old)
    thread_changes.refresh_threads(act.cursor, [fresh])
    thread_changes.recount_messages(act.cursor, [old])
    restart(act.cursor, [fresh, old], act.principal, act.now)


def split_preview(cursor: Connection, thread_id: str, message_ids: Sequence[str]) -> ThreadPreview:
    """Return what splitting these messages off would do; raises as `split` does."""
    row, chosen = _chosen(cursor, thread_id, message_ids)
    sentences = (
        f"{plural(len(chosen), 'message')} become a conversation of their own, linked to this one."
        if len(chosen) > 1
        else "1 message becomes a conversation of its own, linked to this one.",
        "Our replies to what moves go along, with their tickets, questions and promises.",
        *case_sentences(cursor, [row.id]),
    )
    return ThreadPreview(sentences=sentences)


def with_cases(cursor: Connection, thread_id: str, message_ids: Sequence[str]) -> Moved:
    """Return messages of a conversation with what goes along.

    These are the cases whose last message, which a case's reply answers, is among them, the
    Message-IDs of our replies in those cases, their tickets, questions to owners and promises.
    """
    ids = cases.list_answering(cursor, thread_id, message_ids)
    return {
        "messages": list(message_ids),
        "cases": ids,
        "own": deliveries.list_message_ids(cursor, ids),
        "history": [],
        **thread_changes.read_content_of_cases(cursor, ids),
    }


def _chosen(
    cursor: Connection, thread_id: str, message_ids: Sequence[str]
) -> tuple[ThreadRow, list[MessageRow]]:
    """Return the conversation, and the chosen messages, oldest first."""
    row = known_thread(cursor, thread_id)
    messages_held = messages.list_of_thread(cursor, row.id)
    ids_wanted = set(message_ids)
    chosen = [message for message in messages_held if message.id in ids_wanted]
    if len(chosen) < len(ids_wanted):
        strange = sorted(ids_wanted - {message.id for message in chosen})[0]
        raise ConflictError(f"message {strange!r} is not of this conversation; look at it again")
    if len(chosen) == len(messages_held):
        raise ConflictError("nothing would stay in this conversation; choose fewer messages")
    return row, chosen


def _begin(cursor: Connection, fresh: str, old: str, first: MessageRow, now: datetime) -> None:
    threads.add(
        cursor,
        [
            {
                "id": fresh,
                "subject": first.subject,
                "normalized_subject": "",
                "contact_id": first.contact_id,
                "contact_email": first.sender_email,
                "contact_name": first.sender_name,
                "participants": [first.sender_email],
                "status": "open",
                "assignee": None,
                "linked_to": old,
                "message_count": 0,
                "last_message_at": now,
            }
        ],
    )
    threads.add_links(cursor, [(fresh, old)])

"""Merging conversations by hand. It never changes who receives a reply.

A reply goes to the sender of the message it answers, and a draft sees what its own contact wrote or
was addressed in. So what two contacts wrote can be shown together without being told to either.
"""

from data.counting import plural
from data.errors import ConflictError, NotFoundError
from data.records.core.principals import Principal
from data.records.mail.conversations import MergeThreads, ThreadPreview
from data.store.core.database import Connection
from data.store.mail import cases, thread_changes, threads
from data.store.mail.threads import ThreadRow
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.threading_cases import queued, restart

Pair = tuple[ThreadRow, ThreadRow]


async def merge(
    house: House, workspace: Workspace, thread_id: str, order: MergeThreads, principal: Principal
) -> str:
    """Make another conversation part of this one; return the change's id.

    Raises:
        NotFoundError: one of them does not exist.
        ConflictError: they are one already, or are of different contacts and nobody said so.

    """
    return await carry_out(
        house, workspace, principal, lambda act: _merge_into(act, thread_id, order)
    )


def _merge_into(act: Act, thread_id: str, order: MergeThreads) -> str:
    """Move the other conversation's content here; return the change's id."""
    mine, other = _pair(act.cursor, thread_id, order.other)
    if warning_of(mine, other) and not order.across_contacts:
        raise ConflictError(warning_of(mine, other))
    change = _move_all(act, mine.id, other.id)
    detail = f"{other.id} of {other.contact_email}; change {change}"
    act.note("merge conversations", f"thread:{mine.id}", detail)
    return change


def _move_all(act: Act, mine: str, other: str) -> str:
    """Move all of a conversation to another, whose open cases are worked on again."""
    change = thread_changes.merge(
        act.cursor,
        other,
        mine,
        kind="merge",
        actor=act.actor,
        note=f"merged by {act.actor}",
        now=act.now,
    )
    arrange(act.cursor, mine, other)
    thread_changes.recount_messages(act.cursor, [mine])
    restart(act.cursor, [mine], act.principal, act.now)
    return change


def merge_preview(cursor: Connection, thread_id: str, other_id: str) -> ThreadPreview:
    """Return what merging would do; raises as `merge` does, but for different contacts."""
    mine, other = _pair(cursor, thread_id, other_id)
    total = mine.message_count + other.message_count
    sentences = [
        f"“{other.subject or '(no subject)'}” becomes part of this conversation, which then "
        f"holds {plural(total, 'message')}.",
        "Its tags, tickets, questions to owners and promises come along.",
        *case_sentences(cursor, [mine.id, other.id]),
    ]
    return ThreadPreview(sentences=tuple(sentences), warning=warning_of(mine, other))


def warning_of(mine: ThreadRow, other: ThreadRow) -> str:
    """Return what a person must mean when the conversations are of different contacts."""
    here, there = _people(mine), _people(other)
    if here == there:
        return ""
    return (
        f"These conversations are not of the same contacts: {', '.join(here)} here, "
        f"{', '.join(there)} there. Merged, their mail is shown together. Each reply still goes "
        "only to the sender of the message it answers, and no draft sees what another contact "
        "wrote alone"
    )


def case_sentences(cursor: Connection, thread_ids: list[str]) -> list[str]:
    """Return what will become of the open cases of these conversations."""
    unsettled = cases.list_unsettled_in_threads(cursor, thread_ids)
    waiting = queued(cursor, [row.id for row in unsettled])
    again = [row for row in unsettled if row.state == "in_review" or row.id in waiting]
    sentences = []
    if again:
        sentences.append(f"{plural(len(again), 'open case')} will be drafted again.")
    if waiting:
        sentences.append(f"{plural(len(waiting), 'approved reply')} not yet sent: taken back.")
    return [*sentences, "What has left stays as it is.", "You can take this back."]


def arrange(cursor: Connection, *thread_ids: str) -> None:
    """Note that a person arranged these conversations: the stage merges none of them by itself."""
    threads.change(cursor, [{"id": thread_id, "arranged": True} for thread_id in thread_ids])


def _people(row: ThreadRow) -> list[str]:
    names = {*row.participants, row.contact_email}
    return sorted(name or "unknown sender" for name in names)


def _pair(cursor: Connection, thread_id: str, other_id: str) -> Pair:
    mine, other = known_thread(cursor, thread_id), known_thread(cursor, other_id)
    if mine.id == other.id:
        raise ConflictError("these are one conversation already; there is nothing to merge")
    return mine, other


def known_thread(cursor: Connection, thread_id: str) -> ThreadRow:
    """Return a conversation's row.

    Raises:
        NotFoundError: there is none of that id.

    """
    row = threads.read_row(cursor, thread_id)
    if row is None:
        raise NotFoundError(f"there is no conversation {thread_id!r}")
    return row

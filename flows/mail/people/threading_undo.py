"""Taking back a joining, a merge or a split of conversations."""

from data.errors import ConflictError, NotFoundError
from data.records.core.principals import Principal
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.mail import deliveries, tags, thread_changes, threads
from data.store.mail.thread_changes import ChangeRow, Moved
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.people.threading_cases import restart
from flows.mail.people.threading_merge import arrange
from flows.mail.people.threading_split import with_cases


async def undo(
    house: House, workspace: Workspace, thread_id: str, change_id: str, principal: Principal
) -> None:
    """Put what a change of a conversation moved back where it was.

    What has come since stays where it came to. The stage does not join them again.

    Raises:
        NotFoundError: this conversation has no such change.
        ConflictError: it was taken back before, or a later change has to be taken back first.

    """
    await carry_out(house, workspace, principal, lambda act: _take_back(act, thread_id, change_id))


def _take_back(act: Act, thread_id: str, change_id: str) -> None:
    """Move back what a change has moved, and note that it was taken back."""
    change = _change_to_undo(act.cursor, thread_id, change_id)
    if change.kind == "split":
        _bring_together(act, change)
    else:
        _part_again(act, change)
    _recount(act, change)
    _note_undone(act, change)
    restart(act.cursor, [change.thread_id, change.other_id], act.principal, act.now)
    subject = f"thread:{change.thread_id}"
    act.note(f"undo {change.kind} of conversations", subject, f"change {change_id}")


def _bring_together(act: Act, change: ChangeRow) -> None:
    """Bring back what was split off, and all that has come to it since."""
    thread, other = change.thread_id, change.other_id
    thread_changes.move_content(act.cursor, thread_changes.read_content(act.cursor, thread), other)
    tags.carry(act.cursor, thread, other)
    threads.change(act.cursor, [{"id": thread, "merged_into": other}])


def _part_again(act: Act, change: ChangeRow) -> None:
    """Give a conversation back what was made part of another one."""
    thread, other = change.thread_id, change.other_id
    thread_changes.move_content(act.cursor, _still_there(act.cursor, change), other)
    tags.give_back(act.cursor, thread, other, thread_changes.moved_by(change), act.now)
    threads.change(act.cursor, [{"id": other, "merged_into": None}])


def _recount(act: Act, change: ChangeRow) -> None:
    """Have both conversations tell what is in them now."""
    arrange(act.cursor, change.thread_id, change.other_id)
    if change.kind == "join":
        thread_changes.refresh_threads(act.cursor, [change.thread_id])
    thread_changes.recount_messages(act.cursor, [change.thread_id, change.other_id])


def _note_undone(act: Act, change: ChangeRow) -> None:
    """Note at the change and at both conversations that it was taken back."""
    thread_changes.mark_taken_back(act.cursor, change.id, act.actor, act.now)
    note_events(
        act.cursor,
        "thread",
        [change.thread_id, change.other_id],
        "undo",
        actor=act.actor,
        now=act.now,
        note=f"{change.kind} taken back by {act.actor}",
    )


def _change_to_undo(cursor: Connection, thread_id: str, change_id: str) -> ChangeRow:
    """Return a change of a conversation that can be taken back.

    Raises:
        NotFoundError: the conversation has no such change.
        ConflictError: it was taken back before, or a later one has to be taken back first.

    """
    change = thread_changes.read_row(cursor, change_id)
    if thread_id not in (change.thread_id, change.other_id):
        raise NotFoundError(f"conversation {thread_id!r} has no change {change_id!r}")
    if change.undone_at is not None:
        raise ConflictError(f"this was taken back before, by {change.undone_by}")
    if thread_changes.has_later_change(cursor, change):
        raise ConflictError("a later change of these conversations has to be taken back first")
    return change


def _still_there(cursor: Connection, change: ChangeRow) -> Moved:
    """Return what a merge moved and is still where it was moved to, with its cases of today."""
    thread, moved = change.thread_id, thread_changes.moved_by(change)
    content = thread_changes.read_content(cursor, thread)
    still = {kind: sorted(set(ids) & set(moved.get(kind, ()))) for kind, ids in content.items()}
    along = with_cases(cursor, thread, still["messages"])
    return {
        "messages": still["messages"],
        "cases": along["cases"],
        "own": sorted({*along["own"], *deliveries.list_without_delivery(cursor, still["own"])}),
        "history": still["history"],
        **{
            kind: sorted({*along[kind], *still[kind]})
            for kind in ("tickets", "questions", "promises")
        },
    }

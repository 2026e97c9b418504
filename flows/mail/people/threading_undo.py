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
    cursor, principal, now = act.cursor, act.principal, act.now
    change = thread_changes.read_row(cursor, change_id)
    if thread_id not in (change.thread_id, change.other_id):
        raise NotFoundError(f"conversation {thread_id!r} has no change {change_id!r}")
    _must_be_last(cursor, change)
    thread, other = change.thread_id, change.other_id
    if change.kind == "split":
        thread_changes.move_content(cursor, thread_changes.content(cursor, thread), other)
        tags.carry(cursor, thread, other)
        threads.change(cursor, [{"id": thread, "merged_into": other}])
    else:
        thread_changes.move_content(cursor, _still_there(cursor, change), other)
        tags.give_back(cursor, thread, other, thread_changes.moved_by(change), now)
        threads.change(cursor, [{"id": other, "merged_into": None}])
    arrange(cursor, thread, other)
    if change.kind == "join":
        thread_changes.refresh(cursor, [thread])
    thread_changes.recount(cursor, [thread, other])
    thread_changes.take_back(cursor, change_id, principal.name, now)
    note = f"{change.kind} taken back by {principal.name}"
    note_events(cursor, "thread", [thread, other], "undo", actor=principal.name, now=now, note=note)
    restart(cursor, [thread, other], principal, now)
    act.note(f"undo {change.kind} of conversations", f"thread:{thread}", f"change {change_id}")


def _must_be_last(cursor: Connection, change: ChangeRow) -> None:
    if change.undone_at is not None:
        raise ConflictError(f"this was taken back before, by {change.undone_by}")
    if thread_changes.later_than(cursor, change):
        raise ConflictError("a later change of these conversations has to be taken back first")


def _still_there(cursor: Connection, change: ChangeRow) -> Moved:
    """Return what a merge moved and is still where it was moved to, with its cases of today."""
    thread, moved = change.thread_id, thread_changes.moved_by(change)
    content = thread_changes.content(cursor, thread)
    still = {kind: sorted(set(ids) & set(moved.get(kind, ()))) for kind, ids in content.items()}
    along = with_cases(cursor, thread, still["messages"])
    return {
        "messages": still["messages"],
        "cases": along["cases"],
        "own": sorted({*along["own"], *deliveries.without_delivery(cursor, still["own"])}),
        "history": still["history"],
        **{
            kind: sorted({*along[kind], *still[kind]})
            for kind in ("tickets", "questions", "promises")
        },
    }

"""Tasks and reminders; every read names the person whose they are."""

from collections.abc import Collection, Sequence
from datetime import datetime

from data.records.agents.tasks import EditTask, Task
from data.states import TaskState, sources_of
from data.store.core.database import Connection
from data.store.core.statements import (
    RowPage,
    insert,
    validate_one,
    validate_page,
    validate_rows,
)

_TASK = ", ".join(Task.model_fields)


def add(cursor: Connection, task: Task) -> None:
    """Write a task."""
    insert(cursor, "tasks", [task.model_dump()])


def list_of_owner(cursor: Connection, owner: str, states: Collection[TaskState]) -> list[Task]:
    """Return a person's tasks in these states, what is due first, without a time last."""
    return validate_rows(
        cursor,
        Task,
        f"SELECT {_TASK} FROM tasks WHERE owner = ? AND list_contains(?::VARCHAR[], state) "
        "ORDER BY due_at NULLS LAST, made_at, id",
        [owner, list(states)],
    )


def list_page(
    cursor: Connection, owner: str, state: TaskState, *, limit: int, offset: int
) -> RowPage[Task]:
    """Return one page of a person's tasks in a state, and how many there are.

    What is to be done stands in the order of its time; what has ended, the newest first.
    """
    ended = state in (TaskState.DONE, TaskState.DROPPED)
    order = "ended_at DESC, id" if ended else "due_at NULLS LAST, made_at, id"
    return validate_page(
        cursor,
        Task,
        f"SELECT {_TASK} FROM tasks WHERE owner = ? AND state = ?",
        order=order,
        parameters=[owner, state],
        limit=limit,
        offset=offset,
    )


def read_task(cursor: Connection, task_id: str, owner: str) -> Task:
    """Return a task of a person.

    Raises:
        NotFoundError: the person has none of that id; whether another has is not said.

    """
    statement = f"SELECT {_TASK} FROM tasks WHERE id = ? AND owner = ?"
    return validate_one(cursor, Task, statement, [task_id, owner], f"you have no task {task_id!r}")


def find_tasks(cursor: Connection, owner: str, ids: Sequence[str]) -> list[Task]:
    """Return the tasks of a person among these, whatever states they are in."""
    return validate_rows(
        cursor,
        Task,
        f"SELECT {_TASK} FROM tasks WHERE owner = ? AND id IN (SELECT unnest(?::VARCHAR[]))",
        [owner, list(ids)],
    )


def set_state(
    cursor: Connection, task_id: str, owner: str, state: TaskState, now: datetime
) -> bool:
    """Bring a person's task to a state; return whether this call did it."""
    ended = now if state in (TaskState.DONE, TaskState.DROPPED) else None
    moved = cursor.execute(
        "UPDATE tasks SET state = ?, ended_at = ? "
        "WHERE id = ? AND owner = ? AND list_contains(?::VARCHAR[], state) RETURNING id",
        [state, ended, task_id, owner, list(sources_of(state))],
    )
    return bool(moved.fetchall())


def change(cursor: Connection, task_id: str, owner: str, edit: EditTask, now: datetime) -> None:
    """Write a task as its owner wants it; who gave it another time is told when that has come."""
    cursor.execute(
        "UPDATE tasks SET reminded_at = CASE WHEN due_at IS DISTINCT FROM ? THEN NULL "
        "ELSE reminded_at END, title = ?, due_at = ?, timed = ?, changed_at = ? "
        "WHERE id = ? AND owner = ?",
        [edit.due_at, edit.title, edit.due_at, edit.timed, now, task_id, owner],
    )


def list_due(cursor: Connection, now: datetime) -> list[Task]:
    """Return the open tasks of everybody whose time has come and of which nobody was told yet."""
    return validate_rows(
        cursor,
        Task,
        f"SELECT {_TASK} FROM tasks WHERE state = 'open' AND reminded_at IS NULL AND due_at <= ? "
        "ORDER BY due_at, id",
        [now],
    )


def mark_reminded(cursor: Connection, ids: Sequence[str], now: datetime) -> None:
    """Note that the owners of tasks were told."""
    cursor.execute(
        "UPDATE tasks SET reminded_at = ? WHERE id IN (SELECT unnest(?))", [now, list(ids)]
    )

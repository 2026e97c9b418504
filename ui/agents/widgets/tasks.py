"""A person's tasks: what is to be done and by when, what an agent has proposed, what is done."""

from datetime import date, datetime, time

import streamlit as st

from data.counting import plural
from data.errors import NotFoundError
from data.records.agents.tasks import EditTask, Task
from data.records.core.titles import LONGEST_TITLE
from data.states import TaskState
from ui.agents.api.desk import agents_desk
from ui.agents.undoing import TaskUndo
from ui.agents.widgets.times import at_hour, day_field, day_words, read_zone, time_field
from ui.core.chips import chip, chips, empty, make_muted
from ui.core.session import attempt, say
from ui.core.text.clock import now
from ui.core.text.inert import label_words
from ui.core.undoing import offer, usual_end
from ui.core.widgets import lists
from ui.core.widgets.conflict_forms import look_again, stood_since
from ui.core.widgets.pager import SIZE, first_page, offset, pager

SHOWN = {TaskState.OPEN: "To do", TaskState.DONE: "Done", TaskState.DROPPED: "Dropped"}
MORNING = time(9)
"""When one is told of what is due on a day alone."""
_NEW = ("task-title", "task-day", "task-time")


def tasks() -> None:
    """Draw the person's tasks, and what notes one."""
    _new()
    state = st.segmented_control(
        "Which",
        list(SHOWN),
        key="tasks-which",
        default=TaskState.OPEN,
        required=True,
        format_func=SHOWN.__getitem__,
        label_visibility="collapsed",
        persist_state="session",
        on_change=first_page,
        args=("tasks",),
    )
    if state == TaskState.OPEN:
        _draw_proposed()
    _list(TaskState(str(state)))


def _new() -> None:
    with st.container(key="card-new-task"):
        title = st.text_input(
            "What is to be done",
            key="task-title",
            placeholder="Call Ana about the invoice",
            max_chars=LONGEST_TITLE,
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            day, hour = _when("task", None, None)
            st.button(
                "Add",
                key="task-add",
                type="primary",
                icon=":material/add_task:",
                disabled=not title.strip(),
                on_click=_add,
                args=(title, day, hour),
            )


def _when(key: str, day: date | None, hour: time | None) -> tuple[date | None, time | None]:
    """Draw the fields for when something is due; without a day there is no time."""
    chosen = day_field("Day", day, f"{key}-day")
    at_time = time_field("Time", hour, f"{key}-time", disabled=chosen is None)
    return chosen, at_time if chosen is not None else None


def _draw_proposed() -> None:
    """Draw what agents have asked to note, each with a yes and a no."""
    for task in agents_desk().tasks.find(TaskState.PROPOSED).items:
        with st.container(key=f"card-proposed-{task.id}"):
            lists.row(
                f"proposed-{task.id}", "An agent asks: note this?", task.title, "",
                (make_muted(due_words(task)),), "", opened=False, on_open=_look_at_nothing,
            )  # fmt: skip
            with st.container(horizontal=True, gap="small"):
                for label, act in (("Yes, note it", "open"), ("No", "drop")):
                    st.button(
                        label, key=f"proposed-{act}-{task.id}", on_click=_move, args=(task, act)
                    )


def _list(state: TaskState) -> None:
    listed = agents_desk().tasks.find(state, SIZE, offset("tasks"))
    st.session_state["ids-tasks"] = [task.id for task in listed.items]
    _draw_task_elsewhere([task.id for task in listed.items])
    if not listed.items:
        words = {
            TaskState.OPEN: ("Nothing is to be done.", "Note something above, or tell an agent."),
            TaskState.DONE: ("Nothing was done yet.", "What you tick off stands here."),
        }
        empty(*words.get(state, ("Nothing was dropped.", "")))
        return
    chips(make_muted(plural(listed.total, "task")))
    with st.container(key="list-tasks", gap=None):
        for task in listed.items:
            _line(task)
    pager("tasks", listed.total)


def _draw_task_elsewhere(shown: list[str]) -> None:
    """Draw the task that is open where the list does not have it: one that has ended, say."""
    opened = str(st.session_state.get("task") or "")
    if not opened or opened in shown:
        return
    try:
        task = agents_desk().tasks.read(opened)
    except NotFoundError:
        st.session_state["task"] = ""
        return
    if task.state is TaskState.PROPOSED:  # it stands above the list, with its yes and no
        return
    with st.container(key="card-task-elsewhere"):
        chips(chip(SHOWN[task.state], "quiet"))
        _line(task)


def _line(task: Task) -> None:
    """Draw a task: a box that ticks it off, and a line that opens it."""
    opened = task.id == st.session_state.get("task")
    with st.container(horizontal=True, gap=None, key=f"pickable-{task.id}", wrap=False):
        if task.state is not TaskState.DROPPED:
            with st.container(key=f"pick-box-{task.id}", width=34):
                st.checkbox(
                    f"Done: {label_words(task.title)}",
                    value=task.state is TaskState.DONE,
                    key=f"tick-{task.id}-{task.state}",
                    label_visibility="collapsed",
                    on_change=_move,
                    args=(task, "open" if task.state is TaskState.DONE else "done"),
                )
        with st.container():
            lists.row(task.id, due_words(task), task.title, "", _labels(task), "", opened, _open)
    if opened:
        _editor(task)


def _labels(task: Task) -> tuple[str, ...]:
    late = task.state is TaskState.OPEN and task.due_at is not None and is_late(task, now())
    return (chip("overdue", "bad"),) if late else ()


def is_late(task: Task, moment: datetime) -> bool:
    """Return whether a task's time is over: its day, where it is due on a day alone."""
    if task.due_at is None:
        return False
    if task.timed:
        return task.due_at <= moment
    return task.due_at.astimezone(read_zone()).date() < moment.astimezone(read_zone()).date()


def due_words(task: Task) -> str:
    """Return when a task is due, in the organization's zone."""
    if task.due_at is None:
        return "without a date"
    due = task.due_at.astimezone(read_zone())
    day = day_words(due.date(), now().astimezone(read_zone()).date())
    return f"{day}, {due:%H:%M}" if task.timed else day


def _editor(task: Task) -> None:
    """Draw what changes a task, below its line."""
    due = task.due_at.astimezone(read_zone()) if task.due_at else None
    stood = stood_since(task.id, task.stands_since)
    with st.container(key=f"task-editor-{task.id}"):
        title = st.text_input(
            "What is to be done", task.title, key=f"title-{task.id}", max_chars=LONGEST_TITLE
        )
        with st.container(horizontal=True, gap="small"):
            day, hour = _when(
                f"edit-{task.id}",
                due.date() if due else None,
                due.time() if due and task.timed else None,
            )
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Save", key="task-save", type="primary", disabled=not title.strip(),
                on_click=_change, args=(task, title, day, hour, stood),
            )  # fmt: skip
            if task.state is TaskState.OPEN:
                st.button("Drop it", key="task-drop", on_click=_move, args=(task, "drop"))
            else:
                st.button("To do again", key="task-open", on_click=_move, args=(task, "open"))
            st.button("Close", key="task-close", type="tertiary", on_click=_open, args=("",))


def _read_task(title: str, day: date | None, hour: time | None) -> EditTask:
    due = at_hour(day, hour or MORNING) if day else None
    return EditTask(title=title.strip(), due_at=due, timed=hour is not None)


def _add(title: str, day: date | None, hour: time | None) -> None:
    task = attempt(lambda: agents_desk().tasks.add(_read_task(title, day, hour)))
    if task is not None:
        for key in _NEW:
            st.session_state.pop(key, None)
        say("done", f"Noted: {task.title} ({due_words(task)}).")


def _change(task: Task, title: str, day: date | None, hour: time | None, stood: datetime) -> None:
    edit = _read_task(title, day, hour)
    changed = attempt(lambda: agents_desk().tasks.change(task.id, edit, stood))
    look_again(task.id)
    if changed is not None:
        _open("")


def _move(task: Task, act: str) -> None:
    if attempt(lambda: agents_desk().tasks.move(task.id, act)) is None:
        return
    _open("")
    if act != "open" and task.state is TaskState.OPEN:
        offer(TaskUndo(task_id=task.id, subject=task.title, until=usual_end()))


def _open(id: str) -> None:
    look_again(str(st.session_state.get("task") or ""))
    st.session_state["task"] = "" if id == st.session_state.get("task") else id


def _look_at_nothing(_: str) -> None:
    """What is proposed has nothing to open: it is answered below its line."""

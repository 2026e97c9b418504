"""Tools over a person's tasks and reminders.

A task is noted on a plain order. What somebody merely mentions is proposed, with its date in words,
and noted only by a plain yes.
"""

from datetime import datetime, timedelta

from pydantic import Field

from data.records.agents.chats import AuthorKind
from data.records.agents.tasks import EditTask, Task
from data.records.core.record import Record
from data.records.core.titles import LONGEST_TITLE
from data.records.core.tools import (
    OWN,
    ChangeKind,
    Fact,
    Item,
    NoArguments,
    Source,
    ToolResult,
    declare_lookup,
    declare_note,
)
from data.states import TaskState
from data.store.agents import chats, tasks
from data.store.core.database import Connection
from data.store.core.notifications import notify
from flows.agents.agenda import build_task
from flows.agents.changes import build_task_added, build_task_changed
from flows.agents.tools.wording import (
    build_refusal,
    build_sentence,
    describe_time,
    is_among_others,
    read_now,
    read_time,
    zone_of,
)
from flows.core.tools import Calling, Tool
from flows.core.workspace import Workspace
from tasks.agents.conversing import cut_escapes
from tasks.agents.spoken_parts import has_repeat
from tasks.agents.spoken_time import SpokenTime
from tasks.agents.tasks_asked import TaskQuestion, read_tasks_asked
from tasks.core.words.sentences import words

GROUP = "tasks"
_SHOWN = 20
_PROPOSED_FOR = timedelta(hours=1)
"""How long a yes still means the task that was proposed."""
_PROPOSED_AMONG = 40
"""Newest messages of a chat, among which the proposal stands that a yes is said to."""
_NEWEST = 2**31
"""A place behind every message."""
_MARKS = ("“", "„", "« ", "«")
"""What stands before a title that an agent quotes, by language."""


class WhatAndWhen(Record):
    """A task in somebody's words, with the time in them."""

    words: str = Field(min_length=1, max_length=2000, description="e.g. `on Friday at 9 call Ana`")
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


class WhichTask(Record):
    """A task by words of its title."""

    words: str = Field(min_length=1, max_length=LONGEST_TITLE)


class WhichTasks(Record):
    """Tasks in somebody's words; all that are open where they name no days."""

    words: str = Field(
        default="", max_length=500, description="e.g. `due this week`, `overdue`, `without a date`"
    )
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


async def _add_task(calling: Calling, and_when: WhatAndWhen) -> ToolResult:
    spoken, refusal = _read_words(calling, and_when)
    if refusal is not None:
        return refusal
    if spoken.assumed:
        return await _keep_proposal(calling, spoken)
    task = _build_task(calling, spoken, TaskState.OPEN)
    await calling.workspace.db.write(tasks.add, task)
    return _build_noted_result(calling, task)


async def _propose_task(calling: Calling, and_when: WhatAndWhen) -> ToolResult:
    spoken, refusal = _read_words(calling, and_when)
    return refusal if refusal is not None else await _keep_proposal(calling, spoken)


async def _keep_proposal(calling: Calling, spoken: SpokenTime) -> ToolResult:
    """Ask whether a task is to be noted, with its date; an hour that nobody said is shown so."""
    task = _build_task(calling, spoken, TaskState.PROPOSED)

    def write(cursor: Connection) -> None:
        _drop_proposed(cursor, calling)
        tasks.add(cursor, task)

    await calling.workspace.db.write(write)
    due = _describe_due(calling, task)
    sentence = build_sentence(calling, "task_proposed", title=task.title, due=due)
    return ToolResult(sentence=sentence, about=(build_task_source(task),))


async def _confirm_task(calling: Calling, _: NoArguments) -> ToolResult:
    def write(cursor: Connection) -> Task | None:
        proposed = _list_proposed_here(cursor, calling)
        since = calling.house.clock() - _PROPOSED_FOR
        for task in proposed:
            state = TaskState.OPEN if task.made_at >= since else TaskState.DROPPED
            tasks.set_state(cursor, task.id, task.owner, state, calling.house.clock())
            if state is TaskState.OPEN:
                return task.model_copy(update={"state": state})
        return None

    task = await calling.workspace.db.write(write)
    if task is None:
        return build_refusal(calling, "task_not_asked")
    return _build_noted_result(calling, task)


async def _drop_proposal(calling: Calling, _: NoArguments) -> ToolResult:
    def write(cursor: Connection) -> int:
        asked = _list_proposed_here(cursor, calling)
        for task in asked:
            tasks.set_state(cursor, task.id, task.owner, TaskState.DROPPED, calling.house.clock())
        return len(asked)

    if not await calling.workspace.db.write(write):
        return build_refusal(calling, "task_not_asked")
    return ToolResult(sentence=build_sentence(calling, "task_dropped"))


async def _list_tasks(calling: Calling, which: WhichTasks) -> ToolResult:
    if is_among_others(calling):
        return build_refusal(calling, "others_read")
    now = read_now(calling)
    asked = read_tasks_asked(which.words, which.language, now.date())
    if asked.unread:
        return build_refusal(calling, "time_unread")
    to_do = await calling.workspace.db.read(
        tasks.list_of_owner, calling.principal.id, [TaskState.OPEN]
    )
    listed = [task for task in to_do if _is_asked_for(task, asked, now)]
    if not to_do:
        return ToolResult(sentence=build_sentence(calling, "tasks_none"))
    late = sum(_is_late(task, now) for task in listed)
    if not listed:
        sentence = build_sentence(calling, "tasks_none_such", count=len(to_do))
    elif len(listed) < len(to_do):
        key = "tasks_of_one" if len(listed) == 1 else "tasks_of_many"
        sentence = build_sentence(calling, key, count=len(listed), of=len(to_do))
    else:
        key = f"tasks_{'one' if len(listed) == 1 else 'many'}{'_late' if late else ''}"
        sentence = build_sentence(calling, key, count=len(listed), late=late)
    items = tuple(_build_item(calling, task, now) for task in listed[:_SHOWN])
    return ToolResult(items=items, total=len(listed), sentence=sentence)


def _is_asked_for(task: Task, asked: TaskQuestion, now: datetime) -> bool:
    """Return whether a question is about a task; what is late is to be done today as well."""
    if asked.undated or task.due_at is None:
        return task.due_at is None and (asked.undated or not (asked.days or asked.late))
    if asked.late:
        return _is_late(task, now)
    if asked.days is None:
        return True
    day = task.due_at.astimezone(now.tzinfo).date()
    belated = asked.days.first == now.date() and _is_late(task, now)
    return belated or asked.days.first <= day <= asked.days.last


def _is_late(task: Task, now: datetime) -> bool:
    return task.due_at is not None and task.due_at < now


async def _finish_task(calling: Calling, order: WhichTask) -> ToolResult:
    if is_among_others(calling):
        return build_refusal(calling, "others_read")
    words_wanted = set(words(order.words))

    def write(cursor: Connection) -> list[Task]:
        of = tasks.list_of_owner(cursor, calling.principal.id, [TaskState.OPEN])
        meant = [task for task in of if words_wanted and words_wanted <= set(words(task.title))]
        if len(meant) == 1:
            now = calling.house.clock()
            tasks.set_state(cursor, meant[0].id, calling.principal.id, TaskState.DONE, now)
        return meant

    meant = await calling.workspace.db.write(write)
    if len(meant) == 1:
        (task,) = meant
        sentence = build_sentence(calling, "task_done", title=task.title)
        change = build_task_changed(
            ChangeKind.FINISHED, task, task.model_copy(update={"state": TaskState.DONE})
        )
        return ToolResult(sentence=sentence, about=(build_task_source(task),), changes=(change,))
    return build_refusal(calling, "task_several" if meant else "task_no_such", count=len(meant))


def _read_words(calling: Calling, and_when: WhatAndWhen) -> tuple[SpokenTime, ToolResult | None]:
    """Return what was said, and why nothing comes of it where it says no task."""
    spoken = read_time(calling, and_when.words, and_when.language)
    repeats = spoken.unread and has_repeat(and_when.words, and_when.language)
    if spoken.repeats or repeats:
        return spoken, build_refusal(calling, "task_repeats")
    if spoken.past or spoken.unread or spoken.ranged:
        return spoken, build_refusal(calling, "task_past" if spoken.past else "time_unread")
    if not spoken.rest:
        return spoken, build_refusal(calling, "task_empty")
    return spoken, None


def _build_task(calling: Calling, spoken: SpokenTime, state: TaskState) -> Task:
    edit_task = EditTask(title=spoken.rest[:LONGEST_TITLE], due_at=spoken.at, timed=spoken.timed)
    return build_task(edit_task, state, calling.principal, calling.house.clock())


def _build_noted_result(calling: Calling, task: Task) -> ToolResult:
    due = _describe_due(calling, task)
    sentence = build_sentence(calling, "task_noted", title=task.title, due=due)
    source = build_task_source(task)
    return ToolResult(sentence=sentence, about=(source,), changes=(build_task_added(task),))


def build_task_source(task: Task) -> Source:
    """Return a task as something that is named with a way to it."""
    return Source(kind="task", id=task.id, title=task.title)


def _describe_due(calling: Calling, task: Task) -> str:
    if task.due_at is None:
        return build_sentence(calling, "without_date")
    at = task.due_at.astimezone(zone_of(calling))
    return build_sentence(calling, "due", when=describe_time(at, calling, timed=task.timed))


def _build_item(calling: Calling, task: Task, now: datetime) -> Item:
    facts = [Fact(name="", value=_describe_due(calling, task))]
    return Item(
        title=task.title,
        facts=(
            *facts,
            *([Fact(name="", value=build_sentence(calling, "overdue"))] * _is_late(task, now)),
        ),
        source=build_task_source(task),
    )


def _list_proposed_here(cursor: Connection, calling: Calling) -> list[Task]:
    """Return what was proposed to the caller in this chat; a yes in another one is for nothing.

    A chat program sends what the agent has said as text; there the title that it quoted tells.
    """
    proposed = tasks.list_of_owner(cursor, calling.principal.id, [TaskState.PROPOSED])
    chat_id = calling.occasion.chat_id if calling.occasion is not None else ""
    if not proposed or not chat_id:
        return proposed
    newest, _ = chats.list_messages(cursor, chat_id, before=_NEWEST, limit=_PROPOSED_AMONG)
    answers = [message for message in newest if message.author is AuthorKind.AGENT]
    sources = {source.id for message in answers for source in message.sources}
    texts = [cut_escapes(message.text) for message in answers]
    return [
        task
        for task in proposed
        if task.id in sources
        or any(f"{mark}{task.title}" in text for text in texts for mark in _MARKS)
    ]


def _drop_proposed(cursor: Connection, calling: Calling) -> None:
    """Drop what a yes in this chat would be for, and whatever was proposed too long ago.

    What another chat waits for stays: the next words there are the answer to it.
    """
    here = {task.id for task in _list_proposed_here(cursor, calling)}
    now, owner = calling.house.clock(), calling.principal.id
    for task in tasks.list_of_owner(cursor, owner, [TaskState.PROPOSED]):
        if task.id in here or task.made_at < now - _PROPOSED_FOR:
            tasks.set_state(cursor, task.id, owner, TaskState.DROPPED, now)


TASK_TOOLS = (
    Tool(
        declare_note(
            "add_task", GROUP, "Notes a task of the person who asks, who ordered it plainly.", OWN
        ),
        WhatAndWhen,
        _add_task,
    ),
    Tool(
        declare_note("propose_task", GROUP, "Asks the person whether a task is to be noted.", OWN),
        WhatAndWhen,
        _propose_task,
    ),
    Tool(
        declare_note(
            "confirm_task", GROUP, "Notes the task that was proposed, after a plain yes.", OWN
        ),
        NoArguments,
        _confirm_task,
    ),
    Tool(
        declare_note(
            "drop_proposed_task", GROUP, "Drops the task that was proposed, after a no.", OWN
        ),
        NoArguments,
        _drop_proposal,
    ),
    Tool(
        declare_note(
            "finish_task", GROUP, "Marks an open task of the person who asks as done.", OWN
        ),
        WhichTask,
        _finish_task,
    ),
    Tool(
        declare_lookup(
            "list_tasks",
            GROUP,
            "Lists the person's open tasks, all or those of some days, what is due first.",
            OWN,
        ),
        WhichTasks,
        _list_tasks,
    ),
)


async def remind_owners(workspace: Workspace, now: datetime) -> int:
    """Tell the owners of tasks that are due, each once; return how many were told.

    The task and its notice are one transaction: a kill neither loses nor repeats a reminder.
    """

    def write(cursor: Connection) -> int:
        due = tasks.list_due(cursor, now)
        notify(
            cursor,
            "reminder",
            {task.id: f"Due now: {task.title}" for task in due},
            now,
            {task.id: f"user:{task.owner}" for task in due},
        )
        tasks.mark_reminded(cursor, [task.id for task in due], now)
        return len(due)

    if not await workspace.db.read(tasks.list_due, now):
        return 0
    return await workspace.db.write(write)

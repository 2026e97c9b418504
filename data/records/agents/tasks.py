"""Tasks and reminders: what a person wants to have done, and by when."""

from datetime import datetime

from pydantic import AwareDatetime, Field

from data.records.core.record import Record
from data.records.core.titles import LONGEST_TITLE, Title
from data.states import TaskState


class Task(Record):
    """One thing to do, of one person."""

    id: str
    owner: str
    """Id of the user whose it is; nobody else sees it."""
    owner_email: str = ""
    """Where the owner is told that it is due."""
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    due_at: AwareDatetime | None = None
    timed: bool = False
    """Whether it is due at a time of the day, and not on a day alone."""
    state: TaskState
    made_at: AwareDatetime
    changed_at: AwareDatetime | None = None
    """When its title or its time was changed last; None for never."""
    ended_at: AwareDatetime | None = None
    reminded_at: AwareDatetime | None = None
    """When the owner was told that it is due."""

    @property
    def stands_since(self) -> datetime:
        """Since when its title and its time are as they are."""
        return self.changed_at or self.made_at


class EditTask(Record):
    """A task as its owner wants it."""

    title: Title
    due_at: AwareDatetime | None = None
    timed: bool = False
    """Whether it is due at a time of the day, and not on a day alone."""


class TaskList(Record):
    """One page of a person's tasks, what is due first."""

    items: tuple[Task, ...]
    total: int = Field(ge=0)

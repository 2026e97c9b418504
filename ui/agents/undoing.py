"""Undos of what was done to agents, tasks and the calendar."""

from data.records.agents.agents import RestoredVersion
from data.records.core.calendar import EditEvent
from ui.agents.api.desk import agents_desk
from ui.core.parts_of_page import ALL, redraw
from ui.core.session import attempt, say
from ui.core.undoing import Undo, withdraw


class TaskUndo(Undo):
    """A task that was ticked off or dropped."""

    task_id: str

    def tell(self) -> tuple[str, str]:
        """Return that it is off the list."""
        return f"“{self.short_subject}” is off your list.", ""

    def take_back(self) -> None:
        """Put it back on the list."""
        withdraw()
        if attempt(lambda: agents_desk().tasks.move(self.task_id, "open")):
            say("done", "It is to be done again.")
        redraw(*ALL)


class EventUndo(Undo):
    """An event that was taken out of the calendar."""

    event: EditEvent

    def tell(self) -> tuple[str, str]:
        """Return that it is out of the calendar."""
        return f"“{self.short_subject}” is out of the calendar.", ""

    def take_back(self) -> None:
        """Put it into the calendar again."""
        withdraw()
        if attempt(lambda: agents_desk().calendar.add(self.event)):
            say("done", "It is in the calendar again.")
        redraw(*ALL)


class AgentUndo(Undo):
    """An agent that got another configuration."""

    agent: str
    """Its slug."""
    version: int
    """The version before."""
    agent_version: int
    """The version that it got."""

    def tell(self) -> tuple[str, str]:
        """Return which agent was changed."""
        return f"{self.short_subject} works otherwise from its next turn on.", ""

    def take_back(self) -> None:
        """Give it the configuration again that it had before it was changed."""
        withdraw()
        restored_version = RestoredVersion(
            version=self.version, reason="the change was taken back", expected=self.agent_version
        )
        if attempt(lambda: agents_desk().agents.restore(self.agent, restored_version)):
            say("done", f"It is as version {self.version} was.")
        redraw(*ALL)

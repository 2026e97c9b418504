"""A person's tasks."""

from datetime import datetime

from data.records.agents.tasks import EditTask, Task, TaskList
from data.states import TaskState
from ui.agents.api.preconditions import if_standing
from ui.core.api.organization_client import OrganizationClient


class TaskApi:
    """The part of the API about a person's tasks."""

    def __init__(self, client: OrganizationClient) -> None:
        self._client, self._at = client.sender, client.at

    def find(self, state: TaskState, limit: int = 25, offset: int = 0) -> TaskList:
        """Return one page of the person's tasks in a state."""
        return self._client.read(
            TaskList, self._at("tasks"), state=state, limit=limit, offset=offset
        )

    def read(self, id: str) -> Task:
        """Return one task of the person, whatever state it is in."""
        return self._client.read(Task, self._at("tasks", id))

    def add(self, edit: EditTask) -> Task:
        """Note a task."""
        return self._client.act(Task, self._at("tasks"), edit)

    def change(self, id: str, edit: EditTask, stood: datetime | None = None) -> Task:
        """Give a task another title or another time, if it has stood as it is since then."""
        return self._client.act(Task, if_standing(self._at("tasks", id), stood), edit, "PUT")

    def move(self, id: str, act: str) -> Task:
        """Say that a task is `done`, is `open` again, or is not to be done: `drop`."""
        return self._client.act(Task, self._at("tasks", id, act), {})

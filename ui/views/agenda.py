"""Tasks and calendar: what the person has to do and by when, and what is on."""

from ui import address
from ui.session import guarded
from ui.widgets import lists
from ui.widgets.events import VIEWS, events
from ui.widgets.heading import heading
from ui.widgets.tasks import tasks

ADDRESS = {"task": "task", "event": "event", "day": "agenda-day", "view": "agenda-view"}
"""What the page's address names, and the session's key of it."""


def show() -> None:
    """Draw the page."""
    address.take("agenda", ADDRESS, {"view": tuple(VIEWS)})
    heading(
        "Tasks & calendar", "Your tasks are yours alone; the organization's events are everybody's."
    )
    side, right = lists.halves("agenda")
    with side, guarded():
        tasks()
    with right, guarded():
        events()
    address.tell(ADDRESS, {"view": "week"})


if __name__ == "__main__":
    show()

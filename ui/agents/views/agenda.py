"""Tasks and calendar: what the person has to do and by when, and what is on."""

from ui.agents.widgets.events import VIEWS, events
from ui.agents.widgets.tasks import tasks
from ui.core import address
from ui.core.session import guard_refusals
from ui.core.widgets import lists
from ui.core.widgets.heading import heading

ADDRESS = {"task": "task", "event": "event", "day": "agenda-day", "view": "agenda-view"}
"""What the page's address names, and the session's key of it."""


def show() -> None:
    """Draw the page."""
    address.take("agenda", ADDRESS, {"view": tuple(VIEWS)})
    heading(
        "Tasks & calendar", "Your tasks are yours alone; the organization's events are everybody's."
    )
    side, right = lists.draw_halves("agenda")
    with side, guard_refusals():
        tasks()
    with right, guard_refusals():
        events()
    address.tell(ADDRESS, {"view": "week"})


if __name__ == "__main__":
    show()

"""Onlookers, who have the open case before them too: said, and nothing is locked by it."""

from collections.abc import Sequence

from data.records.mail.onlookers import Onlooker
from ui.core.text.text_runs import line, run
from ui.core.widgets.marked import draw_marked


def draw_onlookers(onlookers: Sequence[Onlooker]) -> None:
    """Draw a line for each, who writes first; nothing where nobody is."""
    if not onlookers:
        return
    lines = [
        line(
            run(onlooker.name, "strong"),
            run(" is writing here" if onlooker.writing else " has this case open too"),
            icon="warn" if onlooker.writing else "info",
        )
        for onlooker in onlookers
    ]
    draw_marked(lines, "list", key="onlookers")

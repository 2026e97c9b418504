"""Mail like what people of this organization have called spam."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

FLAGS, STOPS = 0.9, 0.99
"""From how sure the judge flags, and from how sure it stops, once it has seen enough."""
FLAGGED, STOPPED = 0.45, 0.8
"""What counts then. At the default thresholds the first flags and the second stops."""


def look(views: Views) -> Iterator[Find]:
    """Find messages that the judge is sure about; until it has seen enough it can only flag."""
    learned = views.known.learned
    if learned is None or learned.spam < FLAGS:
        return
    enough = learned.examples.enough
    score = STOPPED if enough and learned.spam >= STOPS else FLAGGED
    learned_from = f"{learned.examples.spam} spam, {learned.examples.ham} wanted"
    words = ", ".join(learned.telling) or "its words together"
    yield Find(MessagePlace.BODY, f"like {learned_from}: {words}", score, advisory=not enough)


RULE = ScreenRule(
    name="learned_spam",
    sentence="Is like what people of this organization have called spam.",
    technique="spam",
    layer=FilterLayer.CONTENT,
    severity=0.8,
    look=look,
)

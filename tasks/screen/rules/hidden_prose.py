"""Much prose in a place that hides it, told from preheaders and alternatives for other programs."""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views

_ORDINARY = frozenset({"alt", "title", "comment", "preheader", "plain_alternative"})
_PREHEADER_WORDS = 40


def look(views: Views) -> Iterator[Find]:
    """Find hidden text longer than a preheader that the visible body does not repeat."""
    visible = None
    for hidden in views.mail.hidden:
        words = hidden.text.split()
        if hidden.reason in _ORDINARY or len(words) <= _PREHEADER_WORDS:
            continue
        if visible is None:  # most mail hides nothing
            visible = " ".join(views.mail.text.split()).lower()
        if " ".join(words).lower()[:200] not in visible:
            yield Find(Place.HIDDEN, f"{hidden.reason}: {hidden.text[:160]}", 0.12)


RULE = Rule(
    name="hidden_prose",
    sentence="Hides more text than a preview line needs.",
    technique="instruction_smuggling",
    layer=Layer.SMUGGLING,
    severity=0.2,
    look=look,
)

"""Headers and Content-Type parameters that hold prose or role marks instead of values."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.usual_headers import USUAL_HEADERS
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.spotting import find_together, mask_of, spot

_PROSE_WORDS = 6
_NEAR = 12
"""Words within which an order and its object stand; no word counts for both."""
_ORDERS = (
    ("override|must|leak|conceal|persona|task_switch", "instruction|prompt_object|machine"),
    ("override|must|leak|conceal|persona|task_switch", "assistant|secret|response"),
    ("exfiltrate", "prompt_object|machine|secret|response"),
)
"""An order and its object; programs call themselves *mail reader* and *mail scanner*."""
_STRUCTURED = ("content-type", "content-disposition", "message-id", "in-reply-to", "mime-version")


def look(views: Views) -> Iterator[Find]:
    """Find header values that read as orders."""
    orders = [(mask_of(order), mask_of(thing)) for order, thing in _ORDERS]
    for name, value in views.mail.headers:
        structured = name in _STRUCTURED
        if name in USUAL_HEADERS and not structured:
            continue
        if len(value.split()) < (3 if structured else _PROSE_WORDS):
            continue
        if any(
            find_together(sentence, parts, _NEAR, ordered=False) is not None
            for sentence in spot(value).sentences
            for parts in orders
        ):
            yield Find(MessagePlace.HEADER, f"{name}: {value}", 0.5 if structured else 0.3)


RULE = ScreenRule(
    name="crafted_header",
    sentence="Puts orders into headers or Content-Type parameters.",
    technique="instruction_smuggling",
    layer=FilterLayer.SMUGGLING,
    severity=0.5,
    look=look,
)

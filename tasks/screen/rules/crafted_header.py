"""Headers and Content-Type parameters that hold prose or role marks instead of values."""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.spotting import mask_of, spot
from tasks.screen.views import USUAL_HEADERS, Views

_PROSE_WORDS = 6
_ORDER = "override|must|exfiltrate|leak|conceal|persona|task_switch"
_OBJECT = "instruction|prompt_object|machine|assistant|secret|response"
_STRUCTURED = ("content-type", "content-disposition", "message-id", "in-reply-to", "mime-version")


def look(views: Views) -> Iterator[Find]:
    """Find header values that read as orders."""
    order, thing = mask_of(_ORDER), mask_of(_OBJECT)
    for name, value in views.mail.headers[:200]:
        structured = name in _STRUCTURED
        if name in USUAL_HEADERS and not structured:
            continue
        if len(value.split()) < (3 if structured else _PROSE_WORDS):
            continue
        mask = spot(value).mask
        if mask & order and mask & thing:
            yield Find(Place.HEADER, f"{name}: {value}", 0.5 if structured else 0.3)


RULE = Rule(
    name="crafted_header",
    sentence="Puts orders into headers or Content-Type parameters.",
    technique="instruction_smuggling",
    layer=Layer.SMUGGLING,
    severity=0.5,
    look=look,
)

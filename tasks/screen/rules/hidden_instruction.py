"""Words for a machine where no reader looks.

Hidden text as such is ordinary (preheaders, alternative texts, comments of mail programs), so it is
the words that count: a reader is never shown orders in a comment. What combinations find in hidden
text is reported by their own rules with a higher weight; this rule adds orders too short for those.
A note to readers whose program shows no HTML, or how to leave a list, is no order to a machine.
"""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.spotting import mask_of
from tasks.screen.views import Views

#: (an order, what it is about, score): both must stand in one hidden sentence.
_ORDERS = (
    ("must|override|conceal|persona|task_switch|condition", "machine|prompt_object|freedom", 0.78),
    ("must|override|conceal|task_switch|user_claim", "instruction|own_rules|response|person", 0.45),
    ("exfiltrate|leak|shape", "machine|prompt_object|response|user_claim", 0.5),
    ("must|override|conceal|condition", "assistant", 0.4),
    ("exfiltrate", "secret", 0.2),
)
_HOVERED = frozenset({"alt", "title"})
"""Shown when the pointer rests on it or the picture is missing: ordinary sentences live there."""
_MACHINES = "machine|automaton|prompt_object|freedom"
_LESS = 0.6
"""What orders count there, and in parts of pages that programs took out."""


def look(views: Views) -> Iterator[Find]:
    """Find hidden sentences that hold an order and a word for what a machine has."""
    for scanned in views.scanned:
        if scanned.source.place is not Place.HIDDEN:
            continue
        source = scanned.source
        weight = _LESS if source.note in _HOVERED or source.set_aside else 1.0
        for order, thing, score in _ORDERS:
            for sentence in scanned.spotted.sentences:
                if (
                    sentence.mask & mask_of(order)
                    and sentence.mask & mask_of(thing)
                    and not tells_how_to_view(sentence.near)
                ):
                    excerpt = scanned.spotted.excerpt(sentence.start, sentence.end)
                    yield Find(Place.HIDDEN, f"{scanned.source.note}: {excerpt}", score * weight)
                    break


def tells_how_to_view(mask: int) -> bool:
    """Whether concepts are of a note how to see a mail or to leave a list, and of no machine."""
    return bool(mask & mask_of("viewing")) and not mask & mask_of(_MACHINES)


RULE = Rule(
    name="hidden_instruction",
    sentence="Hides orders where a reader does not see them.",
    technique="instruction_smuggling",
    layer=Layer.SMUGGLING,
    severity=0.8,
    look=look,
)

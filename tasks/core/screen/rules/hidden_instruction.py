"""Words for a machine where no reader looks.

Hidden text as such is ordinary (preheaders, alternative texts, comments of mail programs), so it is
the words that count: a reader is never shown orders in a comment. What combinations find in hidden
text is reported by their own rules with a higher weight; this rule adds orders too short for those.
A note to readers whose program shows no HTML, or how to leave a list, is no order to a machine.
"""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.spotting import find_together, mask_of

#: (an order, what it is about, score): both must stand in one hidden sentence.
_ORDERS = (
    ("must|override|conceal|persona|task_switch|condition", "machine|prompt_object|freedom", 0.78),
    ("must|override|conceal|task_switch|user_claim", "instruction|own_rules|response|person", 0.45),
    ("exfiltrate|leak|shape", "machine|prompt_object|response|user_claim", 0.5),
    ("must|override|conceal|condition", "assistant", 0.4),
    ("exfiltrate", "secret", 0.2),
)
_MACHINES = "machine|automaton|prompt_object|freedom"
_LESS, _LEAST = 0.6, 0.25
"""What orders count that other programs show, or programs took out: to a machine, and others.

Ordinary sentences live there: newsletters say in their plain alternative what their page says."""
_NEAR = 12
"""Words within which an order and what it is about stand there."""


def look(views: Views) -> Iterator[Find]:
    """Find hidden sentences that hold an order and a word for what a machine has."""
    for scanned in views.scanned:
        if scanned.source.place is not MessagePlace.HIDDEN:
            continue
        source = scanned.source
        less = source.shown_elsewhere or source.set_aside
        for order, thing, score in _ORDERS:
            parts = (mask_of(order), mask_of(thing))
            for sentence in scanned.spotted.sentences:
                if not (sentence.mask & parts[0] and sentence.mask & parts[1]):
                    continue
                if tells_how_to_view(sentence.near):
                    continue
                if less and find_together(sentence, parts, _NEAR, ordered=False) is None:
                    continue
                weight = (_LESS if score == _ORDERS[0][2] else _LEAST) if less else 1.0
                excerpt = scanned.spotted.excerpt(sentence.start, sentence.end)
                yield Find(MessagePlace.HIDDEN, f"{source.note}: {excerpt}", score * weight)
                break


def tells_how_to_view(mask: int) -> bool:
    """Whether concepts are of a note how to see a mail or to leave a list, and of no machine."""
    return bool(mask & mask_of("viewing")) and not mask & mask_of(_MACHINES)


RULE = ScreenRule(
    name="hidden_instruction",
    sentence="Hides orders where a reader does not see them.",
    technique="instruction_smuggling",
    layer=FilterLayer.SMUGGLING,
    severity=0.8,
    look=look,
)

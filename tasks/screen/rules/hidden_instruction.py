"""Words for a machine where no reader looks.

Hidden text as such is ordinary (preheaders, alternative texts, comments of mail programs), so it is
the words that count: a reader is never shown orders in a comment. What combinations find in hidden
text is reported by their own rules with a higher weight; this rule adds orders too short for those.
"""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.spotting import mask_of
from tasks.screen.views import Views

_ORDER = "must|override|exfiltrate|conceal|leak|shape|persona|task_switch"
_TO_MACHINE = "machine|instruction|prompt_object|response|freedom|tool|assistant"


def look(views: Views) -> Iterator[Find]:
    """Find hidden sentences that hold an order and a word for a machine."""
    order, machine, strong = mask_of(_ORDER), mask_of(_TO_MACHINE), mask_of("machine|prompt_object")
    for scanned in views.scanned:
        if scanned.source.place is not Place.HIDDEN:
            continue
        for sentence in scanned.spotted.sentences:
            if sentence.mask & order and sentence.mask & machine:
                distinct = len({mark.mask for mark in sentence.marks})
                score = 0.2 + 0.1 * min(distinct, 4) + (0.2 if sentence.mask & strong else 0)
                excerpt = scanned.spotted.excerpt(sentence.start, sentence.end)
                yield Find(Place.HIDDEN, f"{scanned.source.note}: {excerpt}", min(score, 0.8))


RULE = Rule(
    name="hidden_instruction",
    sentence="Hides orders where a reader does not see them.",
    technique="instruction_smuggling",
    layer=Layer.SMUGGLING,
    severity=0.8,
    look=look,
)

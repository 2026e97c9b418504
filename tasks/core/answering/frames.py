"""The frame of an answer: the paragraphs of a person's saved reply, where one fits."""

from collections.abc import Sequence
from functools import lru_cache

from data.records.core.knowledge import SavedReply
from data.records.core.record import Record
from data.records.core.understanding import Intent, IntentKind
from tasks.core.patterns import compiled

SLOT = "{answer}"
"""The place for the answer in a saved reply."""

_ANY_SLOT = compiled(r"\{[a-z_]+\}")
_NAME_SLOTS = ("{first_name}", "{name}", "{organization}")
_WITHOUT_ANSWER = (
    IntentKind.ACKNOWLEDGMENT,
    IntentKind.INFORMATION,
    IntentKind.COMPLAINT,
    IntentKind.ESCALATION,
)
"""Intents to which a saved reply may be told whole, because it claims nothing about the wish."""


class Frame(Record):
    """The paragraphs of a saved reply before and after the answer, without greeting and closing."""

    ref: str
    title: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def find_frame(
    intent: Intent, language: str, saved_replies: Sequence[SavedReply], *, is_suggestion: bool
) -> Frame | None:
    """Return the frame of the first saved reply that fits an intent, or None when none fits.

    It is in the language, for that kind of intent, and for its category or for every one. One
    with a slot for the answer fits them all; one without fits intents to which no answer is
    needed. A suggestion takes one that names its category. A reply with other slots fits none.
    """
    for reply in saved_replies:
        fits = reply.language == language and reply.intent == intent.intent.value
        if not fits or (reply.categories and intent.category.value not in reply.categories):
            continue
        if is_suggestion and intent.category.value not in reply.categories:
            continue
        if SLOT not in reply.body and intent.intent not in _WITHOUT_ANSWER and not is_suggestion:
            continue
        frame = make_frame(reply)
        if frame is not None:
            return frame
    return None


@lru_cache(maxsize=256)
def make_frame(reply: SavedReply) -> Frame | None:
    """Return the frame of a saved reply; None when it holds a slot that cannot be filled.

    Its first and last paragraphs are left out where they hold a name: greeting and closing are
    those of every letter. A name in between cannot be filled. Without a slot all is `before`.
    """
    before: list[str] = []
    after: list[str] = []
    target = before
    paragraphs = [" ".join(paragraph.split()) for paragraph in reply.body.split("\n\n")]
    paragraphs = [text for text in paragraphs if text]
    for place, text in enumerate(paragraphs):
        if any(name in text for name in _NAME_SLOTS):
            if place not in (0, len(paragraphs) - 1):
                return None
            continue
        head, slot, tail = text.partition(SLOT)
        if _ANY_SLOT.search(head) or _ANY_SLOT.search(tail):
            return None
        if head.strip():
            target.append(_sentence_case(head.strip()))
        if slot:
            target = after
            if tail.strip():
                target.append(tail.strip())
    return Frame(
        ref=f"reply:{reply.id}", title=reply.title, before=tuple(before), after=tuple(after)
    )


def _sentence_case(text: str) -> str:
    """Return `text` with a capital at its start."""
    return text[:1].upper() + text[1:]

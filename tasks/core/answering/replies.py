"""Saved replies as sources: what people wrote once, told again with a citation where it fits.

A reply with a place for the answer frames one and states nothing itself, so it is no source; nor is
one with a slot that only a person can fill. What is left speaks for the organization.
"""

from collections.abc import Sequence
from functools import lru_cache

from data.errors import UnfitError
from data.records.core.briefing import Snippet, SourceKind
from data.records.core.knowledge import SavedReply
from tasks.core.answering.frames import SLOT, make_frame
from tasks.core.patterns import compiled
from tasks.core.words.sentences import terms

REPLY = "reply:"
"""What the `ref` of a saved reply begins with."""
MOST = 3
"""Saved replies that one briefing holds."""
FILLED = (SLOT, "{first_name}", "{name}", "{organization}")
"""Placeholders that code fills or leaves out."""
_BRACES = compiled(r"\{[^{}\n]*\}")


class UnfitReplyError(UnfitError):
    """The text of a saved reply cannot be used; says which part."""


def open_slots(body: str) -> tuple[str, ...]:
    """Return the placeholders of a text that nothing fills, each once, in order."""
    slots = (match.group() for match in _BRACES.finditer(body))
    return tuple(dict.fromkeys(slot for slot in slots if slot not in FILLED))


def check_reply(body: str) -> None:
    """Make sure that the text of a saved reply holds no placeholder but those that are filled.

    Raises:
        UnfitReplyError: it holds another one, a brace alone, or two places for the answer.

    """
    slot_names = ", ".join(FILLED)
    if unknown := open_slots(body):
        names = ", ".join(repr(slot) for slot in unknown)
        raise UnfitReplyError(f"nothing fills {names}; a saved reply may hold {slot_names}")
    rest = _BRACES.sub("", body)
    if "{" in rest or "}" in rest:
        raise UnfitReplyError(f"a brace stands alone; a saved reply may hold {slot_names}")
    if body.count(SLOT) > 1:
        raise UnfitReplyError(f"{SLOT!r} stands in it twice; there is one answer")
    if not _BRACES.sub("", body).strip():
        raise UnfitReplyError("it says nothing but placeholders; write what it tells")


def told_replies(case_text: str, saved_replies: Sequence[SavedReply]) -> list[Snippet]:
    """Return the saved replies that share a topic with a case, the nearest first, three at most."""
    reply_texts = [(reply, text) for reply in saved_replies if (text := reply_text(reply))]
    if not reply_texts:
        return []
    asked = set(terms(case_text))
    ranked = sorted(
        (
            (len(asked & _topics(f"{one.title} {text}")), one.id, one, text)
            for one, text in reply_texts
        ),
        key=lambda item: (-item[0], item[1]),
    )
    return [_snippet(one, text) for score, _, one, text in ranked[:MOST] if score]


@lru_cache(maxsize=512)
def reply_text(reply: SavedReply) -> str:
    """Return what a saved reply states, without greeting and closing; empty when it is a frame."""
    frame = None if SLOT in reply.body else make_frame(reply)
    return "\n\n".join((*frame.before, *frame.after)) if frame else ""


@lru_cache(maxsize=512)
def _topics(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _snippet(reply: SavedReply, text: str) -> Snippet:
    return Snippet(
        source=SourceKind.ORGANIZATION,
        ref=f"{REPLY}{reply.id}",
        title=reply.title,
        text=text,
        trusted=True,
        citable=True,
        language=reply.language,
    )

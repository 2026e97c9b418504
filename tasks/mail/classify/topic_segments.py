"""A message cut into sentences, and where a sender begins another matter.

A word like "also" at the start of a sentence says so loudest, a blank line or an item of a list
less, and "also" further inside least; any other sentence says nothing.
"""

from enum import IntEnum

from tasks.core.patterns import compiled
from tasks.core.words.sentence_openings import EITHER, OPENED, TURNED

LONGEST = 24
"""Sentences that are looked at singly; what follows belongs to the last."""
SHORTEST = 3
"""Words that a sentence needs to carry a wish of its own."""
_HEAD = 6
"""Words at the start of a sentence among which "also" counts."""


class Start(IntEnum):
    """How loudly a sender says that another matter begins with a sentence."""

    SENTENCE = 0  #: not at all
    HINTED = 1  #: a new paragraph or item, "and" at its start, or "also" inside
    SAID = 2  #: "also", "besides" at its start
    TURNED = 3  #: "another thing", "secondly", "on a different note" at its start


_ALSO = frozenset(
    {"also", "too", "auch", "ebenfalls", "aussi", "également", "también", "anche", "ook", "tevens"}
    | {"também", "też", "również"}
)
"""Words that say that something comes beside something else."""
_AND = frozenset({"and", "und", "et", "y", "e", "en", "i"})
_INSIDE = compiled(rf"(?i)(?:[,;:]\s+|\s[–—-]\s+|\s(?:and|und|et|y|e|en|i)\s+)(?:{EITHER})\s")
_ENDS = compiled(r"[.!?…。！？]+[\"')\]]*(?:\s+|$)|\n\s*\n|\n\s*(?:[-*•]|[\da-e]{1,2}[.)])\s+|\n")
_ITEM = compiled(r"^(?:[-*•]|[\da-e]{1,2}[.)])\s")
_ABBREVIATED = compiled(
    r"(?i)(?:^|\s)(?:mr|mrs|ms|dr|prof|no|nr|inv|st|z\.b|bzw|ca|evtl|sr|sra|dott|mme|\p{L}|\d{1,2})$"
)


def cut_sentences(text: str) -> list[tuple[str, Start]]:
    """The sentences of `text` in order, without empty ones, and how loudly each begins a matter.

    At most `LONGEST`; the last one holds what is left.
    """
    pieces_cut: list[tuple[str, Start]] = []
    at, apart = 0, False
    for end in _ENDS.finditer(text):
        piece = text[at : end.start()]
        if end[0].startswith(".") and _ABBREVIATED.search(piece[-12:]) is not None:
            continue
        mark = end[0].strip() if not end[0][0].isspace() else ""
        pieces_cut += _cut_at_marks((piece + mark).strip(), apart=apart)
        between = text[end.start() + len(mark) : end.end()]
        apart = between.count("\n") > 1 or (between[:1] == "\n" and between.strip() != "")
        at = end.end()
    pieces_cut += _cut_at_marks(text[at:].strip(), apart=apart)
    if len(pieces_cut) > LONGEST:
        rest = pieces_cut[LONGEST - 1 :]
        pieces_cut[LONGEST - 1 :] = [(" ".join(piece for piece, _ in rest), rest[0][1])]
    return pieces_cut


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, without empty ones; at most `LONGEST`."""
    return [sentence for sentence, _ in cut_sentences(text)]


def _cut_at_marks(sentence: str, *, apart: bool) -> list[tuple[str, Start]]:
    """A sentence, cut before words that begin another matter, with how loudly each piece does."""
    if not sentence:
        return []
    pieces = _halves(sentence)
    return [
        (piece, _loudness(piece, apart=apart and not place)) for place, piece in enumerate(pieces)
    ]


def _loudness(sentence: str, *, apart: bool) -> Start:
    if TURNED.match(sentence) is not None:
        return Start.TURNED
    if OPENED.match(sentence) is not None:
        return Start.SAID
    head = [word.strip(",.;:!?'") for word in sentence.lower().split()[:_HEAD]]
    apart = apart or head[0] in _AND or not _ALSO.isdisjoint(head)
    return Start.HINTED if apart or _ITEM.match(sentence) is not None else Start.SENTENCE


def _halves(sentence: str) -> list[str]:
    """A sentence cut before a word like "also" that starts another matter."""
    inside = _INSIDE.search(sentence)
    if inside is None or len(sentence[: inside.start()].split()) < SHORTEST:
        return [sentence]
    return [sentence[: inside.start()], sentence[inside.start() :].lstrip(" ,;:–—-")]

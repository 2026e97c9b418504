"""Pieces of an order kept in variables, to be joined by the machine."""

from collections.abc import Iterator
from itertools import islice

from data.records.core.screening import FilterLayer
from tasks.core.patterns import compiled
from tasks.core.screen.combinations import weighed
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.spotting import mask_of, spot

_ASSIGNED = compiled(r"(?im)(?:^|[\s,;])\$?[a-z]\w{0,11} ?(?:=|:=) ?[\"'“][^\"'”\n]+[\"'”]")
"""Without a group for the piece: RE2 finds the ends of a long one many times as quickly so."""
_QUOTE = compiled(r"[\"'“]")
_JOINED = compiled(r"(?i)\b[a-z]\w{0,11} ?\+ ?[a-z]\w{0,11}\b")
_WATCHED = GATE.watch(compiled(r"\w ?\+ ?[A-Za-z]"), kind="escapes")
_MOST = 40


def look(views: Views) -> Iterator[Find]:
    """Find assigned pieces that are joined, and read what they spell together."""
    for text in views.texts:
        if not text.signs & _WATCHED:
            continue
        assignments = islice(_ASSIGNED.finditer(text.text), _MOST)
        pieces = [_QUOTE.split(assignment.group(), 1)[1][:-1] for assignment in assignments]
        if len(pieces) < 2 or _JOINED.search(text.text) is None:
            continue
        whole = "".join(pieces)
        mask = spot(" ".join(pieces)).mask | spot(whole).mask
        bad = mask & mask_of("override|secret|prompt_object|machine") and mask & mask_of(
            "instruction|prompt_object|leak|exfiltrate"
        )
        yield Find(text.place, whole, weighed(text, 0.65 if bad else 0.12))


RULE = ScreenRule(
    name="split_payload",
    sentence="Keeps pieces of an order in variables that the machine is to join.",
    technique="payload_splitting",
    layer=FilterLayer.INJECTION,
    severity=0.7,
    look=look,
)

"""Details of a wish that a person needs to carry it out: references, dates, amounts.

Values are the sender's letters and are never told to anybody but people. First version: a
reference needs a word for one before it; persons, places and products are left to models.
"""

from collections.abc import Sequence
from functools import cache

import re2

from data.lexicons.secrets import secret_words
from data.records.mail.planning import Plan, Slot, SlotName
from tasks.core.claims.claims import claims
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold

MOST = 8
"""Slots of one wish at most."""
_LONGEST, _READ = 120, 4_000
_KINDS = {"date_or_time": SlotName.DATE, "amount": SlotName.AMOUNT}
_PHONES = frozenset(
    {"phone", "telephone", "tel", "telefon", "telefono", "telefone", "telefoon", "mobile", "mobil"}
    | {"handy", "movil", "cellulare", "fax", "whatsapp", "call", "ring", "rufen"}
)


def found_slots(text: str) -> tuple[Slot, ...]:
    """Return what the words of a wish state, in a fixed order, each once."""
    words = " ".join(text[:_READ].split())
    folded = fold(words)
    same = len(folded) == len(words)
    slots_read = [
        Slot(
            name=SlotName.REFERENCE,
            value=words[match.start(1) : match.end(1)] if same else match.group(1),
        )
        for match in _references().finditer(folded)
    ]
    slots_read += [
        Slot(name=_KINDS[claim.kind], value=claim.excerpt[:_LONGEST])
        for claim in claims(words)
        if claim.kind in _KINDS
    ]
    return tuple(dict.fromkeys(slots_read))[:MOST]


def with_slots(plan: Plan, text: str) -> Plan:
    """Return a plan that a person carries out with what the wish states, unless a model said so."""
    if plan.slots or not plan.handed:
        return plan
    return plan.model_copy(update={"slots": found_slots(text)})


def describe_slots(slots: Sequence[Slot]) -> str:
    """Return slots as a sentence for people, empty when there are none."""
    slot_list = ", ".join(f"{slot.name.value} {slot.value}" for slot in slots)
    return f"Stated: {slot_list}." if slot_list else ""


@cache
def _references() -> "re2._Regexp[str]":
    """Return a pattern for a number with the word before it that says whose it is."""
    words = "|".join(re2.escape(word) for word in secret_words("told") if word not in _PHONES)
    return compiled(
        rf"\b(?:{words})\b[\s:#.]*(?:(?:number|no|nr|num|numero|nummer|numer|n)\b[\s:.#°]*)?"
        r"((?:[a-z]{1,4}-?)?\d[\w\-/]{2,30}\b)"
    )

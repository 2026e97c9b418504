"""What of its messages a case answers, where another case answers the other parts.

A case keeps, by message, the sentences that it leaves out. So it is worked on again, drafted again
and taken over by newer mail like any other, and nothing is answered twice.
"""

from collections.abc import Iterable, Mapping, Sequence

import orjson

from data.store.mail.cases import CaseRow
from tasks.classify.parts import without
from tasks.read import Reading

LeftOut = dict[str, list[str]]
"""Sentences by message."""


def left_out(row: CaseRow) -> LeftOut:
    """Return what a case leaves out, by message."""
    kept = orjson.loads(row.left_out) if row.left_out else {}
    return {item: list(told) for item, told in kept.items()}


def pack_left_out(found: Mapping[str, Iterable[str]]) -> str:
    """Return what a case leaves out as it is stored; empty when it leaves nothing out."""
    told = {item: list(dict.fromkeys(sentences)) for item, sentences in found.items()}
    told = {item: sentences for item, sentences in told.items() if sentences}
    return orjson.dumps(told).decode() if told else ""


def in_all(rows: Sequence[CaseRow]) -> LeftOut:
    """Return what a case leaves out that takes over these cases: what each of them does."""
    kept = [(set(row.message_ids), left_out(row)) for row in rows]
    found: LeftOut = {}
    for item in dict.fromkeys(item for held, _ in kept for item in held):
        mine = [own.get(item, []) for held, own in kept if item in held]
        found[item] = [one for one in mine[0] if all(one in other for other in mine[1:])]
    return found


def said_in(reading: Reading) -> str:
    """Return what is new in a message; a bare forward counts with what it forwards."""
    return reading.segments.new or reading.segments.forwarded or reading.mail.text


def remaining(row: CaseRow, readings: Mapping[str, Reading]) -> list[Reading]:
    """Return the readings of a case's messages, oldest first, without what it leaves out."""
    told = left_out(row)
    return [
        _without(readings[item], told[item]) if told.get(item) else readings[item]
        for item in row.message_ids
        if item in readings
    ]


def _without(reading: Reading, told: Sequence[str]) -> Reading:
    rest = without(said_in(reading), told)
    segments = reading.segments.model_copy(update={"new": rest, "forwarded": ""})
    mail = reading.mail if rest else reading.mail.model_copy(update={"text": ""})
    return reading.model_copy(update={"segments": segments, "mail": mail})

"""Sentences that a case leaves out of its messages, because another case answers them.

A case keeps, by message, the sentences that it leaves out. So it is worked on again, drafted again
and taken over by newer mail like any other, and nothing is answered twice.
"""

from collections.abc import Iterable, Mapping, Sequence

import orjson

from data.store.mail.cases import CaseRow
from tasks.mail.case_text import said_in
from tasks.mail.classify.message_parts import leave_out_sentences
from tasks.mail.read import Reading

LeftOut = dict[str, list[str]]
"""Sentences by message."""


def read_left_out(row: CaseRow) -> LeftOut:
    """Return what a case leaves out, by message."""
    left_values = orjson.loads(row.left_out) if row.left_out else {}
    return {item: list(sentences) for item, sentences in left_values.items()}


def pack_left_out(found: Mapping[str, Iterable[str]]) -> str:
    """Return what a case leaves out as it is stored; empty when it leaves nothing out."""
    sentences_by_item = {item: list(dict.fromkeys(sentences)) for item, sentences in found.items()}
    sentences_by_item = {
        item: sentences for item, sentences in sentences_by_item.items() if sentences
    }
    return orjson.dumps(sentences_by_item).decode() if sentences_by_item else ""


def list_left_out_by_all(rows: Sequence[CaseRow]) -> LeftOut:
    """Return what a case leaves out that takes over these cases: what each of them does."""
    left_by_case = [(set(row.message_ids), read_left_out(row)) for row in rows]
    left_in_all: LeftOut = {}
    for item in dict.fromkeys(item for messages, _ in left_by_case for item in messages):
        sentence_lists = [own.get(item, []) for messages, own in left_by_case if item in messages]
        left_in_all[item] = [
            sentence
            for sentence in sentence_lists[0]
            if all(sentence in other for other in sentence_lists[1:])
        ]
    return left_in_all


def list_remaining(row: CaseRow, readings: Mapping[str, Reading]) -> list[Reading]:
    """Return the readings of a case's messages, oldest first, without what it leaves out."""
    left_by_item = read_left_out(row)
    return [
        _cut_sentences(readings[item], left_by_item[item])
        if left_by_item.get(item)
        else readings[item]
        for item in row.message_ids
        if item in readings
    ]


def _cut_sentences(reading: Reading, sentences_left: Sequence[str]) -> Reading:
    rest = leave_out_sentences(said_in(reading), sentences_left)
    segments = reading.segments.model_copy(update={"new": rest, "forwarded": ""})
    mail = reading.mail if rest else reading.mail.model_copy(update={"text": ""})
    return reading.model_copy(update={"segments": segments, "mail": mail})

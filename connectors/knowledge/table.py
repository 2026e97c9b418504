"""The form of the index: one row per entry, and the filter that every search carries."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import pyarrow as pa
import re2

from connectors.embedding import Vectors
from data.records.core.knowledge import KnowledgeEntry

EMBEDDER = b"embedder"
"""Key of the schema's metadata: the name of the embedder that made the vectors."""

_ALWAYS = (0, 99_999_999)
LANGUAGE = re2.compile(r"^[a-z]{2,3}$")
"""What a code of a language looks like (ISO 639)."""


def text_of(entry: KnowledgeEntry) -> str:
    """Return what of an entry is searched: title, tags and body."""
    return " . ".join((entry.title, " ".join(entry.tags), entry.body))


def rows_of(entries: Sequence[KnowledgeEntry], vectors: Vectors, embedder: str) -> pa.Table:
    """Return the entries as rows; `vectors` has shape (n, d), one row per entry."""
    since = [_day(entry.valid_from, _ALWAYS[0]) for entry in entries]
    until = [_day(entry.valid_until, _ALWAYS[1]) for entry in entries]
    flat = pa.array(np.ascontiguousarray(vectors).ravel(), type=pa.float32())
    table = pa.table(
        {
            "id": pa.array([entry.id for entry in entries], pa.string()),
            "language": pa.array([entry.language for entry in entries], pa.string()),
            "trusted": pa.array([entry.trusted for entry in entries], pa.bool_()),
            "valid_from": pa.array(since, pa.int32()),
            "valid_until": pa.array(until, pa.int32()),
            "text": pa.array([text_of(entry) for entry in entries], pa.string()),
            "entry": pa.array([entry.model_dump_json() for entry in entries], pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
        }
    )
    return table.replace_schema_metadata({EMBEDDER: embedder.encode()})


def width_of(schema: pa.Schema) -> int:
    """Return how many numbers a vector has."""
    return int(schema.field("vector").type.list_size)


def write_filter(today: date, language: str | None) -> str:
    """Return the filter of a search; made of a date and a checked code, never of mail."""
    day = number_of(today)
    clauses = ["trusted = true", f"valid_from <= {day}", f"valid_until >= {day}"]
    if language is not None and LANGUAGE.match(language):
        clauses.append(f"language = '{language}'")
    return " AND ".join(clauses)


def number_of(day: date) -> int:
    """Return a date as the number YYYYMMDD."""
    return day.year * 10_000 + day.month * 100 + day.day


def _day(day: date | None, otherwise: int) -> int:
    return otherwise if day is None else number_of(day)

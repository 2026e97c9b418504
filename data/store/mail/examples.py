"""Examples that people gave for the classifier, and the trainings on them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.mail.examples import Training
from data.store.core.database import Connection, Fields, columns, first, insert, records, rows

KEPT = 20
"""Trainings that are kept; older ones cannot be gone back to."""
_VIEW = "id, trained_at, corrections, confirmed, held, right_before, right_after, taken, undone_at"


class ExampleRow(NamedTuple):
    """What a person said of a case, or let stand, and what the classifier reads of it."""

    case_id: str
    category: str
    priority: str
    intent: str
    corrected: bool
    hashes: list[int]
    """Of its words; empty while it was not read."""
    opinion: list[float]
    given_by: str
    given_at: datetime


class CorrectedRow(NamedTuple):
    """What a person said of a case."""

    case_id: str
    category: str
    priority: str
    intent: str


class LetStandRow(NamedTuple):
    """A case that was approved as it was understood."""

    id: str
    category: str
    priority: str
    intent: str
    """That of its first branch, as JSON."""
    reviewer: str
    decided_at: datetime


def counts(cursor: Connection) -> tuple[int, int]:
    """Return how many cases people corrected, and how many they let stand."""
    found = first(
        cursor,
        "SELECT count(*) FILTER (corrected), count(*) FILTER (NOT corrected) FROM examples",
    )
    return (int(found[0]), int(found[1])) if found else (0, 0)


def keep(cursor: Connection, examples: Sequence[Fields]) -> None:
    """Keep these rows; each takes the place of what was known of its case."""
    cursor.execute(
        "DELETE FROM examples WHERE case_id IN (SELECT unnest(?))",
        [[row["case_id"] for row in examples]],
    )
    insert(cursor, "examples", examples)


def newest(cursor: Connection, *, corrected: bool, limit: int) -> list[ExampleRow]:
    """Return the newest examples of one kind, oldest first."""
    found = records(
        cursor,
        ExampleRow,
        "SELECT * FROM examples WHERE corrected = ? ORDER BY given_at DESC, case_id LIMIT ?",
        [corrected, limit],
    )
    return found[::-1]


def unread(cursor: Connection) -> list[ExampleRow]:
    """Return the examples whose words were not hashed yet."""
    statement = "SELECT * FROM examples WHERE len(hashes) = 0 ORDER BY given_at, case_id"
    return records(cursor, ExampleRow, statement)


def given_since(cursor: Connection, at: datetime) -> bool:
    """Return whether a person corrected a case after that time."""
    found = first(cursor, "SELECT count(*) FROM examples WHERE corrected AND given_at > ?", [at])
    return bool(found and found[0])


def corrected(cursor: Connection, case_ids: Sequence[str]) -> dict[str, CorrectedRow]:
    """Return what people said of these cases, by case; only of those that were corrected."""
    wanted = columns(CorrectedRow)
    statement = f"SELECT {wanted} FROM examples WHERE corrected AND case_id IN ?"
    return {row.case_id: row for row in records(cursor, CorrectedRow, statement, [list(case_ids)])}


def let_stand(cursor: Connection, limit: int) -> list[LetStandRow]:
    """Return cases that were approved as they were understood and are no examples yet."""
    return records(
        cursor,
        LetStandRow,
        "SELECT c.id, c.category, c.priority, b.intent, r.reviewer, r.decided_at FROM cases c "
        "JOIN reviews r ON r.case_id = c.id AND r.action IN ('approve', 'edit_and_approve') "
        "JOIN branches b ON b.case_id = c.id AND b.position = 0 "
        "WHERE c.category IS NOT NULL AND c.id NOT IN (SELECT case_id FROM examples) "
        "QUALIFY row_number() OVER (PARTITION BY c.id ORDER BY r.decided_at DESC) = 1 "
        "ORDER BY r.decided_at DESC, c.id LIMIT ?",
        [limit],
    )


def add_training(cursor: Connection, training: Training, layer: bytes) -> None:
    """Keep a training and forget the oldest beyond `KEPT`."""
    insert(cursor, "trainings", [{**training.model_dump(), "layer": layer}])
    cursor.execute(
        "DELETE FROM trainings WHERE id NOT IN "
        "(SELECT id FROM trainings ORDER BY trained_at DESC, id DESC LIMIT ?)",
        [KEPT],
    )


def trainings(cursor: Connection) -> list[Training]:
    """Return all trainings, newest first."""
    found = rows(cursor, f"SELECT {_VIEW} FROM trainings ORDER BY trained_at DESC, id DESC")
    return [Training.model_validate(row) for row in found]


def in_use(cursor: Connection) -> tuple[str, bytes] | None:
    """Return the id and the layer of the training in use, or None."""
    found = first(
        cursor,
        "SELECT id, layer FROM trainings WHERE taken AND undone_at IS NULL "
        "ORDER BY trained_at DESC, id DESC LIMIT 1",
    )
    return (str(found[0]), bytes(found[1])) if found else None


def undo(cursor: Connection, training_id: str, now: datetime) -> None:
    """Take a training out of use; the one before it comes back."""
    cursor.execute("UPDATE trainings SET undone_at = ? WHERE id = ?", [now, training_id])

"""Examples that people gave for the classifier, and the trainings on them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.mail.examples import Training
from data.store.core.database import Connection
from data.store.core.statements import (
    Fields,
    columns,
    first,
    insert,
    read_sums,
    records,
    validate_rows,
)

TRAININGS_KEPT = 20
"""Trainings that are kept; older ones cannot be gone back to."""
_TRAINING_COLUMNS = (
    "id, trained_at, corrections, confirmed, held, right_before, right_after, taken, undone_at"
)


class ExampleRow(NamedTuple):
    """The labels that a person gave a case, or let stand, and what training reads of the case."""

    case_id: str
    category: str
    priority: str
    intent: str
    corrected: bool
    hashes: list[int]
    """Of the words of its messages; empty before a training has read them."""
    opinion: list[float]
    """What the classifier as installed makes of the case: its features beside the words."""
    given_by: str
    given_at: datetime


class CorrectedRow(NamedTuple):
    """What a person said of a case."""

    case_id: str
    category: str
    priority: str
    intent: str


class LetStandRow(NamedTuple):
    """A case whose reply was approved, edited or not, and whose labels nobody changed."""

    id: str
    category: str
    priority: str
    intent: str
    """That of its first branch, as JSON."""
    reviewer: str
    decided_at: datetime


class ExampleCounts(NamedTuple):
    """How many examples there are to train on."""

    corrections: int
    confirmed: int
    """Approvals without a correction."""


def count_examples(cursor: Connection) -> ExampleCounts:
    """Return how many examples are corrections, and how many are approvals without one."""
    return read_sums(
        cursor,
        ExampleCounts,
        "SELECT count(*) FILTER (corrected) AS corrections, "
        "count(*) FILTER (NOT corrected) AS confirmed FROM examples",
    )


def replace_examples(cursor: Connection, examples: Sequence[Fields]) -> None:
    """Keep these rows; each takes the place of what was known of its case."""
    cursor.execute(
        "DELETE FROM examples WHERE case_id IN (SELECT unnest(?))",
        [[row["case_id"] for row in examples]],
    )
    insert(cursor, "examples", examples)


def fill_examples(cursor: Connection, examples: Sequence[Fields]) -> None:
    """Keep what was read of the cases of these examples, where they are still as they were.

    What a person has said anew meanwhile is read another time, and what was erased stays so.
    """
    still = {(row.case_id, row.given_at) for row in list_unhashed(cursor)}
    as_before = [row for row in examples if (row["case_id"], row["given_at"]) in still]
    if as_before:
        replace_examples(cursor, as_before)


def list_newest(cursor: Connection, *, corrected: bool, limit: int) -> list[ExampleRow]:
    """Return the newest examples of one kind, oldest first."""
    example_rows = records(
        cursor,
        ExampleRow,
        "SELECT * FROM examples WHERE corrected = ? ORDER BY given_at DESC, case_id LIMIT ?",
        [corrected, limit],
    )
    return example_rows[::-1]


def list_unhashed(cursor: Connection) -> list[ExampleRow]:
    """Return the examples whose words were not hashed yet."""
    statement = "SELECT * FROM examples WHERE len(hashes) = 0 ORDER BY given_at, case_id"
    return records(cursor, ExampleRow, statement)


def has_correction_since(cursor: Connection, at: datetime) -> bool:
    """Return whether a person corrected a case after that time."""
    row = first(cursor, "SELECT count(*) FROM examples WHERE corrected AND given_at > ?", [at])
    return bool(row and row[0])


def list_corrections(cursor: Connection, case_ids: Sequence[str]) -> dict[str, CorrectedRow]:
    """Return what people said of these cases, by case; only of those that were corrected."""
    statement = f"SELECT {columns(CorrectedRow)} FROM examples WHERE corrected AND case_id IN ?"
    return {row.case_id: row for row in records(cursor, CorrectedRow, statement, [list(case_ids)])}


def list_approved_without_example(cursor: Connection, limit: int) -> list[LetStandRow]:
    """Return cases whose replies were approved with their labels unchanged, no examples yet."""
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
    """Keep a training with its layer of weights, and forget the oldest beyond `TRAININGS_KEPT`.

    The one in use stays, however many came after it that were not taken.
    """
    insert(cursor, "trainings", [{**training.model_dump(), "layer": layer}])
    cursor.execute(
        "DELETE FROM trainings WHERE id NOT IN "
        "(SELECT id FROM trainings ORDER BY trained_at DESC, id DESC LIMIT ?) "
        "AND id NOT IN (SELECT id FROM trainings WHERE taken AND undone_at IS NULL "
        "ORDER BY trained_at DESC, id DESC LIMIT 1)",
        [TRAININGS_KEPT],
    )


def list_trainings(cursor: Connection) -> list[Training]:
    """Return all trainings, newest first."""
    return validate_rows(
        cursor,
        Training,
        f"SELECT {_TRAINING_COLUMNS} FROM trainings ORDER BY trained_at DESC, id DESC",
    )


class LayerInUseRow(NamedTuple):
    """The training whose layer judges messages, and that layer."""

    id: str
    layer: bytes


def find_in_use(cursor: Connection) -> LayerInUseRow | None:
    """Return the training in use, or None."""
    layer_rows = records(
        cursor,
        LayerInUseRow,
        "SELECT id, layer FROM trainings WHERE taken AND undone_at IS NULL "
        "ORDER BY trained_at DESC, id DESC LIMIT 1",
    )
    return next(iter(layer_rows), None)


def undo_training(cursor: Connection, training_id: str, now: datetime) -> None:
    """Take a training out of use; the one before it comes back."""
    cursor.execute("UPDATE trainings SET undone_at = ? WHERE id = ?", [now, training_id])

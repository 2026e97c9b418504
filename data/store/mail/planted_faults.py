"""Letters that are shown with a planted fault, and what became of each."""

from datetime import datetime
from typing import NamedTuple

from data.ids import new_id
from data.records.mail.vigilance import FaultOutcome, FaultyDraft
from data.store.core.database import Connection
from data.store.core.statements import first, insert, read_sums, records

_OPEN = (
    "outcome = '' AND revision = (SELECT max(revision) FROM drafts d "
    "WHERE d.case_id = planted_faults.case_id)"
)
"""A planted fault is shown until it is decided on or another draft has taken the letter's place."""


class PlantedRow(NamedTuple):
    """One letter that is or was shown with a fault."""

    id: str
    case_id: str
    revision: int
    kind: str
    draft: str
    """As JSON."""
    wrong: str
    correct: str
    planted_at: datetime
    outcome: str
    ended_by: str
    ended_at: datetime | None


class PlantableRow(NamedTuple):
    """A case whose letter may be shown with a fault, with its only draft as JSON."""

    id: str
    version: int
    draft: str


def add(cursor: Connection, case_id: str, faulty: FaultyDraft, now: datetime) -> None:
    """Show a case's first draft with a fault from now on."""
    row = PlantedRow(
        new_id(now), case_id, 0, str(faulty.kind), faulty.draft.model_dump_json(),
        faulty.wrong, faulty.correct, now, "", "", None,
    )  # fmt: skip
    insert(cursor, "planted_faults", [row._asdict()])


def read_shown(cursor: Connection, case_id: str) -> PlantedRow | None:
    """Return the fault that a case's letter is shown with, None where it is shown as written."""
    statement = f"SELECT * FROM planted_faults WHERE case_id = ? AND {_OPEN}"
    rows = records(cursor, PlantedRow, statement, [case_id])
    return rows[0] if rows else None


def end(cursor: Connection, id: str, outcome: FaultOutcome, by: str, now: datetime) -> None:
    """Keep what became of a planted fault; the letter is shown as it was written again."""
    cursor.execute(
        "UPDATE planted_faults SET outcome = ?, ended_by = ?, ended_at = ? "
        "WHERE id = ? AND outcome = ''",
        [str(outcome), by, now, id],
    )


def find_last_time(cursor: Connection) -> datetime | None:
    """Return when a fault was planted last."""
    row = first(cursor, "SELECT max(planted_at) FROM planted_faults")
    return row[0] if row else None


def list_plantable(cursor: Connection, quality: float, limit: int) -> list[PlantableRow]:
    """Return cases whose letter may be shown with a fault, in an order that nobody can foresee.

    They wait in review with a first draft of at least that quality that nobody has touched, are
    neither urgent nor flagged nor in anybody's hands, and had no planted fault before.
    """
    return records(
        cursor,
        PlantableRow,
        "SELECT c.id, c.version, d.draft FROM cases c JOIN drafts d ON d.case_id = c.id "
        "WHERE c.state = 'in_review' AND c.priority <> 'urgent' AND c.assignee IS NULL "
        "AND c.quality >= ? "
        "AND NOT EXISTS (SELECT 1 FROM drafts o WHERE o.case_id = c.id AND o.revision > 0) "
        "AND c.id NOT IN (SELECT case_id FROM planted_faults) "
        "AND c.id NOT IN (SELECT case_id FROM snoozes WHERE ended_at IS NULL) "
        "AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.case_id = c.id "
        "AND m.verdict IS DISTINCT FROM 'clean') "
        "ORDER BY hash(c.id) LIMIT ?",
        [quality, limit],
    )


class EndedFaults(NamedTuple):
    """How many planted faults people saw, and how many they missed."""

    seen: int
    missed: int


def count_ended(cursor: Connection, since: datetime) -> EndedFaults:
    """Return how many planted faults were seen and how many were missed since then."""
    return read_sums(
        cursor,
        EndedFaults,
        "SELECT count(*) FILTER (outcome = 'seen') AS seen, "
        "count(*) FILTER (outcome = 'missed') AS missed FROM planted_faults WHERE ended_at >= ?",
        [since],
    )

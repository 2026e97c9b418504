"""The drafts that people have decided on, with what the line knew when they did."""

from datetime import datetime
from typing import NamedTuple

from data.store.core.database import Connection
from data.store.core.statements import records


class JudgedRow(NamedTuple):
    """A case whose draft a person decided on."""

    case_id: str
    subject: str
    priority: str | None
    state: str
    quality: float
    decided_at: datetime
    reviewer: str
    actions: list[str]
    """Everything that people decided on its drafts, in any order."""
    changed: float
    """The largest share of a draft that somebody changed."""
    routed: str
    """The output of the stage *route* that the first of them saw, JSON."""
    classified: str
    """The newest output of the stage *classify*, JSON."""


_JUDGED = """
WITH judged AS (
    SELECT case_id, max(decided_at) AS decided_at, min(decided_at) AS first_at,
        arg_max(reviewer, decided_at) AS reviewer, list(DISTINCT action) AS actions,
        max(edit_distance) AS changed
    FROM reviews WHERE action IN ('approve', 'edit_and_approve', 'reject', 'archive')
    GROUP BY case_id ORDER BY decided_at DESC LIMIT ?
), journal AS (
    SELECT item_id, stage, output, started_at FROM steps
    WHERE stage IN ('route', 'classify', 'check') AND status = 'done'
    AND item_id IN (SELECT case_id FROM judged)
), seen AS (
    SELECT judged.case_id,
        arg_max(output, started_at) FILTER (stage = 'route' AND started_at <= first_at) AS routed,
        arg_max(output, started_at) FILTER (stage = 'check' AND started_at <= first_at) AS checked,
        arg_max(output, started_at) FILTER (stage = 'classify') AS classified
    FROM journal JOIN judged ON judged.case_id = journal.item_id GROUP BY judged.case_id
)
SELECT c.id AS case_id, c.subject, c.priority, c.state,
    coalesce(TRY_CAST(json_extract_string(seen.checked, '$.quality') AS DOUBLE), 0.0) AS quality,
    judged.decided_at, judged.reviewer, judged.actions, judged.changed, seen.routed,
    seen.classified
FROM judged JOIN cases c ON c.id = judged.case_id JOIN seen ON seen.case_id = judged.case_id
WHERE seen.routed IS NOT NULL AND seen.classified IS NOT NULL
ORDER BY judged.decided_at DESC, c.id
"""


def list_judged_drafts(cursor: Connection, limit: int) -> list[JudgedRow]:
    """Return the last cases whose draft a person decided on, the newest first."""
    return records(cursor, JudgedRow, _JUDGED, [limit])

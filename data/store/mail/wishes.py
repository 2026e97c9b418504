"""Wishes of people for the drafts of cases that are drafted again."""

from collections.abc import Sequence
from typing import NamedTuple

from data.records.mail.drafting import Draft
from data.records.mail.redrafting import RedraftWish
from data.store.core.database import Connection
from data.store.core.statements import records


class RejectionRow(NamedTuple):
    """Why a person rejected a draft."""

    case_id: str
    reason: str
    note: str


def list_of_cases(cursor: Connection, case_ids: Sequence[str]) -> dict[str, RedraftWish]:
    """Return the wish of each case whose newest draft was rejected, with all drafts before it."""
    rejected = records(
        cursor,
        RejectionRow,
        "SELECT r.case_id, r.reason, r.note FROM reviews r WHERE r.action = 'reject' "
        "AND r.reason IS NOT NULL AND r.case_id IN (SELECT unnest(?)) "
        "AND r.decided_at > (SELECT max(d.created_at) FROM drafts d WHERE d.case_id = r.case_id) "
        "ORDER BY r.decided_at, r.id",
        [list(case_ids)],
    )
    reasons = {row.case_id: row for row in rejected}
    drafts_by_case: dict[str, list[Draft]] = {}
    for case, draft in cursor.execute(
        "SELECT case_id, draft FROM drafts WHERE case_id IN (SELECT unnest(?)) ORDER BY revision",
        [list(reasons)],
    ).fetchall():
        drafts_by_case.setdefault(case, []).append(Draft.model_validate_json(draft))
    return {
        case: RedraftWish(
            reason=reasons[case].reason,
            note=reasons[case].note,
            rejected=tuple(draft.body for draft in drafts),
            language=drafts[-1].language,
        )
        for case, drafts in drafts_by_case.items()
    }

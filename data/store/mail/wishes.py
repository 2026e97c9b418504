"""What people wanted otherwise in the drafts of cases that are drafted again."""

from collections.abc import Sequence

from data.records.mail.drafting import Draft
from data.records.mail.redrafting import Wish
from data.store.core.database import Connection, rows


def of_cases(cursor: Connection, case_ids: Sequence[str]) -> dict[str, Wish]:
    """Return the wish of each case whose newest draft was rejected, with all drafts before it."""
    rejected = rows(
        cursor,
        "SELECT r.case_id, r.reason, r.note FROM reviews r WHERE r.action = 'reject' "
        "AND r.reason IS NOT NULL AND r.case_id IN (SELECT unnest(?)) "
        "AND r.decided_at > (SELECT max(d.created_at) FROM drafts d WHERE d.case_id = r.case_id) "
        "ORDER BY r.decided_at, r.id",
        [list(case_ids)],
    )
    reasons = {row["case_id"]: row for row in rejected}
    found: dict[str, list[Draft]] = {}
    for row in rows(
        cursor,
        "SELECT case_id, draft FROM drafts WHERE case_id IN (SELECT unnest(?)) ORDER BY revision",
        [list(reasons)],
    ):
        found.setdefault(row["case_id"], []).append(Draft.model_validate_json(row["draft"]))
    return {
        case: Wish(
            reason=reasons[case]["reason"],
            note=reasons[case]["note"],
            rejected=tuple(draft.body for draft in drafts),
            language=drafts[-1].language,
        )
        for case, drafts in found.items()
    }

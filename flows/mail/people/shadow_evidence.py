"""People's judgement of earlier drafts, from reviews and journal, as evidence for a policy."""

from collections.abc import Mapping

from pydantic import ValidationError

from data.records.core.organization import Policy
from data.records.core.understanding import Classification, Priority
from data.records.mail.deciding import Decision, ReviewAction
from data.records.mail.shadow import DraftJudgement, JudgedDraft, ShadowEvidence, Wish
from data.states import CaseState
from data.store.core.database import Connection
from data.store.mail.shadow import JudgedRow, list_judged_drafts
from tasks.mail.route.autonomy import list_wishes
from tasks.mail.route.loosening import count_judgements, would_leave

MOST = 1000
"""Decided drafts that are looked at."""
DIALS = frozenset({"kill_switch", "pipeline_mode", "shadow_mode", "category_rule", "quality"})
"""Gates that the policy's dials answer."""
OF_THE_MOMENT = frozenset({"working_hours", "daily_cap", "reply_governor", "transport"})
"""Gates that would have let the draft through at another hour."""
WORST: Mapping[ReviewAction, DraftJudgement] = {
    ReviewAction.REJECT: DraftJudgement.REJECTED,
    ReviewAction.ARCHIVE: DraftJudgement.CLOSED,
    ReviewAction.EDIT_AND_APPROVE: DraftJudgement.EDITED,
    ReviewAction.APPROVE: DraftJudgement.UNCHANGED,
}
"""What is said of a draft by a decision, the worst first."""
ANSWERED = frozenset({CaseState.APPROVED, CaseState.SENT})


def evidence(cursor: Connection, policy: Policy, limit: int = MOST) -> ShadowEvidence:
    """Return the last drafts that people decided on, and what the policy would have sent of them.

    A decision that was taken back, and after which nobody decided, is no evidence.
    """
    drafts = tuple(
        draft for row in list_judged_drafts(cursor, limit) if (draft := _draft(row)) is not None
    )
    return ShadowEvidence(
        drafts=drafts,
        would_send=count_judgements([draft for draft in drafts if would_leave(policy, draft)]),
    )


def _draft(row: JudgedRow) -> JudgedDraft | None:
    judgement = next(said for action, said in WORST.items() if action in row.actions)
    if judgement in (DraftJudgement.UNCHANGED, DraftJudgement.EDITED) and row.state not in ANSWERED:
        return None
    if judgement is DraftJudgement.CLOSED and row.state != CaseState.ARCHIVED:
        return None
    if judgement is DraftJudgement.UNCHANGED and row.changed > 0:
        judgement = DraftJudgement.EDITED
    try:
        routed = Decision.model_validate_json(row.routed, extra="ignore")
        understood = Classification.model_validate_json(row.classified)
    except ValidationError:  # of a release with another form; it is no evidence then
        return None
    other = [
        gate for gate in routed.gates
        if not gate.passed and gate.name not in DIALS | OF_THE_MOMENT
    ]  # fmt: skip
    return JudgedDraft(
        case_id=row.case_id,
        subject=row.subject,
        wishes=tuple(
            Wish(category=category, intent=intent) for category, intent in list_wishes(understood)
        ),
        priority=Priority(row.priority or Priority.NORMAL),
        quality=row.quality,
        could_leave=bool(routed.gates) and not other,
        held_by=other[0].reason if other else "",
        said=judgement,
        changed=row.changed,
        decided_at=row.decided_at,
        decided_by=row.reviewer,
    )

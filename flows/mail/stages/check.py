"""Stage *check*: claims, links, secrets and recipients of a draft, without a model."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.core.asking import Fault, ModelFaultError
from data.records.core.briefing import Briefing
from data.records.core.understanding import Classification
from data.records.mail.drafting import Finding, Severity
from data.records.mail.stage_outputs import Examined, Plans, Written
from data.store.core.database import Connection
from data.store.mail import cases
from data.store.mail.parts import keep_by_branch
from flows.core.batch import Batch
from flows.mail.line.case_texts import list_readings, reuse_case_rows
from flows.mail.line.check_basis import sender_of
from flows.mail.line.mail_line import mail_line_of
from flows.mail.stages.case_stage import CaseStage
from flows.mail.thinking.asking import explain_fault
from tasks.mail.case_text import case_text
from tasks.mail.check.check_drafts import ToCheck, basis_of, check_drafts
from tasks.mail.check.finding import CANARY


class CheckStage(CaseStage[Examined]):
    """Finds what a draft says without a source, in the whole of it and in each part."""

    name = "check"
    output = Examined

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Examined | PosternError]:
        """Check each draft against the briefing that it was written from."""
        case_rows = await reuse_case_rows(batch, ids)
        readings = await list_readings(batch, case_rows)
        drafts = await batch.read_results("draft", Written, ids)
        briefings = await batch.read_results("context", Briefing, ids)
        understood = await batch.read_results("classify", Classification, ids)
        plans = await batch.read_results("plan", Plans, ids)

        texts = {case: case_text(readings[case]) for case in ids}
        checked = await batch.house.work.compute_each(
            check_drafts,
            mail_line_of(batch.workspace).ground,
            [
                ToCheck(
                    basis=basis_of(
                        texts[case],
                        sender_of(case_rows[case]),
                        understood[case],
                        briefings[case],
                        plans[case].plans,
                    ),
                    written=drafts[case],
                )
                for case in ids
            ],
        )
        if batch.house.thinker is None:
            return dict(zip(ids, checked, strict=True))
        return {
            case: _add_leak_finding(examined, understood[case], briefings[case], plans[case])
            for case, examined in zip(ids, checked, strict=True)
        }

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Examined], now: datetime
    ) -> None:
        """Show the quality, and keep the findings with the revision."""
        qualities = [{"id": case, "quality": checked.quality} for case, checked in results.items()]
        cases.change(cursor, qualities)
        cases.keep_checks(
            cursor, {case: checked.whole.model_dump_json() for case, checked in results.items()}
        )
        keep_by_branch(
            cursor, "checked", {case: checked.branches for case, checked in results.items()}
        )


def _add_leak_finding(
    examined: Examined, classification: Classification, briefing: Briefing, plans: Plans
) -> Examined:
    """Return what the check says, with a finding where a model's void answer repeated our mark."""
    leaked = explain_fault(ModelFaultError(Fault.LEAKED))
    if leaked not in (
        classification.fallback,
        briefing.fallback,
        *(plan.fallback for plan in plans.plans),
    ):
        return examined
    finding = Finding(check=CANARY, severity=Severity.BLOCK, excerpt="", sentence=leaked)
    return examined.model_copy(update={"findings": (*examined.findings, finding), "quality": 0.0})

"""The evidence of each case: what the stages found out about its messages, put together."""

from collections.abc import Mapping

from data.records.core.envelope import Envelope
from data.records.core.screening import Authentication, Screening, Verdict
from data.records.mail.stage_outputs import Screened
from data.states import HELD_BY_SCREEN
from data.store.mail import attached_files, messages
from data.store.mail.cases import CaseRow
from data.store.mail.messages import MessageRow
from flows.core.batch import Batch
from flows.mail.line.read_together import read_together
from tasks.mail.compose.copies import add_copies
from tasks.mail.compose.recipients import choose_recipients
from tasks.mail.read import Reading
from tasks.mail.route.case_evidence import CaseEvidence, MessageEvidence, combine_evidence


def _add_quarantine(screening: Screening, row: MessageRow) -> Screening:
    """Return what the screen says of a message; one that lies in the quarantine now is there.

    What the screen let through may have come there later, because its answer leaked.
    """
    if row.status not in HELD_BY_SCREEN:
        return screening
    return screening.model_copy(update={"verdict": Verdict.QUARANTINE})


async def gather_evidence(
    batch: Batch, case_by_id: Mapping[str, CaseRow]
) -> dict[str, CaseEvidence]:
    """Return the evidence of each case; what a later stage finds unchanged is put together once."""
    items = [item for row in case_by_id.values() for item in row.message_ids]
    readings = await batch.read_results("parse", Reading, items)
    screened = await batch.read_results("screen", Screened, items)
    checked = await batch.read_results("authenticate", Authentication, items)
    rows = await batch.workspace.db.read(messages.read_messages, items)
    together = await read_together(batch, case_by_id)
    organization, policy = batch.workspace.organization, batch.workspace.policy

    attached = await batch.workspace.db.read(attached_files.list_of_cases, list(case_by_id))

    def build_evidence(case: str, row: CaseRow) -> CaseEvidence:
        ids = row.message_ids
        inputs = (
            *(row.cc, row.bcc, case in attached, organization, policy, together.get(case)),
            *((rows[item].envelope, rows[item].same_id_as) for item in ids),
            *(rows[item].status in HELD_BY_SCREEN for item in ids),
            *((readings[item], screened[item], checked.get(item)) for item in ids),
        )
        evidence: CaseEvidence | None = batch.find_computed("evidence", case, inputs)
        if evidence is None:
            evidence = put_together(case, row)
            batch.keep_computed("evidence", case, inputs, evidence)
        return evidence

    def put_together(case: str, row: CaseRow) -> CaseEvidence:
        messages_found = [
            MessageEvidence(
                reading=readings[item],
                envelope=Envelope.model_validate_json(rows[item].envelope),
                screening=_add_quarantine(screened[item].screening, rows[item]),
                authentication=checked.get(item, Authentication()),
                automated=screened[item].automated,
                shares_id=bool(rows[item].same_id_as),
            )
            for item in row.message_ids
        ]
        last = messages_found[-1]
        mail, passed_on = last.reading.mail, last.reading.passed_on
        recipients = add_copies(
            choose_recipients(mail, last.envelope, organization, passed_on),
            mail,
            organization,
            policy,
            row.cc,
            row.bcc,
            files=case in attached,
        )
        return combine_evidence(messages_found, recipients, together.get(case, ()))

    return {case: build_evidence(case, row) for case, row in case_by_id.items()}

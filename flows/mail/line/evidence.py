"""What speaks for and against letting a case's reply leave, over all of its messages.

A case is as trustworthy as its worst message, and as all of them read as one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.records.mail.briefing import Briefing, SourceKind
from data.records.mail.envelope import Envelope
from data.records.mail.mail import Automated
from data.records.mail.screening import Authentication, AuthResult, Screening, Verdict
from data.records.mail.stage_outputs import Screened
from data.states import HELD_BY_SCREEN
from data.store.mail import attached_files, messages
from data.store.mail.cases import CaseRow
from data.store.mail.messages import MessageRow
from flows.core.batch import Batch
from flows.mail.line.read_together import read_together
from tasks.mail.compose.copies import with_copies
from tasks.mail.compose.recipients import Recipients, reply_recipients
from tasks.mail.read import Reading

_ORDER = [Verdict.CLEAN, Verdict.FLAGGED, Verdict.QUARANTINE]
_TRUST = [AuthResult.PASS, AuthResult.NOT_ESTABLISHED, AuthResult.FAIL]


@dataclass(frozen=True, kw_only=True)
class CaseEvidence:
    """The worst that was found in any message of a case."""

    screening: Screening
    authentication: Authentication
    automated: Automated
    recipients: Recipients
    bare_eol: bool
    defects: tuple[str, ...]
    attachments: int
    sealed: str
    """Why nobody could read all of a message; empty when all was read."""


def is_first_contact(briefing: Briefing) -> bool:
    """Whether nothing was said with this contact before."""
    return not briefing.of(SourceKind.CONTACT) and not briefing.of(SourceKind.THREAD)


def _as_it_stands(screening: Screening, row: MessageRow) -> Screening:
    """Return what the screen says of a message; one that lies in the quarantine now is there.

    What the screen let through may have come there later, because its answer leaked.
    """
    if row.status not in HELD_BY_SCREEN:
        return screening
    return screening.model_copy(update={"verdict": Verdict.QUARANTINE})


def _same_id(row: MessageRow) -> tuple[str, ...]:
    return ("another message has its Message-ID and says something else",) * bool(row.same_id_as)


async def evidence_of(batch: Batch, case_by_id: Mapping[str, CaseRow]) -> dict[str, CaseEvidence]:
    """Return the evidence of each case; what a later stage finds unchanged is put together once."""
    items = [item for row in case_by_id.values() for item in row.message_ids]
    readings = await batch.results("parse", Reading, items)
    screened = await batch.results("screen", Screened, items)
    checked = await batch.results("authenticate", Authentication, items)
    rows = await batch.workspace.db.read(messages.many, items)
    together = await read_together(batch, case_by_id)
    organization, policy = batch.workspace.organization, batch.workspace.policy

    attached = await batch.workspace.db.read(attached_files.of_cases, list(case_by_id))

    def one(case: str, row: CaseRow) -> CaseEvidence:
        ids = row.message_ids
        inputs = (
            *(row.cc, row.bcc, case in attached, organization, policy, together.get(case)),
            *((rows[item].envelope, rows[item].same_id_as) for item in ids),
            *(rows[item].status in HELD_BY_SCREEN for item in ids),
            *((readings[item], screened[item], checked.get(item)) for item in ids),
        )
        evidence: CaseEvidence | None = batch.find_computed("evidence", case, inputs)
        if evidence is None:
            evidence = put_together(case, ids)
            batch.keep_computed("evidence", case, inputs, evidence)
        return evidence

    def put_together(case: str, ids: Sequence[str]) -> CaseEvidence:
        envelopes = [Envelope.model_validate_json(rows[item].envelope) for item in ids]
        screenings = [
            *(_as_it_stands(screened[item].screening, rows[item]) for item in ids),
            *together.get(case, ()),
        ]
        machine = next(
            (screened[i].automated for i in ids if screened[i].automated.automated), Automated()
        )
        return CaseEvidence(
            screening=max(screenings, key=lambda screening: _ORDER.index(screening.verdict)),
            authentication=max(
                (checked.get(item, Authentication()) for item in ids),
                key=lambda a: _TRUST.index(a.dmarc),
            ),
            automated=machine,
            recipients=with_copies(
                reply_recipients(
                    readings[ids[-1]].mail, envelopes[-1], organization, readings[ids[-1]].passed_on
                ),
                readings[ids[-1]].mail,
                organization,
                policy,
                case_by_id[case].cc,
                case_by_id[case].bcc,
                files=case in attached,
            ),
            bare_eol=any(envelope.bare_eol for envelope in envelopes),
            sealed=next((s for i in ids if (s := readings[i].mail.sealed)), ""),
            attachments=sum(len(readings[item].mail.attachments) for item in ids),
            defects=tuple(
                defect
                for item in ids
                for defect in (
                    *_same_id(rows[item]),
                    *readings[item].mail.defects,
                    *screened[item].automated.bars_sending,
                )
            ),
        )

    return {case: one(case, row) for case, row in case_by_id.items()}

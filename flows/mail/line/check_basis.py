"""The basis of a check: what the drafts of a case are held against, from the stages before."""

from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Classification
from data.records.mail.stage_outputs import CaseText, Plans
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail.cases import CaseRow
from flows.mail.line.omitted_sentences import list_remaining
from tasks.mail.case_text import case_text
from tasks.mail.check.check_drafts import CheckBasis, basis_of
from tasks.mail.read import Reading


def sender_of(row: CaseRow) -> Address:
    """Return who a case's reply is to."""
    return Address(name=row.contact_name, email=row.contact_email)


def read_basis(cursor: Connection, row: CaseRow) -> CheckBasis:
    """Return what a case's drafts are checked against, as far as the stages came with it."""
    case = row.id
    if row.is_own_letter:  # a letter of our own answers nothing
        return basis_of(CaseText(text="", subject=""), sender_of(row), None, Briefing())
    understood, planned, briefed = (
        journal.read_results(cursor, stage, [case]).get(case)
        for stage in ("classify", "plan", "context")
    )
    readings = journal.read_results(cursor, "parse", row.message_ids)
    parsed = {item: Reading.model_validate_json(text) for item, text in readings.items()}
    complete = understood is not None and planned is not None
    return basis_of(
        case_text(list_remaining(row, parsed)),
        sender_of(row),
        Classification.model_validate_json(understood) if complete and understood else None,
        Briefing.model_validate_json(briefed) if briefed else Briefing(),
        Plans.model_validate_json(planned).plans if complete and planned else (),
    )

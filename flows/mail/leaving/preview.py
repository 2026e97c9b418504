"""What an edited reply would look like, and what the check says of it."""

from typing import Any

from data.records.core.understanding import Classification
from data.records.mail.briefing import Briefing
from data.records.mail.drafting import Checked, Draft
from data.records.mail.mail import Address
from data.records.mail.stage_outputs import Plans
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.letters import Letter, letter_or_refuse
from flows.mail.line.case_texts import case_text
from flows.mail.line.left_out import remaining
from tasks.check.checking import check
from tasks.read import Reading


async def preview_of(
    house: House, workspace: Workspace, case_id: str, subject: str, body: str
) -> tuple[Letter, Checked]:
    """Return the letter with this text, and its findings.

    Raises:
        ConflictError: there is nobody to send it to.
    """
    del house

    def look(cursor: Connection) -> tuple[Letter, Checked]:
        row = cases.one(cursor, case_id)
        revisions = cases.drafts(cursor, case_id)
        base = (
            Draft.model_validate_json(revisions[-1]["draft"])
            if revisions
            else Draft(subject="", body="", language=workspace.organization.language)
        )
        draft = base.model_copy(update={"subject": subject, "body": body})
        letter = letter_or_refuse(cursor, workspace, row, draft)
        return letter, check_draft(cursor, workspace, row, letter.draft)

    return await workspace.db.read(look)


def check_draft(
    cursor: Connection, workspace: Workspace, row: dict[str, Any], draft: Draft
) -> Checked:
    """Return what the check says of a draft for this case, whoever wrote it."""
    case_id = row["id"]
    briefings = journal.results(cursor, "context", [case_id])
    understood = journal.results(cursor, "classify", [case_id])
    plans = journal.results(cursor, "plan", [case_id])
    readings = journal.results(cursor, "parse", row["message_ids"])
    parsed = {item: Reading.model_validate_json(text) for item, text in readings.items()}
    texts = remaining(row, parsed)
    return check(
        draft,
        Briefing.model_validate_json(briefings[case_id]) if case_id in briefings else Briefing(),
        new_text=case_text(texts).text,
        organization=workspace.organization,
        policy=workspace.policy,
        sender=Address(name=row["contact_name"], email=row["contact_email"]),
        saved_replies=workspace.saved_replies,
        **_planned(understood.get(case_id), plans.get(case_id)),
        canary=workspace.canary,
    )


def _planned(understood: str | None, planned: str | None) -> dict[str, Any]:
    """Return what was understood and planned of a case, as the check asks for it."""
    if understood is None or planned is None:
        return {}
    said = Classification.model_validate_json(understood)
    plans = Plans.model_validate_json(planned).plans
    return {"intents": said.intents, "plans": plans, "judged": said.judged.intents}

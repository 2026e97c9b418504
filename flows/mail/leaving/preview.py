"""The preview of an edited reply: the letter that would leave, and what the check says of it."""

from data.records.mail.drafting import Checked, Draft
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.workspace import Workspace
from flows.mail.leaving.letters import Letter, letter_or_refuse
from flows.mail.line.check_basis import read_basis
from flows.mail.line.mail_line import mail_line_of
from tasks.mail.check.check_drafts import check_draft


async def preview_text(
    workspace: Workspace, case_id: str, subject: str, body: str
) -> tuple[Letter, Checked]:
    """Return the letter of a case with another subject and body, and what the check finds in it.

    Raises:
        NotFoundError: there is no such case.
        ConflictError: there is nobody to send it to.

    """

    def look(cursor: Connection) -> tuple[Letter, Checked]:
        row = cases.read_row(cursor, case_id)
        revisions = cases.list_drafts(cursor, case_id)
        base = (
            Draft.model_validate_json(revisions[-1].draft)
            if revisions
            else Draft(subject="", body="", language=workspace.organization.language)
        )
        draft = base.model_copy(update={"subject": subject, "body": body})
        letter = letter_or_refuse(cursor, workspace, row, draft)
        basis = read_basis(cursor, row)
        return letter, check_draft(mail_line_of(workspace).ground, basis, letter.draft)

    return await workspace.db.read(look)

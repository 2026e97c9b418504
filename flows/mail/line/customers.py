"""Facts on the contacts of cases, used only where the sender is established.

Anybody can write a name into From. So what the organization knows of a customer enters the context
of a case only where all of its messages are from her address with DMARC passed, and the reply
would go to that address and no other.
"""

from collections.abc import Mapping, Sequence

from data.records.core.accounts import CustomerFacts
from data.records.core.briefing import Snippet
from data.records.core.envelope import Envelope
from data.records.core.parsed_mail import ParsedMail
from data.records.core.screening import Authentication, AuthResult
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import customers, messages
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.core.workspace import Workspace
from flows.mail.line.mailroom import mailroom_of
from tasks.core.answering.account_answers import account_snippets
from tasks.mail.compose.recipients import choose_recipients, is_own
from tasks.mail.read import Reading


def is_established(cursor: Connection, workspace: Workspace, row: CaseRow) -> bool:
    """Return whether a case's contact is who writes, and who alone would be answered."""
    ids, email = row.message_ids, str(row.contact_email).lower()
    checked = journal.read_results(cursor, "authenticate", ids)
    readings = journal.read_results(cursor, "parse", ids)
    message_by_id = messages.read_messages(cursor, ids)
    if (
        not email
        or not ids
        or not all(item in checked and item in readings and item in message_by_id for item in ids)
    ):
        return False
    for item in ids:
        if Authentication.model_validate_json(checked[item]).dmarc is not AuthResult.PASS:
            return False
        mail = Reading.model_validate_json(readings[item]).mail
        envelope = Envelope.model_validate_json(message_by_id[item].envelope)
        to = choose_recipients(mail, envelope, workspace.organization).to
        if mail.sender is None or mail.sender.email.lower() != email or len(to) != 1:
            return False
        if to[0].lower() != email or (
            workspace.policy.reply_to_all and _has_other_recipients(mail, workspace)
        ):
            return False
    return True


def _has_other_recipients(mail: ParsedMail, workspace: Workspace) -> bool:
    """Return whether a message is for others too, who would get a copy of its answer."""
    return any(
        not is_own(mailbox.email, workspace.organization) for mailbox in (*mail.to, *mail.cc)
    )


async def list_known_facts(
    batch: Batch, case_by_id: Mapping[str, CaseRow], texts: Mapping[str, tuple[str, str]]
) -> dict[str, Sequence[Snippet]]:
    """Return what is known of each case's established sender, in the language of the mail.

    Args:
        batch: of the cases.
        case_by_id: rows of the cases.
        texts: subject and text of each.

    """
    workspace = batch.workspace

    def look(cursor: Connection) -> dict[str, CustomerFacts]:
        emails = {str(row.contact_email).lower() for row in case_by_id.values()}
        facts = customers.read_facts(cursor, emails)
        return {
            case: facts[email]
            for case, row in case_by_id.items()
            if (email := str(row.contact_email).lower()) in facts
            and is_established(cursor, workspace, row)
        }

    facts = await workspace.db.read(look)
    cases = list(facts)
    languages = mailroom_of(batch.house).classifier.languages([texts[case] for case in cases])
    formality = workspace.policy.formality
    return {
        case: account_snippets(
            str(case_by_id[case].contact_email).lower(), facts[case], language, formality
        )
        for case, language in zip(cases, languages, strict=True)
    }

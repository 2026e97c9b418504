"""Lessons of a reply that has left: its knowledge was used, and it may teach something new.

Each delivery is looked at once, after it has left and in transactions of its own, so that nothing
here can touch what is sent. It is marked first: a crash in between loses one count.
"""

from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Address
from data.records.mail.drafting import Draft
from data.store.core import journal, knowing, learned
from data.store.core.database import Connection
from data.store.mail import cases, deliveries
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.knowing.proposing import may_teach, propose
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.omitted_sentences import list_remaining
from tasks.mail.case_text import case_text
from tasks.mail.check.sources import Sources, is_cited
from tasks.mail.learning.lessons import learn
from tasks.mail.read import Reading

AT_ONCE = 200
PREFIX = "knowledge:"


async def look_back(house: House, workspace: Workspace, limit: int = AT_ONCE) -> int:
    """Look at replies that have left and were not looked at yet; return how many."""
    delivery_ids = await workspace.db.read(deliveries.list_to_learn_from, limit)
    for delivery in delivery_ids:
        await workspace.db.write(deliveries.note_learned, delivery)
        await workspace.db.write(_learn_from, house, workspace, delivery)
    return len(delivery_ids)


def _learn_from(cursor: Connection, house: House, workspace: Workspace, delivery: str) -> None:
    """Count the knowledge that a reply has used, and propose what its writer has added to it."""
    now = house.clock()
    sent = deliveries.read_row(cursor, delivery)
    case = cases.read_row(cursor, sent.case_id)
    revisions = cases.list_drafts(cursor, case.id)
    if not revisions:
        return
    draft = Draft.model_validate_json(revisions[-1].draft)
    knowing.note_use(cursor, cited_entries(draft), case.id, now)
    if sent.automatic or not may_teach(cursor, case):
        return
    readings = journal.read_results(cursor, "parse", case.message_ids)
    parsed = {item: Reading.model_validate_json(text) for item, text in readings.items()}
    asked = list_remaining(case, parsed)
    briefing = journal.read_results(cursor, "context", [case.id]).get(case.id)
    sender = Address(name=case.contact_name, email=case.contact_email)
    sources = Sources(
        draft,
        Briefing.model_validate_json(briefing) if briefing else Briefing(),
        workspace.organization,
        workspace.policy,
        sender,
        mail_line_of(workspace).saved_replies,
    )
    texts_known = [snippet.text for snippet in sources.snippets]
    texts_known += [row.body for row in learned.list_entries(cursor)]
    user = deliveries.read_shown(cursor, delivery).approved_by
    source = f"reply of {user}, {workspace.organization.day(now)}"
    for lesson in learn(draft, case_text(asked).text, sender, sources, texts_known):
        propose(cursor, lesson, source=source, case_id=case.id, user=user, now=now)


def cited_entries(draft: Draft) -> set[str]:
    """Return the ids of the entries whose cited sentences stand in the draft."""
    return {
        citation.ref.removeprefix(PREFIX)
        for citation in draft.citations
        if citation.ref.startswith(PREFIX) and is_cited(citation, draft)
    }

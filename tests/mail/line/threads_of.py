"""What tests of conversations ask the state of a line."""

from typing import Any

from data.records.mail.orders import Approve
from data.records.mail.views import CaseView, ThreadView
from flows.api.mail.review.case_view import case_view
from flows.api.mail.thread_view import thread_view
from flows.mail.people import reviewing
from tests.core.small import CUSTOMER, Line
from tests.people import person

BOB, EVE = "bob@heron.example", "eve@shrike.test"


async def grouped(line: Line) -> set[frozenset[str]]:
    """Return which messages are together."""
    found = await line.rows("SELECT id, thread_id FROM messages WHERE thread_id IS NOT NULL")
    by: dict[object, set[str]] = {}
    for row in found:
        by.setdefault(row["thread_id"], set()).add(str(row["id"]))
    return {frozenset(group) for group in by.values()}


async def view_of(line: Line, message: str) -> ThreadView:
    """Return the conversation of a message."""
    (row,) = await line.rows("SELECT thread_id FROM messages WHERE id = ?", message)
    organization = line.workspace.organization
    return await line.workspace.db.read(thread_view, organization, str(row["thread_id"]))


async def live(line: Line) -> list[dict[str, Any]]:
    """Return the cases that were not superseded, oldest first."""
    return await line.rows(
        "SELECT id, state, message_ids, thread_id, contact_email, version FROM cases "
        "WHERE state <> 'superseded' ORDER BY created_at, id"
    )


async def approve(line: Line, case: str) -> CaseView:
    """Approve a case as it is shown."""
    view = await case_view(line.house, line.workspace, case)
    given = Approve(version=view.version, approval_hash=view.approval_hash)
    await reviewing.approve(line.house, line.workspace, case, given, person("ida"))
    return await case_view(line.house, line.workspace, case)


def answer(line: Line, text: str, to: str, id: str, *, sender: str = CUSTOMER, **given: str) -> str:
    """Send an answer to the message of that id."""
    subject = given.pop("subject", "Re: Opening hours")
    return line.send(
        text,
        subject=subject,
        sender=sender,
        message_id=id,
        headers={"In-Reply-To": to, "References": to, **given},
    )

"""Taking a closing back: the case is before a person again, as it was."""

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.states import CaseState, MessageStatus
from data.store.core.database import Connection
from data.store.mail import cases, messages
from data.store.mail.moves import move
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.line.case_family import list_others

BACK = (MessageStatus.THREADED, MessageStatus.PROCESSING, MessageStatus.DRAFT_READY)
"""The way of a closed case's messages back to a person, within one transaction."""


async def reopen(house: House, workspace: Workspace, case_id: str, principal: Principal) -> None:
    """Open a case again that a person rejected or closed without a reply.

    Its draft stays as it was. A question to the owner that the closing took back stays so.

    Raises:
        ConflictError: it is not closed, no person closed it, or its messages are answered in
            another case.

    """

    def work(act: Act) -> None:
        cursor, actor, now = act.cursor, act.actor, act.now
        row = cases.read_row(cursor, case_id)
        if row.state != CaseState.ARCHIVED:
            raise ConflictError(f"this case is {row.state!r} now; only a closed one opens again")
        if list_others(cursor, row):
            raise ConflictError("parts of this message have cases of their own; decide there")
        _closed_by_a_person(cursor, case_id)
        _still_its_own(cursor, case_id, row.message_ids)
        move(cursor, [case_id], CaseState.IN_REVIEW, actor=actor, now=now, note="opened again")
        for status in BACK:
            move(cursor, row.message_ids, status, actor=actor, now=now, of=[case_id])
        cases.advance_versions(cursor, [case_id], now)
        ask(cursor, workspace, [case_id], actor, now, again=True)
        act.note("reopen", f"case:{case_id}")

    await carry_out(house, workspace, principal, work)


def _closed_by_a_person(cursor: Connection, case_id: str) -> None:
    if cases.find_last_review(cursor, case_id) not in ("reject", "archive"):
        raise ConflictError("no person closed this case; work on its message again in the inbox")


def _still_its_own(cursor: Connection, case_id: str, ids: list[str]) -> None:
    if messages.is_any_elsewhere(cursor, ids, case_id):
        raise ConflictError("a message of this case is answered in another one; look there")

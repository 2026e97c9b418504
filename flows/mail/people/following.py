"""A person wants to hear of an answered case again, or writes to its contact once more."""

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.follow_ups import AskFollowUp, FollowUpEnd, WriteAgain
from data.states import CaseState
from data.store.mail import cases, follow_ups
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.following_up import begin_letter, due_after
from flows.mail.people.deciding import Deciding, decide

ANSWERED = (CaseState.APPROVED, CaseState.SENT)
ENDED = (CaseState.SENT, CaseState.ARCHIVED)


async def ask_follow_up(
    house: House, workspace: Workspace, case_id: str, follow_up: AskFollowUp, principal: Principal
) -> None:
    """Have an answered case come back where no answer comes within so many working days.

    They are counted from now, or from when the reply leaves.

    Raises:
        ConflictError: the case has changed since it was shown, or is not answered.

    """

    def act(deciding: Deciding) -> None:
        cursor, now = deciding.cursor, deciding.now
        follow_ups.end(cursor, [case_id], FollowUpEnd.PERSON, now)
        if follow_up.days is None:
            return
        due = due_after(workspace, follow_up.days, now)
        waits = None if deciding.case.state == CaseState.APPROVED else due
        by = principal
        follow_ups.add(cursor, case_id, follow_up.days, waits, by.name, by.email, now)

    detail = f"after {follow_up.days} working days" if follow_up.days else "no more"
    await decide(
        house, workspace, case_id, follow_up.version, principal, "ask for follow up", act,
        states=ANSWERED, nothing_to="follow up on", detail=detail,
    )  # fmt: skip


async def write_again(
    house: House, workspace: Workspace, case_id: str, order: WriteAgain, principal: Principal
) -> str:
    """Begin another letter to the contact of an answered or closed case; return its case's id.

    Raises:
        ConflictError: the case has changed since it was shown, is before a person already, or such
            a letter was begun already.

    """

    def act(deciding: Deciding) -> str:
        cursor, now = deciding.cursor, deciding.now
        if begun := follow_ups.find_letter_begun(cursor, case_id):
            raise ConflictError(f"such a letter was begun already; it is case {begun!r}")
        follow_ups.end(cursor, [case_id], FollowUpEnd.PERSON, now)
        case = cases.read_row(cursor, case_id)
        note = f"{principal.name} writes once more."
        return begin_letter(
            cursor, workspace, case, note, principal.name, now, assignee=principal.email
        )

    return await decide(
        house, workspace, case_id, order.version, principal, "write again", act,
        states=ENDED, nothing_to="write to again",
    )  # fmt: skip

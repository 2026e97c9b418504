"""Taking back the last decision on a message, with everything that was made with it."""

from datetime import datetime

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.stage_outputs import Screened
from data.states import CaseState, MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases, decisions, messages
from data.store.mail.decisions import DecisionRow
from data.store.mail.messages import MessageRow
from data.store.mail.moves import move
from flows.core.acting import Act, carry_out
from flows.core.bindings import INTAKE_STAGES
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.line.case_family import list_others
from flows.mail.people.allowing import remove_allowances
from flows.mail.people.guarding import must, note_decision, read_message
from flows.mail.people.leaked import reopen
from flows.mail.people.teaching import restore

LET_IN = frozenset({"release", "person"})
"""Decisions by which a message went on."""
IN_PLACE = frozenset({"spam", "not_spam"})
"""Decisions that moved nothing."""


async def undo(house: House, workspace: Workspace, message_id: str, principal: Principal) -> None:
    """Take back the newest decision: its move, block, allowances and lesson, not those of others.

    A block or an allowance stays while another decision that stands has asked for it too. What the
    screen had found before a release counts again. A case that the decision closed is open again.

    A release can be taken back until a person has decided on the case that came of it.

    Raises:
        ConflictError: there is nothing to take back, or it is too late.

    """

    def work(act: Act) -> None:
        opened = _undo(act, message_id)
        ask(act.cursor, workspace, opened, act.actor, act.now, again=True)

    await carry_out(house, workspace, principal, work)


def _undo(act: Act, message_id: str) -> list[str]:
    """Do what `undo` does; return the cases that are open again."""
    row = read_message(act.cursor, message_id)
    decision = decisions.find_last(act.cursor, message_id)
    if decision is None:
        raise ConflictError("no decision on this message is left to take back")
    _put_back(act, row, decision)
    opened: list[str] = []
    if decision.case_id:
        opened = reopen(act.cursor, message_id, decision.case_id, act.principal, act.now)
    _end_effects(act, decision)
    restore(act.cursor, message_id, decision.lesson, act.principal, act.now)
    note_decision(act, "undo", message_id, decision.action)
    return opened


def _put_back(act: Act, row: MessageRow, decision: DecisionRow) -> None:
    """Move a message back to where it was before a decision."""
    if decision.action in LET_IN:
        _call_back(act.cursor, row, decision, act.principal, act.now)
        journal.reinstate_steps(act.cursor, row.id, INTAKE_STAGES[1:], decision.decided_at)
        _show_writer(act.cursor, row)
    elif decision.action not in IN_PLACE:
        must(row.status, MessageStatus.REJECTED)
        move(act.cursor, [row.id], MessageStatus.QUARANTINED, actor=act.actor, now=act.now)


def _end_effects(act: Act, decision: DecisionRow) -> None:
    """End the block and the allowances of a decision that no other one has asked for."""
    decisions.mark_undone(act.cursor, decision.id, act.now)
    blocked, scope = decision.blocked, decision.scope
    if blocked and not decisions.is_blocked(act.cursor, blocked, scope):
        decisions.unblock(act.cursor, blocked, scope)
    unclaimed = decisions.list_unclaimed(act.cursor, decision.allowances)
    remove_allowances(act.cursor, unclaimed, act.principal, act.now)


def _call_back(
    cursor: Connection,
    row: MessageRow,
    decision: DecisionRow,
    principal: Principal,
    now: datetime,
) -> None:
    """Put a released message back to where it was released from."""
    target = MessageStatus(decision.status)
    if row.case_id:
        _close_case(cursor, row, row.case_id, principal, now)
        if (
            target is MessageStatus.STORED
        ):  # where what is before a person comes by its conversation
            move(cursor, [row.id], MessageStatus.THREADED, actor=principal.name, now=now)
    if not move(cursor, [row.id], target, actor=principal.name, now=now, note="release taken back"):
        raise ConflictError(
            f"this message is {row.status!r} now; decide on the case that it is part of"
        )
    back = {"id": row.id, "released_by": None, "mode": decision.mode, "case_id": None}
    messages.change(cursor, [back])


def _show_writer(cursor: Connection, row: MessageRow) -> None:
    """Show again what the screen had found of who wrote a message that goes back."""
    screen_output = journal.read_results(cursor, "screen", [row.id]).get(row.id)
    if screen_output is None:
        return
    who = Screened.model_validate_json(screen_output).automated
    note = f"written by a machine: {who.kind}" if who.automated else row.note
    fields = {"automated_kind": str(who.kind), "note": note}
    messages.change(cursor, [{"id": row.id} | fields])


def _close_case(
    cursor: Connection, row: MessageRow, case_id: str, principal: Principal, now: datetime
) -> None:
    """Close the case that the message became part of; the others of it make a new one."""
    case = cases.read_row(cursor, case_id)
    if list_others(cursor, case):
        raise ConflictError("parts of this message have cases of their own; decide there")
    archived = case.state == CaseState.ARCHIVED and cases.find_last_review(cursor, case.id) is None
    if case.state != CaseState.IN_REVIEW and not archived:
        raise ConflictError(f"the case of this message is {case.state!r} now; decide there")
    note = "what let its message in was taken back"
    if archived:  # by the route, as spam is: its message has to come back from there
        move(cursor, [row.id], MessageStatus.THREADED, actor=principal.name, now=now, note=note)
    move(cursor, [case.id], CaseState.ARCHIVED, actor=principal.name, now=now, note=note)
    cases.change(cursor, [{"id": case.id, "note": note}])
    cases.advance_versions(cursor, [case.id], now)
    others = [item for item in case.message_ids if item != row.id]
    move(cursor, others, MessageStatus.THREADED, actor=principal.name, now=now, note=note)
    messages.change(cursor, [{"id": item, "case_id": None} for item in others])

"""Decisions on single messages: release, confirm, block, correct, undo, replay."""

from datetime import datetime
from typing import Literal

from data.errors import ConflictError, NotFoundError
from data.records.core.organization import RouteMode
from data.records.core.principals import Principal
from data.records.mail.orders import Confirm, Release
from data.states import CaseState, MessageStatus
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases, decisions, learning, messages
from data.store.mail.messages import MessageRow
from data.store.mail.moves import move
from flows.core.acting import Act, carry_out
from flows.core.bindings import INTAKE_STAGES
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.case_family import list_others
from flows.mail.people import leaked
from flows.mail.people.allowing import add_allowances
from flows.mail.people.sender_patterns import check_blockable
from flows.mail.people.teaching import about_content, teach


async def release(
    house: House,
    workspace: Workspace,
    message_id: str,
    principal: Principal,
    given: Release | None = None,
) -> None:
    """Let a message go on; it is screened again and stays flagged, so it never auto-sends.

    What was stopped for its content is learned from as wanted mail. The rules in `given.allow` no
    longer count for its sender. A case of it whose answer leaked is closed; a new one comes of it.

    Raises:
        ConflictError: it was decided already, a rule cannot be allowed, its case was answered, or
            it is the copy of a message that is worked on.

    """
    order = given or Release()

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = read_message(cursor, message_id)
        must(row.status, MessageStatus.QUARANTINED, MessageStatus.STORED)
        refuse_copy(row)
        lesson = learning.find_lesson(cursor, message_id)
        allowances_held = add_allowances(
            cursor, order.allow, row.sender_email, message_id, principal, now
        )
        case = leaked.detach(cursor, row, principal, now)
        decisions.note(
            cursor, row, "release", act.actor, now,
            lesson=lesson, allowances=allowances_held, case_id=case,
        )  # fmt: skip
        if row.status == MessageStatus.QUARANTINED and about_content(cursor, message_id):
            teach(cursor, message_id, spam=False, principal=principal, now=now)
        _screen_again(act, row)
        note_decision(act, "release", message_id, " ".join(order.allow))

    await carry_out(house, workspace, principal, work)


def _screen_again(act: Act, row: MessageRow) -> None:
    """Put a message that is let go on before the screen once more, for the line of agents."""
    cursor, now = act.cursor, act.now
    let_in = row.status == MessageStatus.STORED or row.mode == RouteMode.HOLD
    mode = {"mode": "agent"} if let_in else {}
    change = {"id": row.id, "released_by": act.actor, "due_at": now, **mode}
    messages.change(cursor, [change])
    journal.supersede_steps(cursor, [row.id], INTAKE_STAGES[1:])
    move(cursor, [row.id], MessageStatus.SCREENING, actor=act.actor, now=now)


async def confirm(
    house: House,
    workspace: Workspace,
    message_id: str,
    principal: Principal,
    order: Confirm | None = None,
) -> None:
    """Say that a quarantined message is what it was taken for.

    It is learned from as spam when a rule about content hit, or `given.spam` says so.
    A case of it is closed.
    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = read_message(cursor, message_id)
        must(row.status, MessageStatus.QUARANTINED)
        lesson = learning.find_lesson(cursor, message_id)
        case = leaked.close(cursor, row, principal, now)
        decisions.note(cursor, row, "confirm", act.actor, now, lesson=lesson, case_id=case)
        _reject(cursor, message_id, order.spam if order else None, principal, now)
        note_decision(act, "confirm", message_id)

    await carry_out(house, workspace, principal, work)


async def block(
    house: House,
    workspace: Workspace,
    message_id: str,
    scope: Literal["sender", "domain"],
    principal: Principal,
    *,
    even_so: bool = False,
) -> None:
    """Quarantine whatever else comes from this sender or domain, and confirm this message.

    `even_so` blocks a domain too at which unrelated people or a contact have their mail.

    Raises:
        ConflictError: the sender is not known, or bears the organization's domain; or the domain
            is such a one.

    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = read_message(cursor, message_id)
        must(row.status, MessageStatus.QUARANTINED)
        pattern = _pattern(row.sender_email, scope, workspace.organization.addresses)
        if scope == "domain" and not even_so:
            check_blockable(cursor, pattern)
        decisions.block(cursor, pattern, scope, act.actor, now)
        lesson = learning.find_lesson(cursor, message_id)
        case = leaked.close(cursor, row, principal, now)
        decisions.note(
            cursor, row, "block", act.actor, now,
            lesson=lesson, blocked=pattern, scope=scope, case_id=case,
        )  # fmt: skip
        _reject(cursor, message_id, None, principal, now)
        note_decision(act, "block", message_id, f"{scope} {pattern}")

    await carry_out(house, workspace, principal, work)


async def correct(
    house: House, workspace: Workspace, message_id: str, principal: Principal, *, spam: bool
) -> None:
    """Say whether a message is spam, wherever it is: later mail is judged by it, it stays put.

    Raises:
        ConflictError: the message could not be read, so there is nothing to learn from.

    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = read_message(cursor, message_id)
        decision = "spam" if spam else "not_spam"
        lesson = learning.find_lesson(cursor, message_id)
        decisions.note(cursor, row, decision, act.actor, now, lesson=lesson)
        if not teach(cursor, message_id, spam=spam, principal=principal, now=now):
            raise ConflictError(f"message {message_id!r} was not read; nothing can be learned")
        note_decision(act, decision, message_id)

    await carry_out(house, workspace, principal, work)


async def replay(house: House, workspace: Workspace, message_id: str, principal: Principal) -> None:
    """Take a failed message through intake again, from its raw bytes.

    A case of it that has failed is closed: a new one comes of the message, and of the others of it.

    Raises:
        ConflictError: it is elsewhere by now, or others answer parts of it.

    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = read_message(cursor, message_id)
        must(row.status, MessageStatus.FAILED)
        if row.case_id:
            _close_failed(act, row.case_id, message_id)
        journal.supersede_steps(cursor, [message_id], INTAKE_STAGES)
        messages.change(cursor, [{"id": message_id, "due_at": now, "note": "", "case_id": None}])
        move(cursor, [message_id], MessageStatus.RECEIVED, actor=act.actor, now=now)
        note_decision(act, "replay", message_id)

    await carry_out(house, workspace, principal, work)


def _close_failed(act: Act, case_id: str, message_id: str) -> None:
    """Close a failed case one of whose messages is read anew; the others wait for a new one."""
    cursor, now = act.cursor, act.now
    case = cases.read_row(cursor, case_id)
    if list_others(cursor, case):
        raise ConflictError("parts of this message have cases of their own; decide there")
    note = "its message is read anew"
    if not move(cursor, [case_id], CaseState.ARCHIVED, actor=act.actor, now=now, note=note):
        raise ConflictError(f"the case of this message is {case.state!r} now; decide there")
    cases.change(cursor, [{"id": case_id, "note": note}])
    cases.advance_versions(cursor, [case_id], now)
    others = [item for item in case.message_ids if item != message_id]
    move(cursor, others, MessageStatus.THREADED, actor=act.actor, now=now, note=note, of=[case_id])
    mine = cases.list_messages(cursor, case_id)
    messages.change(cursor, [{"id": item, "case_id": None} for item in mine])


def note_decision(act: Act, action: str, message_id: str, detail: str = "") -> None:
    """Write to the audit log what is done with a message."""
    act.note(action, f"message:{message_id}", detail)


def read_message(cursor: Connection, message_id: str) -> MessageRow:
    """Return the row of a message.

    Raises:
        NotFoundError: there is none.

    """
    message_by_id = messages.read_messages(cursor, [message_id])
    if message_id not in message_by_id:
        raise NotFoundError(f"there is no message {message_id!r}")
    return message_by_id[message_id]


def must(status: str, *allowed: MessageStatus) -> None:
    """Refuse a decision on a message that is elsewhere.

    Raises:
        ConflictError: it is.

    """
    if status not in allowed:
        raise ConflictError(f"this message is {status!r} now; somebody else may have decided")


def refuse_copy(row: MessageRow) -> None:
    """Refuse to let the copy of a message in, which would be answered a second time.

    Raises:
        ConflictError: it is one.

    """
    if row.duplicate_of:
        raise ConflictError(
            f"this message is a copy of {row.duplicate_of!r}; decide on that one instead"
        )


def _reject(
    cursor: Connection, message_id: str, spam: bool | None, principal: Principal, now: datetime
) -> None:
    if spam if spam is not None else about_content(cursor, message_id):
        teach(cursor, message_id, spam=True, principal=principal, now=now)
    move(cursor, [message_id], MessageStatus.REJECTED, actor=principal.name, now=now)


def _pattern(sender: str, scope: str, own: tuple[str, ...]) -> str:
    if not sender:
        raise ConflictError("this message has no readable sender; there is nobody to block")
    domain = sender.rpartition("@")[2]
    if domain in {address.rpartition("@")[2].lower() for address in own}:
        raise ConflictError(
            f"the sender bears the organization's own domain {domain!r}, which is never blocked; "
            "confirm the message instead"
        )
    return sender if scope == "sender" else domain

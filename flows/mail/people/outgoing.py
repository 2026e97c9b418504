"""Decisions on the outbox: undo, resolve what nobody knows, stop everything."""

from typing import Literal

from data.errors import ConflictError
from data.records.core.principals import Principal
from data.records.mail.passing_on import Purpose
from data.states import CaseState, DeliveryState, MessageStatus
from data.store.mail import cases, deliveries
from data.store.mail.deliveries import DeliveryRow
from data.store.mail.moves import move
from flows.core.acting import Act, carry_out
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.leaving.sending import settle_sent


async def cancel(
    house: House, workspace: Workspace, delivery_id: str, principal: Principal
) -> None:
    """Take a reply, or what is passed on, back before it leaves; its case is before a person.

    Raises:
        ConflictError: it has begun to leave, or nobody knows whether it has left.

    """

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = deliveries.read_row(cursor, delivery_id)
        if row.state == DeliveryState.UNKNOWN:
            raise ConflictError(
                "this reply has perhaps left, and cannot be taken back; say in the outbox what "
                "became of it"
            )
        if not move(cursor, [delivery_id], DeliveryState.CANCELLED, actor=act.actor, now=now):
            raise ConflictError(f"this reply is {row.state!r} already; it cannot be taken back")
        _reopen(act, workspace, row)
        _note(act, "cancel", delivery_id)

    await carry_out(house, workspace, principal, work)


async def resolve(
    house: House,
    workspace: Workspace,
    delivery_id: str,
    outcome: Literal["sent", "retry", "cancel"],
    principal: Principal,
) -> None:
    """Say what became of a delivery whose outcome is unknown, or what to do about a failed one."""
    target = {
        "sent": DeliveryState.SENT,
        "retry": DeliveryState.QUEUED,
        "cancel": DeliveryState.CANCELLED,
    }[outcome]

    def work(act: Act) -> None:
        cursor, now = act.cursor, act.now
        row = deliveries.read_row(cursor, delivery_id)
        if row.state not in (DeliveryState.UNKNOWN, DeliveryState.FAILED):
            raise ConflictError(f"this reply is {row.state!r}; there is nothing to decide")
        if not move(cursor, [delivery_id], target, actor=act.actor, now=now):
            raise ConflictError(f"a reply that is {row.state!r} cannot become {target!r}")
        if target is DeliveryState.SENT:
            settle_sent(cursor, workspace, row, now)
        elif target is DeliveryState.QUEUED:  # a person says so now, whatever was chosen before
            fields = {"due_at": now, "leaves_at": None, "put_back_at": now}
            deliveries.change(cursor, [{"id": delivery_id, **fields}])
        else:
            _reopen(act, workspace, row)
        _note(act, f"resolve as {outcome}", delivery_id)

    await carry_out(house, workspace, principal, work)


async def set_stopped(
    house: House, workspace: Workspace, stopped: bool, principal: Principal
) -> None:
    """Throw the kill switch, or release it."""
    switch = house.settings.stop_file
    if stopped:
        switch.write_text(f"stopped by {principal.name}\n", encoding="utf-8")
    else:
        switch.unlink(missing_ok=True)

    def work(act: Act) -> None:
        _note(act, "stop sending" if stopped else "resume sending", "all")

    await carry_out(house, workspace, principal, work)


def _reopen(act: Act, workspace: Workspace, row: DeliveryRow) -> None:
    cursor, actor, now = act.cursor, act.actor, act.now
    case = cases.read_row(cursor, row.case_id)
    if row.purpose != Purpose.REPLY:  # the case has stayed where it was
        cases.advance_versions(cursor, [case.id], now)
        return
    move(cursor, [case.id], CaseState.IN_REVIEW, actor=actor, now=now)
    ids, of = case.message_ids, [case.id]
    move(cursor, ids, MessageStatus.DRAFT_READY, actor=actor, now=now, of=of)
    cases.advance_versions(cursor, [case.id], now)
    ask(cursor, workspace, [case.id], actor, now)


def _note(act: Act, action: str, delivery_id: str) -> None:
    act.note(action, f"delivery:{delivery_id}")

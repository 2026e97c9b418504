"""Delivery: at most once by itself, never in silence.

`queued → sending → dot_sent → sent | deferred | failed | unknown`. The bytes come from the archive
and are the same on every attempt. `dot_sent` is committed after the last byte of the body and
before the final dot: a crash before it is safe to try again, because the next server must discard
what it has; a crash after it is `unknown`, and a person decides.
"""

import asyncio
import logging
import random
from datetime import datetime, timedelta

from connectors.outbound import DeliveryKind, DeliveryResult
from connectors.outbound.transport import build_common_result
from data.errors import NotFoundError
from data.records.mail.passing_on import Purpose
from data.states import CaseState, DeliveryState, MessageStatus
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import cases, deliveries
from data.store.mail.deliveries import DeliveryRow
from data.store.mail.moves import move
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.leaving.following_up import start_waiting
from flows.mail.leaving.promising import keep_promises
from flows.mail.leaving.scheduling import give_back_stale
from flows.mail.line.case_family import hand_messages_on
from flows.mail.line.decision_recall import recall_late_reply
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.mailroom import mailroom_of

log = logging.getLogger("postern.delivery")
FIRST_DELAY, LONGEST_DELAY = 60.0, 3600.0
ACTOR = "delivery"
LONGEST_ANSWER = 500
"""Letters that are kept of what the next server said."""


async def settle_interrupted(house: House, workspace: Workspace) -> None:
    """Decide about deliveries that an engine which is gone had begun, or that were cut off.

    The file transport names its file after the message, so that a second attempt is the same
    one; over SMTP nobody knows.
    """

    def decide(cursor: Connection) -> None:
        now = house.clock()
        for row in deliveries.list_interrupted(cursor):
            safe = row.state == DeliveryState.SENDING
            if safe:
                move(cursor, [row.id], DeliveryState.QUEUED, actor=ACTOR, now=now)
                continue
            note = "it was cut off after the message was handed over"
            deliveries.change(cursor, [{"id": row.id, "response": note}])
            move(cursor, [row.id], DeliveryState.UNKNOWN, actor=ACTOR, now=now, note=note)
            if mailroom_of(house).transport.exactly_once:
                move(cursor, [row.id], DeliveryState.QUEUED, actor=ACTOR, now=now, note=note)
            else:
                notify(cursor, "delivery_unknown", {row.id: row.subject}, now)

    await workspace.db.write(decide)
    mail_line_of(workspace).cut_off = False


async def deliver_due(house: House, workspace: Workspace, limit: int) -> dict[str, str]:
    """Attempt every delivery that is due; return the state of each by id.

    The caller is the only sender, so what looks as if it were being sent was cut off.
    """
    if mail_line_of(workspace).cut_off:
        await settle_interrupted(house, workspace)
    if house.stopped:
        return {}
    due = await workspace.db.read(deliveries.list_due, house.clock(), limit)
    return {row.id: await deliver_one(house, workspace, row) for row in due}


async def deliver_one(house: House, workspace: Workspace, row: DeliveryRow) -> str:
    """Attempt one delivery; return the state it ends in."""
    if not await workspace.db.write(_begin, workspace, row, house.clock()):
        return "moved on"
    try:
        result = await _attempt(house, workspace, row)
        state = await workspace.db.write(_end, row, result, house, workspace)
    except BaseException:
        mail_line_of(workspace).cut_off = True
        raise
    log.info(
        "delivery %s: %s",
        state,
        result.text,
        extra={"fields": {"organization": workspace.slug, "item": row.id}},
    )
    return state


async def _attempt(house: House, workspace: Workspace, row: DeliveryRow) -> DeliveryResult:
    """Hand the bytes of a delivery over; without them it has failed."""

    async def may_go_on() -> bool:
        return not house.stopped

    async def note_dot() -> None:
        await workspace.db.write(_move_one, row.id, DeliveryState.DOT_SENT, house.clock(), "")

    try:
        raw = await asyncio.to_thread(workspace.archive.read, row.sha256)
    except NotFoundError as error:
        return build_common_result(row.rcpt_to, DeliveryKind.FAILED, text=str(error))
    except OSError as error:
        text = f"its bytes cannot be read: {error.strerror or error}"
        return build_common_result(row.rcpt_to, DeliveryKind.DEFERRED, text=text)
    return await mailroom_of(house).transport.deliver(
        raw, row.mail_from, row.rcpt_to, before_data=may_go_on, before_dot=note_dot
    )


def _begin(cursor: Connection, workspace: Workspace, row: DeliveryRow, now: datetime) -> bool:
    """Move a delivery to `sending` and count the attempt; return whether it may go on."""
    if row.leaves_at is not None and give_back_stale(cursor, workspace, row, ACTOR, now):
        return False
    moved = move(cursor, [row.id], DeliveryState.SENDING, actor=ACTOR, now=now)
    if moved:
        deliveries.change(cursor, [{"id": row.id, "attempts": row.attempts + 1}])
    return bool(moved)


def _move_one(
    cursor: Connection, identity: str, state: DeliveryState, now: datetime, note: str
) -> None:
    move(cursor, [identity], state, actor=ACTOR, now=now, note=note)


def _end(
    cursor: Connection,
    row: DeliveryRow,
    result: DeliveryResult,
    house: House,
    workspace: Workspace,
) -> str:
    """Write how the attempt ended, and move the case on when the reply has left."""
    now, identity = house.clock(), row.id
    refusals = _list_refusals(result)
    answer = "; ".join((result.text, *refusals))[:LONGEST_ANSWER]
    deliveries.change(cursor, [{"id": identity, "response": answer}])
    if result.kind is DeliveryKind.STOPPED:
        move(cursor, [identity], DeliveryState.QUEUED, actor=ACTOR, now=now, note="stopped")
        _recall(cursor, workspace, row, now)
        return "stopped"
    state = DeliveryState(result.kind)
    if state is DeliveryState.DEFERRED:
        state = _put_off(cursor, row, house, now)
    moved = move(cursor, [identity], state, actor=ACTOR, now=now, note=answer)
    if not moved:
        return "moved on"
    if state is DeliveryState.SENT:
        settle_sent(cursor, workspace, row, now)
        if refusals:
            sentence = f"{row.subject}: {'; '.join(refusals)}"
            notify(cursor, "delivery_failed", {identity: sentence[:LONGEST_ANSWER]}, now)
    elif state is DeliveryState.DEFERRED:
        _recall(cursor, workspace, row, now)
    elif state in (DeliveryState.FAILED, DeliveryState.UNKNOWN):
        notify(cursor, f"delivery_{state}", {identity: row.subject}, now)
    return str(state)


def _list_refusals(result: DeliveryResult) -> list[str]:
    """Return who did not get a message that others got, or may have got, each with the reason.

    They are not tried again: only a person can say whether the letter should be written to them.
    """
    if result.kind not in (DeliveryKind.SENT, DeliveryKind.UNKNOWN):
        return []
    return [
        f"not taken for {one.address}: {one.text}"
        for one in result.recipients
        if one.kind is not result.kind
    ]


def _recall(cursor: Connection, workspace: Workspace, row: DeliveryRow, now: datetime) -> None:
    """Take a reply that has to wait back for mail that came meanwhile, and ask for it again."""
    is_recalled = recall_late_reply(cursor, row.case_id, row.id, ACTOR, now)
    ask(cursor, workspace, is_recalled, ACTOR, now)


def settle_sent(cursor: Connection, workspace: Workspace, row: DeliveryRow, now: datetime) -> None:
    """Write down what follows once the next server has taken something.

    A reply ends its case. What was passed on to a colleague leaves its case as it is: whoever wrote
    still waits for an answer, or a person closes it.
    """
    deliveries.change(cursor, [{"id": row.id, "sent_at": now}])
    if row.purpose == Purpose.REPLY:
        close_case(cursor, row.case_id, now)
        keep_promises(cursor, workspace, row, now)
        start_waiting(cursor, workspace, row.case_id, now)


def _put_off(cursor: Connection, row: DeliveryRow, house: House, now: datetime) -> DeliveryState:
    """Set the next attempt with exponential backoff and jitter, or give up.

    What a person has put back after it had ended is given as long again.
    """
    patience = timedelta(hours=house.settings.give_up_hours)
    if now - row.begins_at > patience:
        return DeliveryState.FAILED
    doubled = FIRST_DELAY * 2.0 ** min(row.attempts, 16)
    delay = min(doubled, LONGEST_DELAY) * random.uniform(0.8, 1.2)
    deliveries.change(cursor, [{"id": row.id, "due_at": now + timedelta(seconds=delay)}])
    return DeliveryState.DEFERRED


def close_case(cursor: Connection, case_id: str, now: datetime) -> None:
    """Mark the case of a reply that has left, its messages and its conversation."""
    row = cases.read_row(cursor, case_id)
    move(cursor, [case_id], CaseState.SENT, actor=ACTOR, now=now)
    hand_messages_on(cursor, row._replace(state=CaseState.SENT), ACTOR, now)
    move(cursor, row.message_ids, MessageStatus.SENT, actor=ACTOR, now=now, of=[case_id])
    cases.advance_versions(cursor, [case_id], now)

"""Replies that leave at a chosen moment: what is looked at before they do.

Between the approval and the moment lie hours or days, and perhaps an engine that was away. So a
scheduled reply leaves only once all mail that had come by its moment is read, and nothing of it
belongs to its conversation; else its case is before a person again. Where it cannot be told
whether something has come, because a mailbox does not answer, it waits, and after a while a person
decides.
"""

import asyncio
from datetime import datetime, timedelta
from functools import partial

from connectors.spool.ids import came_at
from data.errors import ManifestError, NotFoundError
from data.mailbox_files import load_mailboxes
from data.states import DeliveryState
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import cases, deliveries, mailboxes, messages
from data.store.mail.deliveries import DeliveryRow
from data.store.mail.moves import move
from flows.core.house import House
from flows.core.rounds import do_named_works
from flows.core.workspace import Workspace
from flows.mail.leaving.approving import ask
from flows.mail.leaving.outgoing_check import LeakError, refuse_leak
from flows.mail.line.decision_recall import NOTE, put_before_person, tell_taken_back
from tasks.mail.compose.recipients import is_own

PATIENCE = timedelta(hours=1)
"""How long a reply waits past its moment for mail to be read that had come by then."""
UNREAD = "mail that has come is not read yet"
ACTOR = "clock"


async def clear_scheduled(house: House, workspace: Workspace) -> bool:
    """Decide on every scheduled reply whose moment has come; return whether there were any."""
    if house.stopped:
        return False
    now = house.clock()
    due = await workspace.db.read(deliveries.list_to_clear, now)
    if not due:
        return False
    before = max(row.due_at for row in due)
    why = await _find_unread(house, workspace, before)
    await do_named_works((row.id, partial(_clear, workspace, row, now, why)) for row in due)
    return True


async def _clear(workspace: Workspace, row: DeliveryRow, now: datetime, why: str) -> None:
    """Decide on one scheduled reply; `why` says which mail is not read yet."""
    unread, fault = why, ""
    try:
        fault = await asyncio.to_thread(_find_fault, workspace, row)
    except OSError as error:  # the disk may be well again soon
        unread = why or f"what was approved cannot be read: {error.strerror or error}"
    await workspace.db.write(_decide_on, workspace, row, now, unread, fault)


async def mailboxes_due_since(workspace: Workspace, now: datetime) -> datetime | None:
    """Return the moment after which every mailbox has to be read once; None where no reply is due.

    It is that of the latest scheduled reply whose moment has come. A mailbox is read when its
    server says that something is there, and nobody has heard that while the engine was away.
    """
    due = await workspace.db.read(deliveries.list_to_clear, now)
    return max((row.due_at for row in due), default=None)


async def _find_unread(house: House, workspace: Workspace, before: datetime) -> str:
    """Return which mail that came until `before` is not read yet, in words; empty for none."""
    # A poll puts into the spool what intake takes from it into the state: looked at in that order.
    try:
        accounts = await asyncio.to_thread(load_mailboxes, workspace.folder)
    except ManifestError as error:
        return f"the mailboxes cannot be read: {error}"
    polled = await workspace.db.read(mailboxes.list_read_times)
    late = [
        account.name
        for account in accounts
        if account.enabled and not ((at := polled.get(account.name)) and at >= before)
    ]
    if late:
        return f"the mailbox {late[0]!r} has not been read since"
    oldest = await asyncio.to_thread(house.spool.list_waiting, 1)
    return UNREAD if any(came_at(entry.spool_id) <= before for entry in oldest) else ""


def _find_fault(workspace: Workspace, row: DeliveryRow) -> str:
    """Return why what was approved cannot leave any more, in words; empty where it can.

    Raises:
        OSError: its bytes cannot be read now.

    """
    try:
        refuse_leak(workspace, workspace.archive.read(row.sha256), row.files)
    except (LeakError, NotFoundError) as error:
        return str(error)
    if not is_own(row.mail_from, workspace.organization):
        return f"{row.mail_from} is no address of the organization any more"
    return ""


def _decide_on(
    cursor: Connection, workspace: Workspace, row: DeliveryRow, now: datetime, why: str, fault: str
) -> None:
    """Let one reply leave, let it wait, or put its case before a person.

    `why` says what is not read yet, `fault` what of the reply is not allowed any more; both
    are empty where nothing is.
    """
    if give_back_stale(cursor, workspace, row, ACTOR, now):
        return
    if not why and messages.is_mail_being_read(cursor, row.due_at):
        why = UNREAD
    held_at = row.held_at or now
    if fault or (why and now - held_at > PATIENCE):
        give_back(cursor, workspace, row, ACTOR, now, fault or why)
    elif why:
        deliveries.change(cursor, [{"id": row.id, "held_at": held_at}])
    else:
        deliveries.change(cursor, [{"id": row.id, "cleared_at": now}])


def give_back_stale(
    cursor: Connection, workspace: Workspace, row: DeliveryRow, actor: str, now: datetime
) -> bool:
    """Put a scheduled reply before a person where something has come since it was approved.

    What the screen stopped, or could not read, belongs to no conversation; what of it claims to be
    of the same contact counts.
    """
    if not deliveries.list_messages_since(
        cursor, row.case_id, row.id
    ) and not deliveries.has_stopped_mail(cursor, row.case_id, row.created_at):
        return False
    give_back(cursor, workspace, row, actor, now, NOTE)
    return True


def give_back(
    cursor: Connection,
    workspace: Workspace,
    row: DeliveryRow,
    actor: str,
    now: datetime,
    why: str,
) -> None:
    """Take a scheduled reply back, put its case before a person, and tell who scheduled it."""
    if not move(cursor, [row.id], DeliveryState.CANCELLED, actor=actor, now=now, note=why):
        return
    case = cases.read_row(cursor, row.case_id)
    put_before_person(cursor, case.id, case.message_ids, actor, now, why)
    cases.advance_versions(cursor, [case.id], now)
    ask(cursor, workspace, [case.id], actor, now)
    tell_taken_back(cursor, case.id, case.subject, row.scheduled_by, why, now)
    audit.append(
        cursor, actor=actor, action="give back", subject=f"case:{case.id}", detail=why, now=now
    )

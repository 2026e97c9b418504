"""Telling an outside tracker about tickets: queued with the change, sent by a round of the loop.

At least once: the `webhook-id` is that of the note, so that a tracker knows a repeat for one.
"""

import asyncio
import logging
import random
from datetime import datetime, timedelta

from connectors.endpoint import EndpointOutcome, EndpointResult, retry_wait
from connectors.trackers import TicketTracker, WebhookTracker
from data.errors import ForbiddenError, ManifestError, SettingsError
from data.records.core.organization import Policy
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import tickets
from data.store.mail.tickets import PushRow
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.leaving.endpoint_keys import read_key
from flows.mail.line.mailroom import mailroom_of

log = logging.getLogger("postern.tickets")
AT_ONCE = 16


def tracker_of(house: House, policy: Policy) -> TicketTracker | None:
    """Return the policy's tracker, or None.

    Raises:
        SettingsError: its key cannot be read.
        ManifestError: the name of its key is not valid.

    """
    if policy.tracker is None:
        return None
    key = read_key(house.settings, policy.tracker.secret)
    return WebhookTracker(mailroom_of(house).endpoints, policy.tracker.url, key)


async def tell_due(house: House, workspace: Workspace) -> int:
    """Send what is due, of each ticket one thing; return how much that was.

    All at once: a tracker that hangs costs one timeout, not one for each ticket. While sending is
    stopped nobody is told.
    """
    if house.stopped:
        return 0
    now = house.clock()
    due = await workspace.db.read(tickets.list_due_pushes, now, AT_ONCE)
    await asyncio.gather(*(_tell(house, workspace, row, now) for row in due))
    return len(due)


async def _tell(house: House, workspace: Workspace, row: PushRow, now: datetime) -> None:
    result = await _send(house, workspace, row, now)
    await workspace.db.write(_settle, row, result, house.clock())
    log.info(
        "ticket news %s",
        result.outcome,
        extra={"fields": {"organization": workspace.slug, "item": row.ticket_id}},
    )


async def _send(house: House, workspace: Workspace, row: PushRow, now: datetime) -> EndpointResult:
    try:
        tracker = tracker_of(house, workspace.policy)
        if tracker is None:
            return EndpointResult(outcome=EndpointOutcome.FAILED, detail="there is no tracker now")
        return await tracker.tell(row.id, row.body.encode(), now)
    except (SettingsError, ManifestError, ForbiddenError) as error:  # its key can be mended
        return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=str(error))


def _settle(cursor: Connection, row: PushRow, result: EndpointResult, now: datetime) -> None:
    """Write whether the tracker has taken the news, and when it is told again."""
    fields: dict[str, object] = {"id": row.id, "response": result.detail[:500]}
    failures = row.failures + (result.outcome is not EndpointOutcome.DELIVERED)
    wait = retry_wait(failures, random.random())
    if result.outcome is EndpointOutcome.DELIVERED:
        fields["state"] = "delivered"
    elif result.outcome is EndpointOutcome.FAILED or wait is None:
        fields["state"] = "failed"
        notify(cursor, "ticket_failed", {row.ticket_id: f"tracker: {result.detail}"}, now)
    else:
        fields["due_at"] = now + max(wait, result.retry_after or timedelta())
    tickets.change_pushes(cursor, [fields | {"failures": failures}])

"""Forwarding to endpoints: at least once, with an end that people see.

`queued → sending → delivered | deferred | failed`. What is screened and not forged is queued in the
transaction that journals the result of *authenticate*, so that nothing is forgotten; every attempt
sends the same body under the same `webhook-id`, the message's spool id, so that an endpoint knows a
repeat for one. A crash while `sending` means another attempt.

Not a Prefect flow: an endpoint that hangs would hold up the flow runs, which take turns.
"""

import asyncio
import logging
import random
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from connectors.endpoint import EndpointOutcome, EndpointResult, retry_wait
from data.errors import ForbiddenError, ManifestError, NotFoundError, SettingsError
from data.ids import new_id
from data.records.core.envelope import Envelope
from data.records.core.organization import RouteMode
from data.states import ForwardState
from data.store.core.database import Connection
from data.store.core.moves import note_events
from data.store.core.notifications import notify
from data.store.mail import forwards
from data.store.mail.forwards import DueForwardRow
from data.store.mail.messages import MessageRow
from data.store.mail.moves import move
from flows.core.house import House
from flows.core.rounds import do_for_organizations
from flows.core.workspace import Workspace
from flows.mail.leaving.endpoint_keys import read_key
from flows.mail.line.mailroom import mailroom_of

log = logging.getLogger("postern.forwarding")
ACTOR = "forwarding"
#: Attempts begun in one round, and the bytes of their messages; one message may be larger.
AT_ONCE, BYTES_AT_ONCE = 32, 32 << 20
#: How long an attempt may be under way before it counts as lost; longer than any timeout.
LEASE = timedelta(minutes=10)


def queue_forwards(
    cursor: Connection,
    house: House,
    workspace: Workspace,
    messages: Mapping[str, MessageRow],
    now: datetime,
) -> list[str]:
    """Queue these messages (rows by id) for every endpoint that a recipient's route names."""
    forwards_by_key: dict[tuple[str, str], tuple[str, list[str]]] = {}
    for item, row in messages.items():
        for address in row.rcpt_to:
            route = house.routes.match(address)
            if (
                route is not None
                and route.organization == workspace.slug
                and route.mode is RouteMode.ENDPOINT
                and route.url
            ):
                forwards_by_key.setdefault((item, route.url), (route.secret, []))[1].append(address)
    if not forwards_by_key:
        return []
    queued = [
        {
            "id": new_id(now),
            "message_id": item,
            "rcpt_to": addresses,
            "url": url,
            "secret": secret,
            "state": ForwardState.QUEUED,
            "due_at": now,
            "created_at": now,
        }
        for (item, url), (secret, addresses) in forwards_by_key.items()
    ]
    fresh = forwards.add(cursor, queued)
    note_events(cursor, "forward", fresh, ForwardState.QUEUED, actor="authenticate", now=now)
    return fresh


async def settle_forwards(house: House, workspace: Workspace) -> None:
    """Queue again what an engine which is gone had begun: a repeat is harmless here."""

    def requeue(cursor: Connection) -> None:
        ids = forwards.list_interrupted(cursor)
        now = house.clock()
        move(cursor, ids, ForwardState.QUEUED, actor=ACTOR, now=now, note="the engine stopped")
        forwards.change(cursor, [{"id": item, "due_at": now} for item in ids])

    await workspace.db.write(requeue)


async def forward_round(house: House) -> bool:
    """Begin what is due for every organization; say whether there was anything."""
    if house.stopped:
        return False
    return await do_for_organizations(house, lambda workspace: begin_due(house, workspace))


async def begin_due(house: House, workspace: Workspace) -> list[asyncio.Task[str]]:
    """Begin attempts that are due, each in a task of its own that the house waits for."""
    if house.stopped:
        return []
    if not await workspace.db.read(forwards.list_due, house.clock(), 1):
        return []
    begun = await workspace.db.write(_begin, house.clock())
    return [house.run_aside(_attempt(house, workspace, row), f"forward {row.id}") for row in begun]


def _within_bytes(due: Iterable[DueForwardRow]) -> list[DueForwardRow]:
    """Return the first of these whose messages fit into `BYTES_AT_ONCE`, but one at least."""
    chosen: list[DueForwardRow] = []
    room = BYTES_AT_ONCE
    for row in due:
        room -= row.size_bytes
        if room < 0 and chosen:
            break
        chosen.append(row)
    return chosen


def _begin(cursor: Connection, now: datetime) -> list[DueForwardRow]:
    """Move what is due to `sending` and lease it; return what has begun, as it is to be sent now.

    A person may have mended where it goes since somebody saw that it is due.
    """
    due = _within_bytes(forwards.list_due(cursor, now, AT_ONCE))
    lost = [row.id for row in due if row.state == ForwardState.SENDING]
    move(cursor, lost, ForwardState.QUEUED, actor=ACTOR, now=now, note="the attempt was lost")
    ids = [row.id for row in due]
    moved = set(move(cursor, ids, ForwardState.SENDING, actor=ACTOR, now=now))
    begun = [row for row in due if row.id in moved]
    forwards.change(
        cursor,
        [{"id": row.id, "attempts": row.attempts + 1, "due_at": now + LEASE} for row in begun],
    )
    return begun


async def _attempt(house: House, workspace: Workspace, row: DueForwardRow) -> str:
    """Make one attempt; return the state it ends in."""
    if house.stopped:  # nothing was sent, so nothing is counted
        return await workspace.db.write(_put_back, row.id, house.clock())
    result = await _send(house, workspace, row)
    state = await workspace.db.write(_end, row, result, house.clock())
    log.info(
        "forward %s: %s",
        state,
        result.detail or result.status,
        extra={"fields": {"organization": workspace.slug, "item": row.message_id}},
    )
    return state


async def _send(house: House, workspace: Workspace, row: DueForwardRow) -> EndpointResult:
    """Post a message to its endpoint once; what is wrong here is in the result as well."""
    # Who else got it, perhaps of another organization, is not for this endpoint.
    envelope = Envelope.model_validate_json(row.envelope).model_copy(
        update={"rcpt_to": tuple(row.rcpt_to)}
    )
    try:
        key = read_key(house.settings, row.secret)
        raw = await asyncio.to_thread(workspace.archive.read, row.raw_sha256)
        return await mailroom_of(house).endpoints.send(row.url, key, envelope, raw, house.clock())
    except NotFoundError as error:  # retention has removed it
        return EndpointResult(outcome=EndpointOutcome.FAILED, detail=str(error))
    except OSError as error:
        detail = f"its bytes cannot be read: {error.strerror or error}"
        return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=detail)
    except (SettingsError, ForbiddenError, ManifestError) as error:  # its key can be mended
        return EndpointResult(outcome=EndpointOutcome.DEFERRED, detail=str(error))


def _put_back(cursor: Connection, identity: str, now: datetime) -> str:
    """Queue a forward again of which nothing was sent; return the word for its outcome."""
    move(cursor, [identity], ForwardState.QUEUED, actor=ACTOR, now=now, note="stopped")
    forwards.change(cursor, [{"id": identity, "due_at": now}])
    return "stopped"


def _end(cursor: Connection, row: DueForwardRow, result: EndpointResult, now: datetime) -> str:
    """Write how the attempt ended, and when the next one is due."""
    state, failures = ForwardState(result.outcome), row.failures
    answer = (result.detail or f"answered {result.status}")[:500]
    fields: dict[str, object] = {"id": row.id, "http_status": result.status, "response": answer}
    if state is ForwardState.DELIVERED:
        fields["delivered_at"] = now
    else:
        failures += 1
    if state is ForwardState.DEFERRED:
        wait = retry_wait(failures, random.random())
        if wait is None:
            state = ForwardState.FAILED
        else:
            fields["due_at"] = now + max(wait, result.retry_after or timedelta())
    fields["failures"] = failures
    forwards.change(cursor, [fields])
    if not move(cursor, [row.id], state, actor=ACTOR, now=now, note=answer):
        return "moved on"
    if state is ForwardState.FAILED:
        notify(cursor, "forward_failed", {row.id: f"{row.url}: {answer}"}, now)
    return str(state)

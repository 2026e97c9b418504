"""Notifications: what happened that people should know, and whether anybody has read it.

The read state is the organization's, not a person's: what one has read, nobody else has to.
"""

from fastapi import APIRouter, Query

from data.records.core.listing import Page
from data.records.core.principals import Permission, Principal
from data.records.mail.orders import MarkSeen
from data.records.mail.senders import NotificationView
from data.store.core import notifications as store
from data.store.core import users
from data.store.core.database import Connection
from data.store.core.notifications import Listener, NotificationRow
from data.store.mail import pages
from data.store.mail.pages import Heading
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import address, pick_fields


class NotificationPage(Page[NotificationView]):
    """One page of a person's notifications."""

    unseen: int
    """How many of the person's nobody has read."""


router = APIRouter(prefix="/v1/{org}", tags=["notifications"])


@router.get("/notifications")
async def notifications(
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    unseen: bool = False,
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> NotificationPage:
    """Return a page of the caller's, newest first; `unseen` narrows it to what nobody has read."""
    listener = await _listener(house, workspace, principal)
    return await workspace.db.read(_page, listener, unseen, limit, offset)


@router.post("/notifications/seen")
async def mark_seen(
    order: MarkSeen, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> dict[str, int]:
    """Mark notifications as read, all of the caller's without ids; return how many were new."""
    listener = await _listener(house, workspace, principal)
    marked = await workspace.db.write(store.see, listener, order.ids, house.clock())
    return {"marked": marked}


async def _listener(house: HouseOf, workspace: WorkspaceOf, principal: Principal) -> Listener:
    """Return whose notifications these are.

    What names a person is that person's. What names an address that no user has, as of somebody who
    has left, is the administrators', since nobody else would hear of it.
    """
    others: tuple[str, ...] | None = None
    if principal.may(Permission.ADMINISTER, workspace.slug):
        everybody = await house.control.read(users.list_users)
        others = tuple(user.email for user in everybody if user.email and user.ended_at is None)
    return Listener(principal.email, principal.id, others)


def _page(
    cursor: Connection, listener: Listener, unseen: bool, limit: int, offset: int
) -> NotificationPage:
    notices, total = store.list_page(cursor, listener, unseen=unseen, limit=limit, offset=offset)
    fresh = store.count_unseen(cursor, listener)
    ids = [row.subject_id for row in notices]
    heads, kinds = pages.list_headings(cursor, ids), store.list_kinds(cursor, ids)
    items = tuple(
        _view(row, kinds.get(row.subject_id, "other"), heads.get(row.subject_id)) for row in notices
    )
    return NotificationPage(items=items, total=total, unseen=fresh)


def _view(row: NotificationRow, kind: str, head: Heading | None) -> NotificationView:
    """Return a notification; `head` is of the message that it is about, if it is."""
    sender = address(head.sender_email, head.sender_name) if head and head.sender_email else None
    subject = head.subject if head else ""
    return pick_fields(NotificationView, row, subject_kind=kind, sender=sender, subject=subject)

"""What people do with tickets and tags: close with a reason, open again, comment, untag."""

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.core.principals import Principal
from data.records.mail.tickets import NoteKind, TicketState
from data.store.core import audit
from data.store.core.database import Connection
from data.store.mail import tags, tickets
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.mail.line.tracker_notes import tell_tracker

_DONE = {TicketState.CLOSED: NoteKind.CLOSED, TicketState.OPEN: NoteKind.REOPENED}


async def turn(
    house: House,
    workspace: Workspace,
    ticket_id: str,
    target: TicketState,
    reason: str,
    principal: Principal,
) -> None:
    """Close a ticket, or open it again; each takes the other back.

    Raises:
        NotFoundError: there is none of that id.
        ConflictError: it is so already.

    """

    def act(cursor: Connection) -> None:
        now, kind = house.clock(), _DONE[target]
        tickets.one(cursor, ticket_id)
        if not tickets.turn(cursor, ticket_id, target, reason, now):
            raise ConflictError(f"this ticket is {target.value!r} already; look at it again")
        tickets.note(cursor, new_id(now), ticket_id, kind, principal.name, reason, now)
        tell_tracker(cursor, workspace.policy, ticket_id, kind, principal.name, reason, now)
        audit.append(
            cursor,
            actor=principal.name,
            action=f"ticket-{kind}",
            subject=ticket_id,
            detail=reason,
            now=now,
        )

    await workspace.db.write(act)


async def comment(
    house: House, workspace: Workspace, ticket_id: str, text: str, principal: Principal
) -> None:
    """Say something about a ticket."""

    def act(cursor: Connection) -> None:
        now = house.clock()
        tickets.one(cursor, ticket_id)
        tickets.note(cursor, new_id(now), ticket_id, NoteKind.COMMENT, principal.name, text, now)
        tell_tracker(
            cursor, workspace.policy, ticket_id, NoteKind.COMMENT, principal.name, text, now
        )

    await workspace.db.write(act)


async def tell_again(
    house: House, workspace: Workspace, ticket_id: str, principal: Principal
) -> None:
    """Have the outside tracker told what it has not taken, under the same ids as before.

    Raises:
        NotFoundError: there is no such ticket.
        ConflictError: it has heard everything, or the policy names no tracker.

    """
    if workspace.policy.tracker is None:
        raise ConflictError("the policy names no tracker; add `tracker` to it first")

    def act(cursor: Connection) -> None:
        now = house.clock()
        tickets.one(cursor, ticket_id)
        if not tickets.tell_again(cursor, ticket_id, now):
            raise ConflictError("the tracker has heard everything of this ticket")
        audit.append(
            cursor,
            actor=principal.name,
            action="ticket-tell",
            subject=ticket_id,
            detail="",
            now=now,
        )

    await workspace.db.write(act)


async def untag(
    house: House, workspace: Workspace, thread_id: str, tag: str, principal: Principal
) -> None:
    """Take a tag of a conversation away.

    Raises:
        NotFoundError: the conversation does not bear it.

    """

    def act(cursor: Connection) -> None:
        if not tags.remove(cursor, thread_id, tag):
            raise NotFoundError(f"the conversation {thread_id!r} does not bear the tag {tag!r}")
        audit.append(
            cursor,
            actor=principal.name,
            action="untag",
            subject=thread_id,
            detail=tag,
            now=house.clock(),
        )

    await workspace.db.write(act)

"""Tickets and tags in people's hands: close with a reason, open again, comment, untag."""

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.core.principals import Principal
from data.records.mail.tickets import NoteKind, TicketState
from data.store.mail import tags, tickets
from flows.core.acting import Act, carry_out
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

    def work(act: Act) -> None:
        kind = _DONE[target]
        tickets.read_row(act.cursor, ticket_id)
        if not tickets.change_state(act.cursor, ticket_id, target, reason, act.now):
            raise ConflictError(f"this ticket is {target.value!r} already; look at it again")
        _add_note(act, workspace, ticket_id, kind, reason)
        act.note(f"ticket-{kind}", ticket_id, reason)

    await carry_out(house, workspace, principal, work)


async def comment(
    house: House, workspace: Workspace, ticket_id: str, text: str, principal: Principal
) -> None:
    """Say something about a ticket."""

    def work(act: Act) -> None:
        tickets.read_row(act.cursor, ticket_id)
        _add_note(act, workspace, ticket_id, NoteKind.COMMENT, text)

    await carry_out(house, workspace, principal, work)


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

    def work(act: Act) -> None:
        tickets.read_row(act.cursor, ticket_id)
        if not tickets.tell_again(act.cursor, ticket_id, act.now):
            raise ConflictError("the tracker has heard everything of this ticket")
        act.note("ticket-tell", ticket_id)

    await carry_out(house, workspace, principal, work)


async def untag(
    house: House, workspace: Workspace, thread_id: str, tag: str, principal: Principal
) -> None:
    """Take a tag of a conversation away.

    Raises:
        NotFoundError: the conversation does not bear it.

    """

    def work(act: Act) -> None:
        if not tags.remove(act.cursor, thread_id, tag):
            raise NotFoundError(f"the conversation {thread_id!r} does not bear the tag {tag!r}")
        act.note("untag", thread_id, tag)

    await carry_out(house, workspace, principal, work)


def _add_note(act: Act, workspace: Workspace, ticket_id: str, kind: NoteKind, text: str) -> None:
    """Note what a person did with a ticket, and have the outside tracker told."""
    cursor, actor, now = act.cursor, act.actor, act.now
    tickets.note(cursor, new_id(now), ticket_id, kind, actor, text, now)
    tell_tracker(cursor, workspace.policy, ticket_id, kind, actor, text, now)

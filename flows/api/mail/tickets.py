"""Tickets: what somebody has to carry out."""

from fastapi import APIRouter, Query

from data.records.core.listing import Page
from data.records.mail.tickets import Comment, Reason, TicketNote, TicketState, TicketView
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases
from data.store.mail import tickets as store
from data.store.mail.tickets import TicketRow
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.api.core.queries import Offset
from flows.api.mail.lines import pick_fields
from flows.mail.people import ticketing
from tasks.mail.read import Reading

router = APIRouter(prefix="/v1/{org}/tickets", tags=["tickets"])


@router.get("")
async def tickets(
    workspace: WorkspaceOf,
    state: TicketState | None = None,
    case: str = "",
    q: str = "",
    limit: int = Query(50, ge=1, le=200),
    offset: Offset = 0,
) -> Page[TicketView]:
    """Return one page of the tickets, newest first, without their notes."""
    tickets_listed, total = await workspace.db.read(
        store.list_page, state=state or "", case=case, search=q, limit=limit, offset=offset
    )
    return Page(items=tuple(pick_fields(TicketView, row) for row in tickets_listed), total=total)


@router.get("/{ticket_id}")
async def ticket(ticket_id: str, workspace: WorkspaceOf) -> TicketView:
    """Return one ticket with its notes."""
    return await workspace.db.read(_view, ticket_id)


@router.post("/{ticket_id}/close", dependencies=[WAKES])
async def close(
    ticket_id: str,
    order: Reason,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> TicketView:
    """Close a ticket with a reason."""
    await ticketing.turn(house, workspace, ticket_id, TicketState.CLOSED, order.reason, principal)
    return await workspace.db.read(_view, ticket_id)


@router.post("/{ticket_id}/reopen", dependencies=[WAKES])
async def reopen(
    ticket_id: str,
    order: Reason,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> TicketView:
    """Open a closed ticket again."""
    await ticketing.turn(house, workspace, ticket_id, TicketState.OPEN, order.reason, principal)
    return await workspace.db.read(_view, ticket_id)


@router.post("/{ticket_id}/comment", dependencies=[WAKES])
async def comment(
    ticket_id: str,
    order: Comment,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> TicketView:
    """Say something about a ticket."""
    await ticketing.comment(house, workspace, ticket_id, order.text, principal)
    return await workspace.db.read(_view, ticket_id)


@router.post("/{ticket_id}/tell", dependencies=[WAKES])
async def tell(
    ticket_id: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> TicketView:
    """Tell the outside tracker again what it has not taken."""
    await ticketing.tell_again(house, workspace, ticket_id, principal)
    return await workspace.db.read(_view, ticket_id)


def _view(cursor: Connection, ticket_id: str) -> TicketView:
    notes = tuple(pick_fields(TicketNote, row) for row in store.list_notes(cursor, ticket_id))
    row = store.read_row(cursor, ticket_id)
    untold, unheard, answer = store.count_untold(cursor, ticket_id)
    return pick_fields(
        TicketView,
        row,
        untold=untold,
        unheard=unheard,
        tracker_answer=answer,
        notes=notes,
        letters=_letters(cursor, row),
    )


def _letters(cursor: Connection, row: TicketRow) -> tuple[str, ...]:
    """Return what the messages that a ticket came from say anew, with their line ends."""
    case = cases.read_cases(cursor, [row.case_id]).get(row.case_id)
    ids = case.message_ids if case else []
    parsed = journal.read_results(cursor, "parse", ids) if ids else {}
    read = [Reading.model_validate_json(parsed[item]) for item in ids if item in parsed]
    return tuple(
        read_message.segments.new.strip()
        for read_message in read
        if read_message.segments.new.strip()
    )

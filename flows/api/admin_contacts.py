"""Data held on one contact: counted, exported, erased; for administrators."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response

from data.records.mail.contacts import EraseContact, Erased, Holdings
from flows.agents.running import end_turns_at_work
from flows.api.core.context import FOR_ADMINISTRATORS, WAKES, AdminOf, HouseOf, WorkspaceOf
from flows.mail.people.contact_export import export_contact
from flows.mail.people.erasing import erase
from flows.mail.people.holdings import holdings

router = APIRouter(prefix="/v1/{org}/contact", tags=["administration"])
Addresses = Annotated[list[str], Query(min_length=1, max_length=21)]


@router.get("", dependencies=[FOR_ADMINISTRATORS])
async def list_holdings(address: Addresses, house: HouseOf, workspace: WorkspaceOf) -> Holdings:
    """Return what is held on whoever has these addresses, counted."""
    return await holdings(house, workspace, address)


@router.get("/export", dependencies=[FOR_ADMINISTRATORS])
async def export(address: Addresses, house: HouseOf, workspace: WorkspaceOf) -> Response:
    """Return all of it as a zip of JSON Lines and `.eml` files."""
    content = await export_contact(house, workspace, address)
    headers = {"Content-Disposition": 'attachment; filename="contact.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


@router.post("/erase", dependencies=[WAKES])
async def erase_contact(
    order: EraseContact, house: HouseOf, workspace: WorkspaceOf, admin: AdminOf
) -> Erased:
    """Erase all of it; the audit log keeps that it was done, by whom and when."""
    end_turns = partial(end_turns_at_work, house, workspace, admin)
    return await erase(house, workspace, order, admin, end_turns)

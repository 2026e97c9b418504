"""How the replies of an organization are signed; for administrators."""

import asyncio

from fastapi import APIRouter

from data.records.core.organization import Dkim, Organization
from data.records.core.record import Record
from data.store.core import control
from flows.api.context import FOR_ADMINISTRATORS, HouseOf
from flows.mail.leaving.signing import to_publish

router = APIRouter(prefix="/v1/organizations/{slug}", tags=["administration"])


class Signing(Record):
    """How replies are signed."""

    dkim: Dkim | None = None
    """None for not at all."""


@router.put("/dkim", dependencies=[FOR_ADMINISTRATORS])
async def set_dkim(slug: str, given: Signing, house: HouseOf) -> Organization:
    """Say how an organization's replies are signed."""
    if given.dkim is not None:
        await asyncio.to_thread(to_publish, house.settings, given.dkim)  # it has to be usable
    workspace = await house.workspace(slug)
    workspace.organization = await house.control.write(control.set_dkim, slug, given.dkim)
    return workspace.organization

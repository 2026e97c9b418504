"""DKIM signing of an organization's replies; for administrators."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from connectors.dns_resolver import SystemResolver
from data.errors import SettingsError
from data.records.core.organization import Dkim, Organization
from data.records.core.record import Record
from data.records.mail.signing_views import NewSigning, SigningView
from data.settings import Settings
from data.store.core import control
from flows.api.core.context import FOR_ADMINISTRATORS, AdminOf, HouseOf
from flows.core.noting import note_access_change
from flows.mail.leaving import signing

router = APIRouter(prefix="/v1/organizations/{slug}", tags=["administration"])


class Signing(Record):
    """How replies are signed."""

    dkim: Dkim | None = None
    """None for not at all."""


@router.get("/dkim", dependencies=[FOR_ADMINISTRATORS])
async def show_dkim(
    slug: str,
    house: HouseOf,
    look: Annotated[bool, Query(description="whether the DNS is asked")] = False,
) -> SigningView:
    """Return the key that signs, or one that was made; its record, and what the DNS says."""
    own = (await house.get_workspace(slug)).organization
    dkim = own.dkim or await asyncio.to_thread(signing.find_made_key, house.settings, own)
    return await asyncio.to_thread(_view, house.settings, own, dkim, look=look)


@router.post("/dkim", status_code=201)
async def make_dkim_key(
    slug: str, order: NewSigning, house: HouseOf, admin: AdminOf
) -> SigningView:
    """Make a key unless it is there, and return the record to publish; nothing is signed yet."""
    own = (await house.get_workspace(slug)).organization
    dkim = Dkim(
        domain=order.domain,
        selector=order.selector,
        key_file=f"{order.domain}.{order.selector}.pem",
    )
    if await asyncio.to_thread(signing.make_key, house.settings, dkim):
        await note_access_change(
            house,
            [slug],
            admin,
            action="make-signing-key",
            subject=f"organization:{slug}",
            detail=f"{order.selector} of {order.domain}",
        )
    return await asyncio.to_thread(_view, house.settings, own, dkim, look=True)


@router.put("/dkim")
async def set_dkim(slug: str, order: Signing, house: HouseOf, admin: AdminOf) -> Organization:
    """Say how an organization's replies are signed."""
    if order.dkim is not None:
        # Its key has to be usable.
        await asyncio.to_thread(signing.build_dns_record, house.settings, order.dkim)
    workspace = await house.get_workspace(slug)
    workspace.organization = await house.control.write(control.set_dkim, slug, order.dkim)
    setting_text = f"{order.dkim.selector} of {order.dkim.domain}" if order.dkim else "not at all"
    await note_access_change(
        house,
        [slug],
        admin,
        action="set-signing",
        subject=f"organization:{slug}",
        detail=setting_text,
    )
    return workspace.organization


def _view(settings: Settings, own: Organization, dkim: Dkim | None, *, look: bool) -> SigningView:
    if dkim is None:
        return SigningView(signs=None)
    try:
        name, record = signing.build_dns_record(settings, dkim)
    except SettingsError as error:  # its file is gone, or no key
        return SigningView(signs=own.dkim, dkim=dkim, sentence=f"{error}.")
    view = SigningView(
        signs=own.dkim,
        dkim=dkim,
        name=name,
        record=record,
        zone=signing.format_zone_line(name, record),
        aligned=signing.is_aligned(own, dkim),
    )
    if not look:
        return view
    published = signing.compare_published(settings, dkim, SystemResolver())
    return view.model_copy(update={"published": published.state, "sentence": published.sentence})

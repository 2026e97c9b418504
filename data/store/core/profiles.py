"""Changing an organization that is there: its profile, and the routes of its addresses."""

import hashlib
from datetime import datetime

from data.errors import ConflictError
from data.records.core.organization import Organization, Route, RouteMode
from data.store.core import control, users
from data.store.core.database import Connection
from data.store.core.statements import first


def mark(organization: Organization) -> str:
    """Return what stands for a profile as somebody has read it, 16 hexadecimal digits."""
    return hashlib.sha256(organization.model_dump_json().encode()).hexdigest()[:16]


def edit(
    cursor: Connection, organization: Organization, now: datetime, was: str = ""
) -> Organization:
    """Store another profile of an organization, and route its addresses; return what was before.

    A new address gets a route with mode `agent`, unless a route of this organization has it. The
    route of an address that is given up goes if its mode is `agent`; one that a person has set
    otherwise stays. New people become users. How replies are signed is not changed by this.

    Raises:
        NotFoundError: there is none of that slug.
        ConflictError: an address belongs to another organization, or the profile is no longer the
            one with the mark `was`.

    """
    before = control.read_organization(cursor, organization.slug)
    if was and was != mark(before):
        raise ConflictError(
            f"organization {organization.slug!r} was changed by somebody else meanwhile; "
            "read it again"
        )
    organization = organization.model_copy(update={"dkim": before.dkim})
    cursor.execute(
        "UPDATE organizations SET profile = ? WHERE slug = ?",
        [organization.model_dump_json(), organization.slug],
    )
    old, new = (
        {own_address.lower() for own_address in each.addresses} for each in (before, organization)
    )
    for address in sorted(old - new):
        cursor.execute(
            "DELETE FROM routes WHERE pattern = ? AND organization = ? AND mode = ?",
            [address, organization.slug, str(RouteMode.AGENT)],
        )
    for address in sorted(new - old):
        row = first(cursor, "SELECT organization FROM routes WHERE pattern = ?", [address])
        if row is None or row[0] != organization.slug:
            control.set_route(cursor, Route(pattern=address, organization=organization.slug))
    users.adopt_people(cursor, organization, now)
    return before

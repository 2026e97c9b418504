"""Making an organization: the first of a home with its administrator, and each after it."""

import unicodedata

from pydantic import ValidationError

from data.errors import ConflictError, UnfitError
from data.records.core.first_organization import (
    FirstOrganization,
    MadeFirst,
    MadeOrganization,
    PlainOrganization,
)
from data.records.core.organization import Organization, Person
from data.records.core.principals import Grant, NewUser, Principal
from data.store.core import audit, control
from flows.core.administration.profiling import check_organization
from flows.core.house import House
from flows.core.noting import note_access_change

LONGEST_SLUG = 40
ADMINISTRATOR = Grant(role="admin", organization=None)


async def make_first_organization(house: House, first_organization: FirstOrganization) -> MadeFirst:
    """Make the first organization and its administrator; the secret of the setup is good no more.

    Raises:
        UnfitError: a value cannot be used; the sentence says which.
        ConflictError: there is an organization already.

    """
    if not first_organization.administrator.strip():
        raise UnfitError("'administrator' is empty; name who looks after Postern")
    email = first_organization.email.strip().lower()
    if email == first_organization.address.strip().lower():
        email = ""  # mail of the organization itself is nobody's own
    person = Person(name=first_organization.administrator.strip(), email=email)
    slug = slug_of(first_organization.name, first_organization.address)
    organization = _build_profile(first_organization, slug, (person,) if email else ())
    administrator = NewUser(
        name=first_organization.administrator.strip(), email=email, grants=(ADMINISTRATOR,)
    )
    keys = control.make_keys()
    token = await house.control.write(
        control.add_first_organization, organization, keys, administrator, house.clock()
    )
    house.settings.setup_file.unlink(missing_ok=True)
    await house.publish_routes()
    workspace = await house.get_workspace(organization.slug)
    workspace.sources.mkdir(parents=True, exist_ok=True, mode=0o700)
    await workspace.db.write(
        audit.append,
        actor=administrator.name,
        action="add-organization",
        subject=f"organization:{organization.slug}",
        detail=f"{organization.name}, {organization.addresses[0]}",
        now=house.clock(),
    )
    return MadeFirst(slug=organization.slug, user=administrator.name, token=token)


async def make_another_organization(
    house: House, plain_organization: PlainOrganization, principal: Principal
) -> MadeOrganization:
    """Make an organization after the first; its short name is of its name, and not yet taken.

    Raises:
        UnfitError: a value cannot be used, or its address belongs to another organization; the
            sentence says which.

    """
    organization = _build_profile(
        plain_organization, await _find_free_slug(house, plain_organization), ()
    )
    address = organization.addresses[0]
    for route in await house.control.read(control.list_routes):
        if route.pattern == address:
            raise UnfitError(
                f"{address!r} is answered for organization {route.organization!r}; choose another"
            )
    while True:
        try:
            await house.add_organization(organization)
            break
        except ConflictError:  # somebody makes one of that name, or with that address, meanwhile
            slug = await _find_free_slug(house, plain_organization)
            if slug == organization.slug:
                raise
            organization = _build_profile(plain_organization, slug, ())
    workspace = await house.get_workspace(organization.slug)
    workspace.sources.mkdir(parents=True, exist_ok=True, mode=0o700)
    await note_access_change(
        house,
        [organization.slug],
        principal,
        action="add-organization",
        subject=f"organization:{organization.slug}",
        detail=f"{organization.name}, {address}",
    )
    return MadeOrganization(slug=organization.slug, name=organization.name)


async def _find_free_slug(house: House, plain_organization: PlainOrganization) -> str:
    """Return a short name of its name that no organization has; that of its name where all do."""
    slug = slug_of(plain_organization.name, plain_organization.address)
    taken_slugs = {
        organization.slug for organization in await house.control.read(control.list_organizations)
    }
    choices = (slug, *(f"{slug}-{count}" for count in range(2, 100)))
    return next((name for name in choices if name not in taken_slugs), slug)


def _build_profile(
    plain_organization: PlainOrganization, slug: str, people: tuple[Person, ...]
) -> Organization:
    try:
        return check_organization(
            Organization(
                slug=slug,
                name=plain_organization.name.strip(),
                addresses=(plain_organization.address.strip().lower(),),
                language=plain_organization.language,
                timezone=plain_organization.timezone,
                people=people,
            )
        )
    except ValidationError as error:
        reason = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        raise UnfitError(f"the organization cannot be made: {reason}") from error


def slug_of(name: str, address: str) -> str:
    """Return a short name for folders: of the name, else of the address's domain."""
    domain = address.rpartition("@")[2].partition(".")[0]
    return _simplify_text(name) or _simplify_text(domain) or "organization"


def _simplify_text(text: str) -> str:
    """Return the letters and digits of a text without accents, with one dash between words."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c if c.isascii() and c.isalnum() else " " for c in folded if c.isprintable()
                   and not unicodedata.combining(c))  # fmt: skip
    return "-".join(letters.split())[:LONGEST_SLUG].strip("-")

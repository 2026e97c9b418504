"""Making the first organization of a home, with its administrator."""

import unicodedata

from pydantic import ValidationError

from data.errors import UnfitError
from data.records.core.beginning import FirstOrganization, MadeFirst
from data.records.core.organization import Organization, Person
from data.records.core.principals import Grant, NewUser
from data.store.core import audit, control
from flows.core.house import House
from flows.mail.people.profiling import checked

LONGEST_SLUG = 40
ADMINISTRATOR = Grant(role="admin", organization=None)


async def make_first(house: House, first_organization: FirstOrganization) -> MadeFirst:
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
    organization = _profile(first_organization, email)
    administrator = NewUser(
        name=first_organization.administrator.strip(), email=email, grants=(ADMINISTRATOR,)
    )
    keys = control.new_keys()
    token = await house.control.write(
        control.add_first_organization, organization, keys, administrator, house.clock()
    )
    house.settings.setup_file.unlink(missing_ok=True)
    await house.publish_routes()
    workspace = await house.workspace(organization.slug)
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


def _profile(first_organization: FirstOrganization, email: str) -> Organization:
    person = Person(name=first_organization.administrator.strip(), email=email)
    try:
        return checked(
            Organization(
                slug=slug_of(first_organization.name, first_organization.address),
                name=first_organization.name.strip(),
                addresses=(first_organization.address.strip().lower(),),
                language=first_organization.language,
                timezone=first_organization.timezone,
                people=(person,) if email else (),
            )
        )
    except ValidationError as error:
        reason = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        raise UnfitError(f"the organization cannot be made: {reason}") from error


def slug_of(name: str, address: str) -> str:
    """Return a short name for folders: of the name, else of the address's domain."""
    domain = address.rpartition("@")[2].partition(".")[0]
    return _plain(name) or _plain(domain) or "organization"


def _plain(text: str) -> str:
    """Return the letters and digits of a text without accents, with one dash between words."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(c if c.isascii() and c.isalnum() else " " for c in folded if c.isprintable()
                   and not unicodedata.combining(c))  # fmt: skip
    return "-".join(letters.split())[:LONGEST_SLUG].strip("-")

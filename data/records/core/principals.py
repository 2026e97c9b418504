"""Principals (people, agents and the engine itself), and what each may do.

A person is a *user*. What a user may do is the sum of the *grants* that the user holds, each a
*role* in one organization or in all; a role is a named set of *permissions*. Everything that
decides takes a *principal*: it says in whose name something is done
(docs/operate.md#users-and-roles).
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from data.records.core.record import Line, Record


class Permission(StrEnum):
    """One kind of thing that somebody may do within the organizations of a grant."""

    SEE = "see"  #: read mail, cases, conversations, knowledge and figures
    DECIDE = (
        "decide"  #: approve, reject, assign, release, block: whatever changes what becomes of mail
    )
    TEACH = "teach"  #: accept knowledge, write saved replies and rules, correct what was understood
    MANAGE_USERS = "manage_users"  #: make, change and end users and teams
    ADMINISTER = "administer"  #: organizations, routes, tokens, backups, the kill switch


class Role(Record):
    """A named set of permissions."""

    slug: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    name: str = Field(min_length=1, max_length=100)
    permissions: tuple[Permission, ...] = Field(max_length=50)
    built_in: bool = False
    """Whether it came with Postern; such a role can be neither changed nor removed."""


class Grant(Record):
    """A role that a user holds."""

    role: Line
    """The role's slug."""
    organization: Line | None = None
    """The only organization that it counts in; None for all of them."""


class User(Record):
    """A person who works with Postern."""

    id: str
    name: str
    """As the audit log and the window show it."""
    email: str = ""
    """Where the person is written to, in lower case; empty when nobody has said."""
    grants: tuple[Grant, ...] = ()
    created_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    """Since when the user may do nothing any more; None for a user who may."""
    mark: str = ""
    """What stands for the user as somebody has read it."""


Was = Annotated[str, Field(max_length=64)]
"""Mark of what was read before it is changed; empty for any."""


_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class NewUser(Record):
    """A user to make."""

    name: _Name
    email: str = Field(default="", max_length=254)
    grants: tuple[Grant, ...] = Field(default=(), max_length=500)


class EditUser(Record):
    """What to change of a user; what is None stays."""

    name: _Name | None = None
    email: str | None = Field(default=None, max_length=254)
    grants: tuple[Grant, ...] | None = Field(default=None, max_length=500)
    was: Was = ""


class Team(Record):
    """Users of one organization who work together."""

    id: str
    organization: str
    name: str
    members: tuple[str, ...] = ()
    """Ids of users."""
    mark: str = ""
    """What stands for the team as somebody has read it."""


class NewTeam(Record):
    """A team to make, or what it is from now on."""

    name: _Name
    members: tuple[Line, ...] = Field(default=(), max_length=500)


class EditTeam(NewTeam):
    """What a team is from now on."""

    was: Was = ""


class EffectiveGrant(Record):
    """A grant with the permissions that its role has now."""

    organization: str | None = None
    """The only organization that it counts in; None for all of them."""
    permissions: frozenset[Permission]


class Principal(Record):
    """In whose name something is done, and what may be done in it."""

    kind: Literal["person", "agent", "system"]
    id: str
    name: str
    """What the audit log writes."""
    email: str = ""
    role: str = ""
    """Slug of the role of the first grant, for what is shown."""
    grants: tuple[EffectiveGrant, ...] = ()

    def may(self, permission: Permission, organization: str | None = None) -> bool:
        """Return whether the principal has a permission in an organization, or in all for None.

        What no grant gives is not permitted.
        """
        return any(
            permission in grant.permissions and grant.organization in (None, organization)
            for grant in self.grants
        )

    def may_see(self, slug: str) -> bool:
        """Return whether the principal may read what an organization has."""
        return self.may(Permission.SEE, slug)


_OPERATOR = "operator:"
"""What the id of an operator begins with; no user's does."""


def operator(login: str) -> Principal:
    """Return whoever acts by commands on the engine's own machine: they may do everything."""
    return Principal(
        kind="person",
        id=f"{_OPERATOR}{login}",
        name=f"{login} on the command line",
        role="admin",
        grants=(EffectiveGrant(permissions=frozenset(Permission)),),
    )


def operator_of(principal_id: str) -> Principal | None:
    """Return the operator of an id; None of any other. Operators are no users, and never end."""
    if not principal_id.startswith(_OPERATOR):
        return None
    return operator(principal_id.removeprefix(_OPERATOR))


def system(name: str) -> Principal:
    """Return the principal of a part of the engine, which no grant lets do what people decide."""
    return Principal(kind="system", id=f"system:{name}", name=name)

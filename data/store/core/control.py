"""The control state: organizations, their routes, and who may look."""

import base64
import hashlib
import secrets
from datetime import datetime

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.records.core.organization import Dkim, Organization, Route
from data.records.core.principals import Grant, NewUser, Principal
from data.records.core.record import Record
from data.records.core.tokens import TokenEntry
from data.store.core import users
from data.store.core.database import Connection
from data.store.core.statements import first, validate_rows

ID_LENGTH = 12
"""Letters of a token's hash that name it in lists."""


class Keys(Record):
    """Secrets of one organization."""

    webhook_secret: str
    """Signs inbound webhooks (Standard Webhooks), `whsec_…`."""
    loop_secret: str
    """Signs the X-Loop token of our own mail."""


def make_keys() -> Keys:
    """Return fresh secrets, 256 random bits each."""
    return Keys(
        webhook_secret="whsec_" + base64.b64encode(secrets.token_bytes(32)).decode(),
        loop_secret=secrets.token_hex(32),
    )


def add_organization(
    cursor: Connection, organization: Organization, keys: Keys, now: datetime
) -> None:
    """Store a new organization and a route for each of its addresses.

    Raises:
        ConflictError: the slug or an address is taken.

    """
    if first(cursor, "SELECT 1 FROM organizations WHERE slug = ?", [organization.slug]):
        raise ConflictError(
            f"organization {organization.slug!r} exists already; choose another slug"
        )
    cursor.execute(
        "INSERT INTO organizations VALUES (?, ?, ?, ?, ?)",
        [
            organization.slug,
            organization.model_dump_json(),
            keys.webhook_secret,
            keys.loop_secret,
            now,
        ],
    )
    for address in organization.addresses:
        set_route(cursor, Route(pattern=address, organization=organization.slug))
    users.adopt_people(cursor, organization, now)


def add_first_organization(
    cursor: Connection,
    organization: Organization,
    keys: Keys,
    administrator: NewUser,
    now: datetime,
) -> str:
    """Store the first organization of a home with its administrator; return a token of this user.

    Raises:
        ConflictError: there is an organization already.

    """
    if first(cursor, "SELECT 1 FROM organizations LIMIT 1"):
        raise ConflictError("there is an organization already; sign in with a link of its own")
    owner = users.add_user(cursor, administrator, now)
    add_organization(cursor, organization, keys, now)
    return add_token_of(cursor, owner.id, now)


def set_dkim(cursor: Connection, slug: str, dkim: Dkim | None) -> Organization:
    """Store how an organization signs its replies; return the organization.

    Raises:
        NotFoundError: there is none of that slug.

    """
    changed = read_organization(cursor, slug).model_copy(update={"dkim": dkim})
    cursor.execute(
        "UPDATE organizations SET profile = ? WHERE slug = ?", [changed.model_dump_json(), slug]
    )
    return changed


def set_route(cursor: Connection, route: Route) -> None:
    """Store a route, or change the mode of one that is there.

    Raises:
        ConflictError: the pattern belongs to another organization.

    """
    pattern = route.pattern.lower()
    row = first(cursor, "SELECT organization FROM routes WHERE pattern = ?", [pattern])
    if row and row[0] != route.organization:
        raise ConflictError(
            f"mail for {pattern!r} belongs to organization {row[0]!r}; remove that route first"
        )
    cursor.execute("DELETE FROM routes WHERE pattern = ?", [pattern])
    cursor.execute(
        "INSERT INTO routes (pattern, organization, mode, url, secret) VALUES (?, ?, ?, ?, ?)",
        [pattern, route.organization, str(route.mode), route.url, route.secret],
    )


def remove_route(cursor: Connection, pattern: str) -> None:
    """Forget a route: its mail is refused from then on.

    Raises:
        NotFoundError: there is no such route.

    """
    removed = cursor.execute(
        "DELETE FROM routes WHERE pattern = ? RETURNING pattern", [pattern.lower()]
    ).fetchall()
    if not removed:
        raise NotFoundError(f"there is no route {pattern!r}; `postern route list` shows all")


def list_organizations(cursor: Connection) -> list[Organization]:
    """Return all organizations by slug."""
    profile_rows = cursor.execute("SELECT profile FROM organizations ORDER BY slug").fetchall()
    return [Organization.model_validate_json(row[0]) for row in profile_rows]


def read_organization(cursor: Connection, slug: str) -> Organization:
    """Return one organization.

    Raises:
        NotFoundError: there is none of that slug.

    """
    row = first(cursor, "SELECT profile FROM organizations WHERE slug = ?", [slug])
    if not row:
        raise NotFoundError(
            f"there is no organization {slug!r}; `postern organization list` shows all"
        )
    return Organization.model_validate_json(row[0])


def read_keys(cursor: Connection, slug: str) -> Keys:
    """Return the secrets of one organization."""
    statement = "SELECT webhook_secret, loop_secret FROM organizations WHERE slug = ?"
    return validate_rows(cursor, Keys, statement, [slug])[0]


def list_routes(cursor: Connection) -> list[Route]:
    """Return all routes by pattern."""
    return validate_rows(
        cursor,
        Route,
        "SELECT pattern, organization, mode, coalesce(url, '') AS url, "
        "coalesce(secret, '') AS secret FROM routes ORDER BY pattern",
    )


def add_token(
    cursor: Connection, name: str, role: str, organization: str | None, now: datetime
) -> str:
    """Make a token of the user of that name who holds that role alone; return the token.

    The user is made where there is none. The token is shown this once: its hash is kept. 256 random
    bits need no slow hash, because there is nothing to guess.

    Raises:
        NotFoundError: there is no such role.

    """
    owner = users.find_or_make_user(cursor, name, Grant(role=role, organization=organization), now)
    return add_token_of(cursor, owner.id, now)


def add_token_of(cursor: Connection, user_id: str, now: datetime) -> str:
    """Make another token of a user; return it.

    Raises:
        NotFoundError: there is no such user.
        ConflictError: the user was ended.

    """
    if users.read_user(cursor, user_id).ended_at is not None:
        raise ConflictError(f"user {user_id!r} was ended; make a new user")
    token = "pst_" + secrets.token_urlsafe(32)
    cursor.execute("INSERT INTO tokens VALUES (?, ?, ?, NULL)", [_hash_token(token), user_id, now])
    return token


def read_token_principal(cursor: Connection, token: str) -> Principal:
    """Return in whose name a token acts, and what it may do now.

    Raises:
        ForbiddenError: it is nobody's.

    """
    owner = first(
        cursor,
        "SELECT user_id FROM tokens WHERE hash = ? AND revoked_at IS NULL",
        [_hash_token(token)],
    )
    if not owner:
        raise ForbiddenError("this token is not known; ask an administrator for a new link")
    return users.read_principal(cursor, owner[0])


def list_tokens(cursor: Connection) -> list[TokenEntry]:
    """Return every token that was ever made, by user; none of them can be told from it."""
    user_by_id = {user.id: user for user in users.list_users(cursor)}
    listed = cursor.execute(
        f"SELECT hash[:{ID_LENGTH}], user_id, created_at, revoked_at FROM tokens"
    ).fetchall()
    entries = [
        TokenEntry(
            id=token_id,
            user=user_by_id[user_id].name,
            user_id=user_id,
            role=next((grant.role for grant in user_by_id[user_id].grants), ""),
            organization=next((grant.organization for grant in user_by_id[user_id].grants), None),
            created_at=created_at,
            revoked_at=revoked_at,
        )
        for token_id, user_id, created_at, revoked_at in listed
    ]
    return sorted(entries, key=lambda entry: (entry.user, entry.created_at))


def revoke_token(cursor: Connection, token_id: str, own: str, now: datetime) -> None:
    """Take a token back, by its id; `own` is the token of who asks.

    Raises:
        NotFoundError: no token that still opens anything has this id.
        ConflictError: it is the caller's own.

    """
    if token_id == _hash_token(own)[:ID_LENGTH]:
        raise ConflictError(
            f"token {token_id!r} is the one you use yourself; have another administrator revoke it"
        )
    done = first(
        cursor,
        f"UPDATE tokens SET revoked_at = ? WHERE hash[:{ID_LENGTH}] = ? AND revoked_at IS NULL "
        "RETURNING hash",
        [now, token_id],
    )
    if done is None:
        raise NotFoundError(
            f"no token in use has the id {token_id!r}; `postern token list` shows them"
        )


def has_tokens(cursor: Connection) -> bool:
    """Whether any token was ever made."""
    return first(cursor, "SELECT 1 FROM tokens LIMIT 1") is not None


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

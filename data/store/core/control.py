"""The control state: organizations, their routes, and who may look."""

import base64
import hashlib
import secrets
from datetime import datetime

from data.errors import ConflictError, ForbiddenError, NotFoundError
from data.records.core.organization import Dkim, Organization, Route
from data.records.core.record import Record
from data.records.core.tokens import Role, TokenEntry
from data.store.core.database import Connection, first, rows

ID_LENGTH = 12
"""Letters of a token's hash that name it in lists."""


class User(Record):
    """Who a token belongs to."""

    name: str
    role: Role
    organization: str | None = None
    """The only organization it may see; None for all."""

    def may_see(self, slug: str) -> bool:
        """Whether the token opens this organization."""
        return self.organization in (None, slug)


class Keys(Record):
    """Secrets of one organization."""

    webhook_secret: str
    """Signs inbound webhooks (Standard Webhooks), `whsec_…`."""
    loop_secret: str
    """Signs the X-Loop token of our own mail."""


def new_keys() -> Keys:
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


def set_dkim(cursor: Connection, slug: str, dkim: Dkim | None) -> Organization:
    """Store how an organization signs its replies; return the organization.

    Raises:
        NotFoundError: there is none of that slug.

    """
    changed = organization(cursor, slug).model_copy(update={"dkim": dkim})
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
    taken = first(cursor, "SELECT organization FROM routes WHERE pattern = ?", [pattern])
    if taken and taken[0] != route.organization:
        raise ConflictError(
            f"mail for {pattern!r} belongs to organization {taken[0]!r}; remove that route first"
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
    found = cursor.execute(
        "DELETE FROM routes WHERE pattern = ? RETURNING pattern", [pattern.lower()]
    ).fetchall()
    if not found:
        raise NotFoundError(f"there is no route {pattern!r}; `postern route list` shows all")


def organizations(cursor: Connection) -> list[Organization]:
    """Return all organizations by slug."""
    found = cursor.execute("SELECT profile FROM organizations ORDER BY slug").fetchall()
    return [Organization.model_validate_json(row[0]) for row in found]


def organization(cursor: Connection, slug: str) -> Organization:
    """Return one organization.

    Raises:
        NotFoundError: there is none of that slug.

    """
    found = first(cursor, "SELECT profile FROM organizations WHERE slug = ?", [slug])
    if not found:
        raise NotFoundError(
            f"there is no organization {slug!r}; `postern organization list` shows all"
        )
    return Organization.model_validate_json(found[0])


def keys(cursor: Connection, slug: str) -> Keys:
    """Return the secrets of one organization."""
    found = rows(
        cursor, "SELECT webhook_secret, loop_secret FROM organizations WHERE slug = ?", [slug]
    )
    return Keys.model_validate(found[0])


def routes(cursor: Connection) -> list[Route]:
    """Return all routes by pattern."""
    found = rows(
        cursor,
        "SELECT pattern, organization, mode, coalesce(url, '') AS url, "
        "coalesce(secret, '') AS secret FROM routes ORDER BY pattern",
    )
    return [Route.model_validate(row) for row in found]


def add_token(
    cursor: Connection, name: str, role: Role, organization: str | None, now: datetime
) -> str:
    """Make a token and store its hash; return the token, which is shown this once.

    256 random bits need no slow hash: there is nothing to guess.
    """
    token = "pst_" + secrets.token_urlsafe(32)
    cursor.execute(
        "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, NULL)",
        [_hash(token), name, role, organization, now],
    )
    return token


def user_of(cursor: Connection, token: str) -> User:
    """Return whose token this is.

    Raises:
        ForbiddenError: nobody's.

    """
    found = first(
        cursor,
        "SELECT user_name, role, organization FROM tokens WHERE hash = ? AND revoked_at IS NULL",
        [_hash(token)],
    )
    if not found:
        raise ForbiddenError("this token is not known; ask an administrator for a new link")
    return User(name=found[0], role=found[1], organization=found[2])


def tokens(cursor: Connection) -> list[TokenEntry]:
    """Return every token that was ever made, by user; none of them can be told from it."""
    found = rows(
        cursor,
        f'SELECT hash[:{ID_LENGTH}] AS id, user_name AS "user", role, organization, created_at, '
        "revoked_at FROM tokens ORDER BY user_name, created_at",
    )
    return [TokenEntry.model_validate(row) for row in found]


def revoke_token(cursor: Connection, token_id: str, own: str, now: datetime) -> None:
    """Take a token back, by its id; `own` is the token of who asks.

    Raises:
        NotFoundError: no token that still opens anything has this id.
        ConflictError: it is the caller's own.

    """
    if token_id == _hash(own)[:ID_LENGTH]:
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


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

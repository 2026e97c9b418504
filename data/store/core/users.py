"""Users, their grants and roles, in the control state."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.core.organization import Organization
from data.records.core.principals import (
    EditUser,
    EffectiveGrant,
    Grant,
    NewUser,
    Permission,
    Principal,
    Role,
    User,
)
from data.store.core.database import Connection
from data.store.core.statements import columns, first, match_among, records

REVIEWER = "reviewer"


class _UserRow(NamedTuple):
    """One user, without what the user may do."""

    id: str
    name: str
    email: str
    created_at: datetime
    ended_at: datetime | None


class _GrantRow(NamedTuple):
    """A role that a user has, everywhere or in one organization."""

    user_id: str
    role: str
    organization: str | None


def list_roles(cursor: Connection) -> list[Role]:
    """Return every role, those that came with Postern first."""
    statement = "SELECT slug, name, permissions, built_in FROM roles ORDER BY built_in DESC, slug"
    return [
        Role(slug=slug, name=name, permissions=permissions, built_in=built_in)
        for slug, name, permissions, built_in in cursor.execute(statement).fetchall()
    ]


def set_role(cursor: Connection, role: Role) -> Role:
    """Make a role, or change one that was made here; it counts from the next call on.

    Raises:
        ConflictError: it came with Postern, or nobody could administer any more.

    """
    _must_be_own(cursor, role.slug)
    permissions = sorted({str(permission) for permission in role.permissions})
    row = [role.slug, role.name, permissions]
    with _keeping_an_administrator(cursor):
        cursor.execute("DELETE FROM roles WHERE slug = ?", [role.slug])
        cursor.execute("INSERT INTO roles VALUES (?, ?, ?, false)", row)
    return role.model_copy(update={"built_in": False})


def remove_role(cursor: Connection, slug: str) -> None:
    """Remove a role that nobody holds.

    Raises:
        NotFoundError: there is no such role.
        ConflictError: it came with Postern, or somebody holds it.

    """
    _must_be_own(cursor, slug)
    holder = first(
        cursor,
        "SELECT u.name FROM grants g JOIN users u ON u.id = g.user_id WHERE g.role = ?",
        [slug],
    )
    if holder:
        raise ConflictError(f"{holder[0]!r} holds the role {slug!r}; give another one first")
    if not cursor.execute("DELETE FROM roles WHERE slug = ? RETURNING slug", [slug]).fetchall():
        raise NotFoundError(f"there is no role {slug!r}; `postern role list` shows all")


def _must_be_own(cursor: Connection, slug: str) -> None:
    """Refuse to change a role that came with Postern.

    Raises:
        ConflictError: it did.

    """
    if first(cursor, "SELECT 1 FROM roles WHERE slug = ? AND built_in", [slug]):
        raise ConflictError(f"the role {slug!r} came with Postern; make one of another name")


def list_users(cursor: Connection) -> list[User]:
    """Return every user that there ever was, by name."""
    return _read_users(cursor, " ORDER BY lower(name), id", [])


def read_user(cursor: Connection, user_id: str) -> User:
    """Return one user.

    Raises:
        NotFoundError: there is none of that id.

    """
    users_found = _read_users(cursor, " WHERE id = ?", [user_id])
    if not users_found:
        raise NotFoundError(f"there is no user {user_id!r}; `postern user list` shows all")
    return users_found[0]


def add_user(cursor: Connection, new_user: NewUser, now: datetime) -> User:
    """Make a user.

    Raises:
        NotFoundError: a role is not there.
        ConflictError: another user has the address.

    """
    user_id = f"user-{new_id(now)}"
    email = new_user.email.strip().lower()
    _must_be_free(cursor, email, user_id)
    cursor.execute(
        "INSERT INTO users VALUES (?, ?, ?, ?, NULL)", [user_id, new_user.name.strip(), email, now]
    )
    _set_grants(cursor, user_id, new_user.grants)
    return read_user(cursor, user_id)


def edit_user(cursor: Connection, user_id: str, edit: EditUser) -> User:
    """Change a user; what may be done with the user's tokens changes from the next call on.

    Raises:
        NotFoundError: the user or a role is not there.
        ConflictError: another user has the address, nobody could administer any more, or the user
            is no longer as the order says that it was read.

    """
    before = read_user(cursor, user_id)
    if edit.was and edit.was != before.mark:
        raise ConflictError(
            f"the user {before.name!r} was changed by somebody else meanwhile; read it again"
        )
    email = before.email if edit.email is None else edit.email.strip().lower()
    _must_be_free(cursor, email, user_id)
    name = before.name if edit.name is None else edit.name.strip()
    cursor.execute("UPDATE users SET name = ?, email = ? WHERE id = ?", [name, email, user_id])
    if edit.grants is not None:
        with _keeping_an_administrator(cursor):
            _set_grants(cursor, user_id, edit.grants)
    return read_user(cursor, user_id)


def end_user(cursor: Connection, user_id: str, now: datetime) -> User:
    """Take from a user everything: grants, teams and tokens; what the user did stays on record.

    Raises:
        NotFoundError: there is no such user.
        ConflictError: nobody could administer any more.

    """
    read_user(cursor, user_id)
    with _keeping_an_administrator(cursor):
        cursor.execute(
            "UPDATE users SET ended_at = coalesce(ended_at, ?) WHERE id = ?", [now, user_id]
        )
        cursor.execute("DELETE FROM grants WHERE user_id = ?", [user_id])
        cursor.execute("DELETE FROM team_members WHERE user_id = ?", [user_id])
        cursor.execute(
            "UPDATE tokens SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL",
            [now, user_id],
        )
    return read_user(cursor, user_id)


def find_or_make_user(cursor: Connection, name: str, grant: Grant, now: datetime) -> User:
    """Return the user of that name who holds exactly that grant; one is made where there is none.

    A user who may do something else is another one: nobody may do more because of a namesake.
    """
    key = name.strip().casefold()
    for candidate in list_users(cursor):
        if (
            candidate.ended_at is None
            and candidate.name.casefold() == key
            and candidate.grants == (grant,)
        ):
            return candidate
    return add_user(cursor, NewUser(name=name.strip(), grants=(grant,)), now)


def adopt_people(cursor: Connection, organization: Organization, now: datetime) -> None:
    """Make users of an organization's people; who is one already, by the address, stays as is.

    A user of that name without an address, who may work in this organization alone, gets it.
    """
    for person in organization.people:
        email = person.email.strip().lower()
        if first(cursor, "SELECT 1 FROM users WHERE email = ?", [email]):
            continue
        grant = Grant(role=REVIEWER, organization=organization.slug)
        namesake = find_or_make_user(cursor, person.name or email, grant, now)
        if namesake.email:
            add_user(cursor, NewUser(name=person.name, email=email, grants=(grant,)), now)
        else:
            cursor.execute("UPDATE users SET email = ? WHERE id = ?", [email, namesake.id])


def read_principal(cursor: Connection, user_id: str) -> Principal:
    """Return a user as one who acts, with what the user's roles permit now.

    Every call to the API asks for this, so it is one statement besides the one that finds the user.

    Raises:
        NotFoundError: there is no such user.

    """
    rows = cursor.execute(
        "SELECT u.name, u.email, g.role, g.organization, r.permissions FROM users u "
        "LEFT JOIN grants g ON g.user_id = u.id AND u.ended_at IS NULL "
        "LEFT JOIN roles r ON r.slug = g.role WHERE u.id = ? "
        "ORDER BY g.organization NULLS FIRST, g.role",
        [user_id],
    ).fetchall()
    if not rows:
        raise NotFoundError(f"there is no user {user_id!r}; `postern user list` shows all")
    name, email, role, *_ = rows[0]
    return Principal(
        kind="person",
        id=user_id,
        name=name,
        email=email,
        role=role or "",
        grants=tuple(
            EffectiveGrant(organization=organization, permissions=frozenset(permissions))
            for *_, organization, permissions in rows
            if permissions is not None
        ),
    )


def _read_users(cursor: Connection, rest: str, parameters: Sequence[object]) -> list[User]:
    """Return users with their grants, which every call of the API asks for.

    In two statements: to plan one in which the grants are looked up for each user takes three times
    as long as both.
    """
    user_rows = records(
        cursor, _UserRow, f"SELECT {columns(_UserRow)} FROM users{rest}", parameters
    )
    if not user_rows:
        return []
    condition, ids = match_among("user_id", [row.id for row in user_rows])
    grants_by_user = defaultdict[str, list[Grant]](list)
    for row in records(
        cursor,
        _GrantRow,
        f"SELECT {columns(_GrantRow)} FROM grants WHERE {condition} "
        "ORDER BY organization NULLS FIRST, role",
        [ids],
    ):
        grants_by_user[row.user_id].append(Grant(role=row.role, organization=row.organization))
    return [_build_user(row, grants_by_user[row.id]) for row in user_rows]


def _build_user(row: _UserRow, grants: Sequence[Grant]) -> User:
    held = (f"{grant.role}@{grant.organization}" for grant in grants)
    return User(
        **row._asdict(), grants=tuple(grants), mark=compute_mark(row.name, row.email, *held)
    )


def compute_mark(*texts: str) -> str:
    """Return what stands for somebody or something as it was read, 16 hexadecimal digits."""
    return sha256("\0".join(texts).encode()).hexdigest()[:16]


def _set_grants(cursor: Connection, user_id: str, grants: Iterable[Grant]) -> None:
    cursor.execute("DELETE FROM grants WHERE user_id = ?", [user_id])
    for grant in dict.fromkeys(grants):
        if not first(cursor, "SELECT 1 FROM roles WHERE slug = ?", [grant.role]):
            raise NotFoundError(f"there is no role {grant.role!r}; `postern role list` shows all")
        cursor.execute(
            "INSERT INTO grants VALUES (?, ?, ?)", [user_id, grant.role, grant.organization]
        )
    # Who sees an organization no longer is in none of its teams, and not again by coming back.
    cursor.execute(
        "DELETE FROM team_members WHERE user_id = ? AND team_id IN (SELECT t.id FROM teams t "
        "WHERE NOT EXISTS (SELECT 1 FROM grants g WHERE g.user_id = ? "
        "AND (g.organization IS NULL OR g.organization = t.organization)))",
        [user_id, user_id],
    )


def _must_be_free(cursor: Connection, email: str, user_id: str) -> None:
    """Refuse an address that somebody has who works here; who was ended has none of their own.

    Raises:
        ConflictError: somebody has it.

    """
    if not email:
        return
    row = first(
        cursor,
        "SELECT name FROM users WHERE email = ? AND id <> ? AND ended_at IS NULL",
        [email, user_id],
    )
    if row:
        raise ConflictError(f"{email!r} is the address of the user {row[0]!r} already")


@contextmanager
def _keeping_an_administrator(cursor: Connection) -> Iterator[None]:
    """Refuse what takes away the last one who may administer.

    Raises:
        ConflictError: nobody could administer any more; the transaction is to end without effect.

    """
    before = _count_administrators(cursor)
    yield
    if before and not _count_administrators(cursor):
        raise ConflictError("nobody could administer any more; give somebody else the role first")


def _count_administrators(cursor: Connection) -> int:
    counted = first(
        cursor,
        "SELECT count(*) FROM grants g JOIN roles r ON r.slug = g.role "
        "JOIN users u ON u.id = g.user_id "
        "WHERE g.organization IS NULL AND u.ended_at IS NULL AND list_contains(r.permissions, ?)",
        [str(Permission.ADMINISTER)],
    )
    return int(counted[0]) if counted else 0

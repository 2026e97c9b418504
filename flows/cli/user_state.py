"""Users, roles and teams: through the engine when it runs, else in the control state."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from data.errors import ConflictError, NotFoundError
from data.records.core.principals import EditUser, Grant, NewTeam, NewUser, Role, Team, User
from data.records.core.record import Record
from data.settings import Settings
from data.store.core import control, users
from data.store.core.database import Connection, Database
from flows.operating.engine_api import Engine

Answer = TypeVar("Answer")
Kind = TypeVar("Kind", bound=Record)


def known_users(settings: Settings) -> list[User]:
    """Return every user, by name."""
    return _listed(settings, "/v1/users", User, users.users)


def known_roles(settings: Settings) -> list[Role]:
    """Return every role."""
    return _listed(settings, "/v1/roles", Role, users.roles)


def known_teams(settings: Settings, slug: str) -> list[Team]:
    """Return the teams of an organization."""
    return _listed(settings, f"/v1/{slug}/teams", Team, lambda cursor: users.teams(cursor, slug))


def user_named(settings: Settings, words: str) -> User:
    """Return the user with that id, address or name.

    Raises:
        NotFoundError: there is none.
        ConflictError: several have that name.

    """
    key = words.strip().casefold()
    everybody = known_users(settings)
    named = [user for user in everybody if key in (user.id, user.email)] or [
        user for user in everybody if user.name.casefold() == key and user.ended_at is None
    ]
    if not named:
        raise NotFoundError(f"there is no user {words!r}; `postern user list` shows all")
    if len(named) > 1:
        ids = ", ".join(user.id for user in named)
        raise ConflictError(f"{len(named)} users are called {words!r}; name one by its id: {ids}")
    return named[0]


def team_named(settings: Settings, slug: str, words: str) -> Team:
    """Return the team of an organization with that id or name.

    Raises:
        NotFoundError: it has none.

    """
    key = words.strip().casefold()
    for team in known_teams(settings, slug):
        if key in (team.id, team.name.casefold()):
            return team
    raise NotFoundError(f"there is no team {words!r}; `postern team list` shows all")


def add_user(settings: Settings, wanted: NewUser) -> User:
    """Make a user."""
    return _done(
        settings,
        lambda engine: User.model_validate(engine.post("/v1/users", _json(wanted))),
        lambda cursor: users.add_user(_checked(cursor, wanted.grants), wanted, _now()),
    )


def edit_user(settings: Settings, user_id: str, wanted: EditUser) -> User:
    """Change a user."""
    return _done(
        settings,
        lambda engine: User.model_validate(engine.put(f"/v1/users/{user_id}", _json(wanted))),
        lambda cursor: users.edit_user(_checked(cursor, wanted.grants or ()), user_id, wanted),
    )


def end_user(settings: Settings, user_id: str) -> None:
    """End a user."""
    _done(
        settings,
        lambda engine: engine.delete(f"/v1/users/{user_id}"),
        lambda cursor: users.end_user(cursor, user_id, _now()),
    )


def set_role(settings: Settings, role: Role) -> None:
    """Make a role, or change one."""
    _done(
        settings,
        lambda engine: engine.put(f"/v1/roles/{role.slug}", _json(role)),
        lambda cursor: users.set_role(cursor, role),
    )


def remove_role(settings: Settings, slug: str) -> None:
    """Remove a role that nobody holds."""
    _done(
        settings,
        lambda engine: engine.delete(f"/v1/roles/{slug}"),
        lambda cursor: users.remove_role(cursor, slug),
    )


def add_team(settings: Settings, slug: str, wanted: NewTeam) -> Team:
    """Make a team."""
    return _done(
        settings,
        lambda engine: Team.model_validate(engine.post(f"/v1/{slug}/teams", _json(wanted))),
        lambda cursor: users.add_team(cursor, slug, wanted, _now()),
    )


def set_team(settings: Settings, slug: str, team_id: str, wanted: NewTeam) -> None:
    """Give a team another name and other members."""
    _done(
        settings,
        lambda engine: engine.put(f"/v1/{slug}/teams/{team_id}", _json(wanted)),
        lambda cursor: users.set_team(cursor, slug, team_id, wanted),
    )


def remove_team(settings: Settings, slug: str, team_id: str) -> None:
    """Remove a team."""
    _done(
        settings,
        lambda engine: engine.delete(f"/v1/{slug}/teams/{team_id}"),
        lambda cursor: users.remove_team(cursor, slug, team_id),
    )


def _listed(
    settings: Settings, path: str, kind: type[Kind], read: Callable[[Connection], list[Kind]]
) -> list[Kind]:
    return _done(
        settings,
        lambda engine: [kind.model_validate(item) for item in engine.get(path)],
        read,
    )


def _done(
    settings: Settings, ask: Callable[[Engine], Answer], work: Callable[[Connection], Answer]
) -> Answer:
    """Ask the engine, or work on the control state of an engine that does not run."""
    engine = Engine.find(settings)
    if engine is not None:
        return ask(engine)
    return asyncio.run(_written(settings, work))


async def _written(settings: Settings, work: Callable[[Connection], Answer]) -> Answer:
    database = Database(settings.home / "control.duckdb", "control")
    try:
        return await database.write(work)
    finally:
        database.close()


def _checked(cursor: Connection, grants: Sequence[Grant]) -> Connection:
    """Return the transaction once every organization of the grants was seen to be there."""
    for grant in grants:
        if grant.organization is not None:
            control.organization(cursor, grant.organization)
    return cursor


def _json(wanted: Record) -> object:
    return wanted.model_dump(mode="json")


def _now() -> datetime:
    return datetime.now(UTC)

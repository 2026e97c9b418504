"""Users and teams by the words that a person types for them."""

from data.errors import ConflictError, NotFoundError
from data.records.core.principals import Team, User
from flows.operating.engine_api import Engine


def known_users(engine: Engine) -> list[User]:
    """Return every user, by name."""
    return [User.model_validate(item) for item in engine.get("/v1/users")]


def known_teams(engine: Engine, slug: str) -> list[Team]:
    """Return the teams of an organization."""
    return [Team.model_validate(item) for item in engine.get(f"/v1/{slug}/teams")]


def user_named(engine: Engine, words: str) -> User:
    """Return the user with that id, address or name.

    Raises:
        NotFoundError: there is none.
        ConflictError: several have that name.

    """
    key = words.strip().casefold()
    everybody = known_users(engine)
    working = [user for user in everybody if user.ended_at is None]
    users_named = (
        [user for user in working if key in (user.id, user.email)]
        or [user for user in everybody if key in (user.id, user.email)]
        or [user for user in working if user.name.casefold() == key]
    )
    if not users_named:
        raise NotFoundError(f"there is no user {words!r}; `postern user list` shows all")
    if len(users_named) > 1:
        ids = ", ".join(user.id for user in users_named)
        raise ConflictError(
            f"{len(users_named)} users are called {words!r}; name one by its id: {ids}"
        )
    return users_named[0]


def team_named(engine: Engine, slug: str, words: str) -> Team:
    """Return the team of an organization with that id or name.

    Raises:
        NotFoundError: it has none.

    """
    key = words.strip().casefold()
    for team in known_teams(engine, slug):
        if key in (team.id, team.name.casefold()):
            return team
    raise NotFoundError(f"there is no team {words!r}; `postern team list` shows all")

"""Teams of an organization and who is in them, in the control state."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from data.errors import ConflictError, NotFoundError
from data.ids import new_id
from data.records.core.principals import EditTeam, NewTeam, Team
from data.store.core.database import Connection
from data.store.core.statements import columns, first, match_among, records
from data.store.core.users import compute_mark, read_principal


class _TeamRow(NamedTuple):
    """One team, without its members."""

    id: str
    organization: str
    name: str


class _MemberRow(NamedTuple):
    """Who is in a team."""

    team_id: str
    user_id: str


def list_teams(cursor: Connection, organization: str) -> list[Team]:
    """Return the teams of an organization by name."""
    return _read_teams(cursor, " WHERE organization = ? ORDER BY lower(name)", [organization])


def list_teams_of(cursor: Connection, organization: str, user_id: str) -> frozenset[str]:
    """Return the ids of the teams of an organization that a user is in."""
    statement = (
        "SELECT t.id FROM teams t JOIN team_members m ON m.team_id = t.id "
        "WHERE t.organization = ? AND m.user_id = ?"
    )
    return frozenset(
        team_id for (team_id,) in cursor.execute(statement, [organization, user_id]).fetchall()
    )


def add_team(cursor: Connection, organization: str, new_team: NewTeam, now: datetime) -> Team:
    """Make a team.

    Raises:
        ConflictError: the organization has one of that name.
        NotFoundError: a member is no user who may see the organization.

    """
    team_id = f"team-{new_id(now)}"
    _must_be_new_name(cursor, organization, new_team.name, team_id)
    cursor.execute(
        "INSERT INTO teams VALUES (?, ?, ?, ?)", [team_id, organization, new_team.name.strip(), now]
    )
    _set_members(cursor, team_id, organization, new_team.members)
    return read_team(cursor, organization, team_id)


def set_team(cursor: Connection, organization: str, team_id: str, edit: EditTeam) -> Team:
    """Give a team another name and other members.

    Raises:
        NotFoundError: there is no such team, or a member is no user who may see the organization.
        ConflictError: the organization has another team of that name, or the team is no longer as
            the order says that it was read.

    """
    before = read_team(cursor, organization, team_id)
    if edit.was and edit.was != before.mark:
        raise ConflictError(
            f"the team {before.name!r} was changed by somebody else meanwhile; read it again"
        )
    _must_be_new_name(cursor, organization, edit.name, team_id)
    cursor.execute("UPDATE teams SET name = ? WHERE id = ?", [edit.name.strip(), team_id])
    _set_members(cursor, team_id, organization, edit.members)
    return read_team(cursor, organization, team_id)


def remove_team(cursor: Connection, organization: str, team_id: str) -> None:
    """Remove a team; its members stay users.

    Raises:
        NotFoundError: there is no such team.

    """
    read_team(cursor, organization, team_id)
    cursor.execute("DELETE FROM team_members WHERE team_id = ?", [team_id])
    cursor.execute("DELETE FROM teams WHERE id = ?", [team_id])


def read_team(cursor: Connection, organization: str, team_id: str) -> Team:
    """Return one team of an organization.

    Raises:
        NotFoundError: it has none of that id.

    """
    teams_found = _read_teams(cursor, " WHERE organization = ? AND id = ?", [organization, team_id])
    if not teams_found:
        raise NotFoundError(f"there is no team {team_id!r}; `postern team list` shows all")
    return teams_found[0]


def _read_teams(cursor: Connection, rest: str, parameters: Sequence[object]) -> list[Team]:
    """Return teams with their members; in two statements, as users with their grants."""
    team_rows = records(
        cursor, _TeamRow, f"SELECT {columns(_TeamRow)} FROM teams{rest}", parameters
    )
    if not team_rows:
        return []
    condition, ids = match_among("team_id", [row.id for row in team_rows])
    members_by_team = defaultdict[str, list[str]](list)
    for row in records(
        cursor,
        _MemberRow,
        f"SELECT {columns(_MemberRow)} FROM team_members WHERE {condition} ORDER BY user_id",
        [ids],
    ):
        members_by_team[row.team_id].append(row.user_id)
    return [
        Team(
            **row._asdict(),
            members=tuple(members_by_team[row.id]),
            mark=compute_mark(row.name, *members_by_team[row.id]),
        )
        for row in team_rows
    ]


def _set_members(
    cursor: Connection, team_id: str, organization: str, members: Iterable[str]
) -> None:
    cursor.execute("DELETE FROM team_members WHERE team_id = ?", [team_id])
    for member in dict.fromkeys(members):
        if not read_principal(cursor, member).may_see(organization):
            raise NotFoundError(f"user {member!r} may not see organization {organization!r}")
        cursor.execute("INSERT INTO team_members VALUES (?, ?)", [team_id, member])


def _must_be_new_name(cursor: Connection, organization: str, name: str, team_id: str) -> None:
    if first(
        cursor,
        "SELECT 1 FROM teams WHERE organization = ? AND lower(name) = ? AND id <> ?",
        [organization, name.strip().lower(), team_id],
    ):
        raise ConflictError(f"there is a team {name.strip()!r} already")

"""Installed agents and their versions."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from data.records.agents.agents import Agent, AgentFigures, AgentVersion, Assignment, Restrictions
from data.states import AgentState, sources_of
from data.store.core.database import Connection
from data.store.core.statements import columns, insert, records, validate_one, validate_rows


class _AssignmentRow(NamedTuple):
    """To whom an agent is available, and what is taken away with it."""

    kind: str
    subject: str
    without: list[str]
    trust: str | None
    most_calls: int | None
    budget: float | None

    @property
    def assignment(self) -> Assignment:
        """The assignment as it is worked with."""
        restrictions = {name: getattr(self, name) for name in Restrictions.model_fields}
        fields = {"kind": self.kind, "subject": self.subject, "restrictions": restrictions}
        return Assignment.model_validate(fields)


_COLUMNS = ", ".join(Agent.model_fields)
_ASSIGNED = columns(_AssignmentRow)
_OWN_TURN = "agent = ? AND agent_version >= (SELECT since FROM agents WHERE slug = turns.agent)"
"""Whether a turn is an agent's own, and none of one that had its slug before; takes the slug."""
_REACHING = """(
    kind = 'organization' OR (kind = 'user' AND subject = ?)
    OR (kind = 'team' AND subject IN (SELECT unnest(?::VARCHAR[])))
)"""
"""Whether an assignment reaches a user; takes the user and the ids of the user's teams."""


def list_agents(cursor: Connection) -> list[Agent]:
    """Return every agent of the organization, by name."""
    return [ever for ever in list_ever_installed(cursor) if ever.state is not AgentState.DELETED]


def list_ever_installed(cursor: Connection) -> list[Agent]:
    """Return every agent that the organization has or has had, by name."""
    return validate_rows(cursor, Agent, f"SELECT {_COLUMNS} FROM agents ORDER BY name, slug")


def list_available(cursor: Connection, user: str, teams: Collection[str]) -> list[Agent]:
    """Return the agents that are assigned to a user, one of the user's teams, or everybody.

    One that is tested is there for its owner alone, whoever it is assigned to.
    """
    reached = cursor.execute(
        f"SELECT DISTINCT agent FROM agent_assignments WHERE {_REACHING}", [user, list(teams)]
    ).fetchall()
    slugs = {slug for (slug,) in reached}
    return [
        one
        for one in list_agents(cursor)
        if (one.owner == user if one.state is AgentState.TESTING else one.slug in slugs)
    ]


def read_restrictions(
    cursor: Connection, slug: str, user: str, teams: Collection[str]
) -> Restrictions:
    """Return what all assignments of an agent that reach a user take away, taken together."""
    listed = records(
        cursor,
        _AssignmentRow,
        f"SELECT {_ASSIGNED} FROM agent_assignments WHERE {_REACHING} AND agent = ?",
        [user, list(teams), slug],
    )
    restrictions = Restrictions()
    for row in listed:
        restrictions = restrictions.and_also(row.assignment.restrictions)
    return restrictions


def list_assignments(cursor: Connection, slug: str) -> tuple[Assignment, ...]:
    """Return to whom an agent is available."""
    listed = records(
        cursor,
        _AssignmentRow,
        f"SELECT {_ASSIGNED} FROM agent_assignments WHERE agent = ? ORDER BY kind, subject",
        [slug],
    )
    return tuple(row.assignment for row in listed)


class AssignmentChange(NamedTuple):
    """To whom an agent was available before it was assigned anew, and to whom it is since."""

    before: tuple[Assignment, ...]
    after: tuple[Assignment, ...]


def set_assignments(
    cursor: Connection, slug: str, assigned: Sequence[Assignment]
) -> AssignmentChange:
    """Make an agent available to these, and to nobody else; another list than before is counted."""
    before = list_assignments(cursor, slug)
    cursor.execute("DELETE FROM agent_assignments WHERE agent = ?", [slug])
    assigned_rows = [
        {
            "agent": slug,
            "kind": assignment.kind,
            "subject": assignment.subject,
            **assignment.restrictions.model_dump(),
        }
        for assignment in assigned
    ]
    insert(cursor, "agent_assignments", assigned_rows)
    after = list_assignments(cursor, slug)
    if after != before:
        statement = "UPDATE agents SET assigned_version = assigned_version + 1 WHERE slug = ?"
        cursor.execute(statement, [slug])
    return AssignmentChange(before, after)


def count_figures(cursor: Connection, slug: str) -> AgentFigures:
    """Return how much an agent has worked, without what one before it of its slug has."""
    (of_turns,) = validate_rows(
        cursor,
        AgentFigures,
        "SELECT count(*) AS turns, count(*) FILTER (WHERE state = 'failed') AS failed, "
        f"max(started_at) AS last_at FROM turns WHERE {_OWN_TURN}",
        [slug],
    )
    calls = cursor.execute(
        "SELECT m.name, count(*) FROM turn_moves m JOIN "
        f"(SELECT id FROM turns WHERE {_OWN_TURN}) t ON t.id = m.turn_id "
        "WHERE m.kind = 'act' GROUP BY 1",
        [slug],
    ).fetchall()
    return of_turns.model_copy(update={"calls": {name: int(count) for name, count in calls}})


class AgentPeriodFigures(NamedTuple):
    """What an agent did in a period."""

    turns: int
    calls: int
    """Requests to models."""
    tokens: int
    cost: float
    """In US dollars."""


def count_by_period(
    cursor: Connection, slug: str, begins: Sequence[datetime]
) -> list[AgentPeriodFigures]:
    """Return what an agent did since each of these times until the next of them, or until now.

    What one did that had its slug before does not count; `begins` are in order.
    """
    values = [list(begins), slug, begins[0]]
    place = "len(list_filter(?::TIMESTAMPTZ[], lambda one: one <= started_at))"
    asked = cursor.execute(
        f"SELECT {place}, count(*), sum(tokens_in + tokens_out), sum(cost) FROM model_calls "
        f"WHERE turn IN (SELECT id FROM turns WHERE {_OWN_TURN}) AND started_at >= ? GROUP BY 1",
        values,
    ).fetchall()
    begun = cursor.execute(
        f"SELECT {place}, count(*) FROM turns WHERE {_OWN_TURN} AND started_at >= ? GROUP BY 1",
        values,
    ).fetchall()
    turns = {int(at): int(count) for at, count in begun}
    used = {int(at): (int(count), int(tokens), float(cost)) for at, count, tokens, cost in asked}
    return [
        AgentPeriodFigures(turns.get(at, 0), *used.get(at, (0, 0, 0.0)))
        for at in range(1, len(begins) + 1)
    ]


def read_agent(cursor: Connection, slug: str) -> Agent:
    """Return one agent.

    Raises:
        NotFoundError: the organization has none of that slug.

    """
    missing = f"there is no agent {slug!r}; `postern agent list` names those here"
    statement = f"SELECT {_COLUMNS} FROM agents WHERE slug = ?"
    return validate_one(cursor, Agent, statement, [slug], missing)


def install(
    cursor: Connection, installed_agent: Agent, manifest: str, note: str, now: datetime
) -> None:
    """Write an agent, in the place of the one with its slug, and this version of it."""
    cursor.execute("DELETE FROM agents WHERE slug = ?", [installed_agent.slug])
    insert(cursor, "agents", [installed_agent.model_dump()])
    insert(
        cursor,
        "agent_versions",
        [
            {
                "agent": installed_agent.slug,
                "version": installed_agent.version,
                "manifest": manifest,
                "author": installed_agent.installed_by,
                "note": note,
                "made_at": now,
            }
        ],
    )


def list_versions(cursor: Connection, slug: str) -> list[AgentVersion]:
    """Return every configuration of an agent, the newest first."""
    return validate_rows(
        cursor,
        AgentVersion,
        "SELECT version, manifest, author, note, made_at FROM agent_versions WHERE agent = ? "
        "ORDER BY version DESC",
        [slug],
    )


def set_state(cursor: Connection, slug: str, state: AgentState) -> bool:
    """Let an agent work, or pause it; return whether that changed anything."""
    sources = list(sources_of(state))
    changed = cursor.execute(
        "UPDATE agents SET state = ? "
        "WHERE slug = ? AND list_contains(?::VARCHAR[], state) RETURNING slug",
        [state, slug, sources],
    )
    return bool(changed.fetchall())

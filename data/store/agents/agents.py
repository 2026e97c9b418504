"""Installed agents and their versions."""

from datetime import datetime

from data.records.agents.agents import Agent, AgentVersion
from data.states import AgentState, sources_of
from data.store.core.database import Connection, insert, only, rows

_COLUMNS = ", ".join(Agent.model_fields)


def installed(cursor: Connection) -> list[Agent]:
    """Return every agent of the organization, by name."""
    listed = rows(cursor, f"SELECT {_COLUMNS} FROM agents ORDER BY name, slug")
    return [Agent.model_validate(row) for row in listed]


def agent(cursor: Connection, slug: str) -> Agent:
    """Return one agent.

    Raises:
        NotFoundError: the organization has none of that slug.

    """
    missing = f"there is no agent {slug!r}; `postern agent list` names those here"
    statement = f"SELECT {_COLUMNS} FROM agents WHERE slug = ?"
    return Agent.model_validate(only(cursor, statement, slug, missing))


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


def versions(cursor: Connection, slug: str) -> list[AgentVersion]:
    """Return every configuration of an agent, the newest first."""
    listed = rows(
        cursor,
        "SELECT version, manifest, author, note, made_at FROM agent_versions WHERE agent = ? "
        "ORDER BY version DESC",
        [slug],
    )
    return [AgentVersion.model_validate(row) for row in listed]


def set_state(cursor: Connection, slug: str, state: AgentState) -> bool:
    """Let an agent work, or pause it; return whether that changed anything."""
    sources = list(sources_of(state))
    changed = cursor.execute(
        "UPDATE agents SET state = ? WHERE slug = ? AND state IN (SELECT unnest(?)) RETURNING slug",
        [state, slug, sources],
    )
    return bool(changed.fetchall())

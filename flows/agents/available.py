"""The agents that somebody may ask, or manage, and their configurations as they are read."""

from data.errors import NotFoundError
from data.manifest import Manifest
from data.portable import read_portable
from data.records.agents.agents import (
    Agent,
    AgentVersion,
)
from data.records.agents.chats import Viewer
from data.records.core.principals import Permission, Principal
from data.states import AgentState
from data.store.agents import agents
from data.store.core import teams as team_store
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace


async def list_available(house: House, workspace: Workspace, principal: Principal) -> list[Agent]:
    """Return the agents that a person may talk to: those assigned to them, a team, or everybody."""
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)
    return await workspace.db.read(agents.list_available, principal.id, teams)


async def read_available_agent(
    house: House, workspace: Workspace, slug: str, principal: Principal
) -> Agent:
    """Return an agent that a person may talk to, or may manage.

    Raises:
        NotFoundError: there is none; whether others have one is not said.

    """
    manages = principal.may(Permission.MANAGE_USERS, workspace.slug)
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, principal.id)
    viewer = Viewer(user=principal.id, teams=teams)
    return await workspace.db.read(read_agent_for, slug, viewer, manages=manages)


async def read_agent_to_show(
    house: House, workspace: Workspace, slug: str, principal: Principal
) -> tuple[Agent, int]:
    """Return an agent whose configurations a person may read, and the first of its versions.

    Who manages agents reads those of a deleted one, and of all that had its slug before; others
    those of an agent that they may talk to, from its installation on.

    Raises:
        NotFoundError: there is none.

    """
    if principal.may(Permission.MANAGE_USERS, workspace.slug):
        return await workspace.db.read(agents.read_agent, slug), 1
    agent = await read_available_agent(house, workspace, slug, principal)
    return agent, agent.since


def read_agent_for(cursor: Connection, slug: str, viewer: Viewer, *, manages: bool) -> Agent:
    """Return an agent that a person may talk to, or, where they manage agents, any that is there.

    Raises:
        NotFoundError: there is none; whether others have one is not said.

    """
    if manages:
        return read_existing(cursor, slug)
    for agent in agents.list_available(cursor, viewer.user, viewer.teams):
        if agent.slug == slug:
            return agent
    raise NotFoundError(f"there is no agent {slug!r}; `postern agent list` names those here")


def read_existing(cursor: Connection, slug: str) -> Agent:
    """Return an agent that is not deleted.

    Raises:
        NotFoundError: there is none of that slug.

    """
    agent = agents.read_agent(cursor, slug)
    if agent.state is AgentState.DELETED:
        raise NotFoundError(f"there is no agent {slug!r}; `postern agent list` names those here")
    return agent


def read_version(cursor: Connection, slug: str, version: int, first: int = 1) -> AgentVersion:
    """Return one configuration that an agent has had, no older than the version `first`.

    Raises:
        NotFoundError: it has had none of that number.

    """
    for of_agent in agents.list_versions(cursor, slug):
        if of_agent.version == version >= first:
            return of_agent
    raise NotFoundError(f"{slug!r} has no version {version}; `postern agent versions {slug}`")


def read_manifest(cursor: Connection, agent: Agent) -> Manifest:
    """Return the manifest that an agent is configured with now."""
    return read_portable(read_version(cursor, agent.slug, agent.version).manifest)

"""Agents from installation to their end: what the catalogue offers, and what is installed."""

from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from data.agent_settings import list_unanswered_questions
from data.errors import ConflictError
from data.manifest import Manifest, read_folder
from data.pictures import is_embedded
from data.portable import write_portable
from data.records.agents.agents import Agent, AssigneeKind, Assignment
from data.states import AgentState
from data.store.agents import agents
from data.store.core import audit
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.core.words.sentences import single_spaced

CATALOGUE = Path(__file__).parents[2] / "manifests" / "catalogue"
BY_POSTERN = "Postern"
EVERYBODY = Assignment(kind=AssigneeKind.ORGANIZATION)


@lru_cache(maxsize=1)
def read_catalogue() -> dict[str, Manifest]:
    """Return the agents that come with Postern, by slug."""
    return {manifest.agent.slug: manifest for manifest in read_folder(CATALOGUE)}


async def install_catalogue(house: House, workspace: Workspace) -> bool:
    """Install what the catalogue has and the organization has not, or not in this version.

    What somebody changed stays as it is. Returns whether anything was installed.
    """
    return await workspace.db.write(_install_missing, house.clock())


def _install_missing(cursor: Connection, now: datetime) -> bool:
    agent_by_slug = {agent.slug: agent for agent in agents.list_ever_installed(cursor)}
    installed = False
    for slug, template in read_catalogue().items():
        current = agent_by_slug.get(slug)
        if current is not None and (
            current.installed_by != BY_POSTERN
            or current.state is AgentState.DELETED
            or current.template_version == template.version_id
        ):
            continue
        origin = Origin(slug, template.version_id, BY_POSTERN)
        agent = build_agent(template, current, origin, now)
        agents.install(cursor, agent, write_portable(template), template.version_id, now)
        if current is None:
            agents.set_assignments(cursor, slug, [EVERYBODY])
        audit.append(
            cursor,
            actor=BY_POSTERN,
            action="install agent",
            subject=f"agent:{slug}",
            detail=template.version_id,
            now=now,
        )
        installed = True
    return installed


class Origin(NamedTuple):
    """Where an agent's configuration comes from."""

    template: str
    template_version: str
    author: str


def build_agent(
    manifest: Manifest,
    before: Agent | None,
    origin: Origin,
    now: datetime,
    owner: str = "",
) -> Agent:
    """Return an agent as its manifest makes it, as one more version of the one `before`.

    In the place of one that was deleted it is another agent, which counts on from its versions. A
    new one of an `owner` is tested.
    """
    agent_made = manifest.agent
    version = before.version + 1 if before is not None else 1
    state = AgentState.TESTING if owner else AgentState.ACTIVE
    since = version
    if before is not None and before.state is not AgentState.DELETED:
        state, owner, since = before.state, before.owner, before.since
    picture = agent_made.avatar_url or ""
    return Agent(
        slug=agent_made.slug,
        name=agent_made.name,
        description=single_spaced(agent_made.description),
        accent_colour=agent_made.accent_colour,
        avatar=picture if is_embedded(picture) else "",
        state=state,
        version=version,
        since=since,
        assigned_version=before.assigned_version if before is not None else 0,
        tools=agent_made.tools,
        suggestions=agent_made.suggestions,
        template=origin.template,
        template_version=origin.template_version,
        installed_by=origin.author,
        installed_at=now,
        owner=owner,
        unanswered=list_unanswered_questions(agent_made),
    )


_ACTIONS = {
    AgentState.PAUSED: "pause agent",
    AgentState.ACTIVE: "resume agent",
    AgentState.DELETED: "delete agent",
}


def set_state(cursor: Connection, slug: str, state: AgentState, actor: str, now: datetime) -> Agent:
    """Pause an agent, let it work, or delete it, in a person's name.

    Raises:
        NotFoundError: the organization has no such agent.
        ConflictError: its state does not lead there, as an agent that is tested is not paused.

    """
    before = agents.read_agent(cursor, slug).state
    if agents.set_state(cursor, slug, state):
        tested = before is AgentState.TESTING and state is AgentState.ACTIVE
        action = "activate agent" if tested else _ACTIONS[state]
        audit.append(
            cursor, actor=actor, action=action, subject=f"agent:{slug}", detail="", now=now
        )
    agent = agents.read_agent(cursor, slug)
    if agent.state is not state:
        raise ConflictError(f"{agent.name} is {agent.state}; it cannot become {state} from there")
    return agent

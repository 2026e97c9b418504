"""Agents from installation to their end: what the catalogue offers, and what is installed."""

from datetime import datetime
from functools import lru_cache
from pathlib import Path

from data.manifest import Manifest, read_folder
from data.records.agents.agents import Agent
from data.states import AgentState
from data.store.agents import agents
from data.store.core import audit
from data.store.core.database import Connection
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.words.sentences import single_spaced

CATALOGUE = Path(__file__).parents[2] / "manifests" / "catalogue"
BY_POSTERN = "Postern"


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Manifest]:
    """Return the agents that come with Postern, by slug."""
    return {manifest.agent.slug: manifest for manifest in read_folder(CATALOGUE)}


async def install_catalogue(house: House, workspace: Workspace) -> bool:
    """Install what the catalogue has and the organization has not, or not in this version.

    What somebody changed stays as it is. Returns whether anything was installed.
    """
    return await workspace.db.write(_install_missing, house.clock())


def _install_missing(cursor: Connection, now: datetime) -> bool:
    known = {agent.slug: agent for agent in agents.installed(cursor)}
    installed = False
    for slug, template in catalogue().items():
        current = known.get(slug)
        if current is not None and (
            current.installed_by != BY_POSTERN
            or agents.versions(cursor, slug)[0].note == template.version_id
        ):
            continue
        version = current.version + 1 if current is not None else 1
        state = current.state if current is not None else AgentState.ACTIVE
        agent = _agent_of(template, version, state, now)
        manifest = Path(template.file).read_text(encoding="utf-8")
        agents.install(cursor, agent, manifest, template.version_id, now)
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


def _agent_of(template: Manifest, version: int, state: AgentState, now: datetime) -> Agent:
    manifest = template.agent
    return Agent(
        slug=manifest.slug,
        name=manifest.name,
        description=single_spaced(manifest.description),
        accent_colour=manifest.accent_colour,
        state=state,
        version=version,
        tools=manifest.tools,
        suggestions=manifest.suggestions,
        template=manifest.slug,
        installed_by=BY_POSTERN,
        installed_at=now,
    )


def set_state(cursor: Connection, slug: str, state: AgentState, actor: str, now: datetime) -> Agent:
    """Pause an agent, or let it work again, in a person's name.

    Raises:
        NotFoundError: the organization has no such agent.

    """
    if not agents.set_state(cursor, slug, state):
        agents.agent(cursor, slug)
    else:
        action = "pause agent" if state is AgentState.PAUSED else "resume agent"
        audit.append(
            cursor, actor=actor, action=action, subject=f"agent:{slug}", detail="", now=now
        )
    return agents.agent(cursor, slug)

"""Agents of an organization: who they are, how they are configured, and whose they are.

A person sees the agents that are assigned to them; who manages users sees and changes all of them.
"""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from data.errors import ConflictError, UnfitError
from data.manifest import Manifest
from data.portable import read_portable
from data.records.agents.agents import (
    Agent,
    AgentDay,
    AgentDays,
    AgentList,
    AgentSettings,
    AgentVersionList,
    AgentWork,
    AssignmentList,
    Difference,
    ImportedAgent,
    NewConfiguration,
    NewSettings,
    OwnWork,
    RestoredVersion,
    TemplateList,
    ToInstall,
    ToolUse,
)
from data.records.agents.chats import Said
from data.records.core.manifest_format import ModelTier
from data.records.core.principals import Permission
from data.states import AgentState
from data.store.agents import agents as store
from data.store.core.database import Connection
from flows.agents import assigning, available, configuring, lifecycle
from flows.agents.agent_starting import begin_own_work
from flows.agents.available import list_available, read_agent_to_show, read_available_agent
from flows.agents.keeping_chats import list_people_here
from flows.agents.library import read_template
from flows.agents.own_role import find_permissions
from flows.agents.running import end_work
from flows.agents.seeding import list_unheeded_keys
from flows.agents.services import GROUP as SERVICES
from flows.agents.services import add_services
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf
from flows.core.acting import Act
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.running.agents import TOOLS

router = APIRouter(prefix="/v1/{org}", tags=["agents"])


async def _must_have_role(house: House, manifest: Manifest) -> None:
    """Refuse a manifest that names a role which is not there.

    Raises:
        UnfitError: it does.

    """
    role = manifest.agent.governance.role
    if role and await house.control.read(find_permissions, role) is None:
        raise UnfitError(
            f"the manifest: key 'governance.role': there is no role {role!r}; `postern role list`"
        )


async def _must_be_here(
    house: House, workspace: Workspace, slug: str, order: AssignmentList
) -> None:
    """Refuse to assign an agent to whom nobody here is; who has left since may stay assigned.

    Raises:
        UnfitError: there is no such user or team.

    """
    here = await list_people_here(house, workspace)
    present = {("user", user_id) for user_id in here.users} | {("team", id) for id in here.teams}
    before = await workspace.db.read(store.list_assignments, slug)
    present |= {(str(assigned.kind), assigned.subject) for assigned in before}
    for assigned in order.items:
        if assigned.subject and (str(assigned.kind), assigned.subject) not in present:
            raise UnfitError(
                f"there is no {assigned.kind} {assigned.subject!r} here; "
                f"`postern {assigned.kind} list` shows their ids"
            )


def _known_tool_names(workspace: Workspace) -> frozenset[str]:
    """Return the names of tools and groups that a manifest may have."""
    there = add_services(TOOLS, workspace).declarations
    names = {name for declared in there for name in (declared.name, declared.group)}
    return frozenset({*names, SERVICES})


@router.get("/agents")
async def list_agents(
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    everyone: bool = Query(False, description="also those assigned to others, for who manages"),
) -> AgentList:
    """Return the agents that are assigned to who asks, by name."""
    if everyone and principal.may(Permission.MANAGE_USERS, workspace.slug):
        return AgentList(items=tuple(await workspace.db.read(store.list_agents)))
    return AgentList(items=tuple(await list_available(house, workspace, principal)))


@router.get("/agent-templates")
async def list_templates(workspace: WorkspaceOf) -> TemplateList:
    """Return what the catalogue offers, and what of it is installed in another version."""
    return TemplateList(items=await workspace.db.read(configuring.list_templates))


@router.post("/agents/install")
async def install_agent(
    order: ToInstall, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    """Make an agent from a template of the catalogue or the library, for everybody."""
    offered, _ = await workspace.db.read(read_template, order.template)
    await _must_have_role(house, offered)
    return await workspace.db.write(
        configuring.install_from_template,
        order,
        _known_tool_names(workspace),
        principal.name,
        house.clock(),
    )


@router.post("/agents/import")
async def import_agent(
    order: ImportedAgent, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    """Install an agent from its manifest; nobody may use it until it is assigned.

    While it is `testing` only the person who imported it can use it, in chats of their own.
    """
    await _must_have_role(house, read_portable(order.manifest))
    return await workspace.db.write(
        configuring.import_agent, order, _known_tool_names(workspace), principal, house.clock()
    )


@router.get("/agents/{slug}")
async def show_agent(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    """Return one agent."""
    return await read_available_agent(house, workspace, slug, principal)


@router.get("/agents/{slug}/work")
async def show_work(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> AgentWork:
    """Return what an agent is, may and has done."""
    agent = await read_available_agent(house, workspace, slug, principal)
    return await workspace.db.read(_work_of, house, workspace, agent)


@router.get("/agents/{slug}/days")
async def show_days(
    slug: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    days: int = Query(30, ge=1, le=366),
) -> AgentDays:
    """Return what an agent did and cost, day by day up to today."""
    await read_available_agent(house, workspace, slug, principal)
    zone = ZoneInfo(workspace.organization.timezone)
    today = house.clock().astimezone(zone).date()
    shown = [today - timedelta(days=number) for number in range(days - 1, -1, -1)]
    begins = [datetime.combine(day, time(), tzinfo=zone) for day in shown]
    figures = await workspace.db.read(store.count_by_period, slug, begins)
    items = tuple(
        AgentDay(
            day=day,
            turns=of_day.turns,
            requests=of_day.calls,
            tokens=of_day.tokens,
            cost=of_day.cost,
        )
        for day, of_day in zip(shown, figures, strict=True)
    )
    return AgentDays(items=items, zone=zone.key)


@router.get("/agents/{slug}/manifest")
async def export_agent(
    slug: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    version: int | None = Query(None, ge=1),
) -> PlainTextResponse:
    """Return an agent's manifest with its prompt, as one text: the newest version, or another.

    Who manages users reads that of a deleted agent too.
    """
    agent, first = await read_agent_to_show(house, workspace, slug, principal)
    version_kept = await workspace.db.read(
        available.read_version, slug, version or agent.version, first
    )
    return PlainTextResponse(version_kept.manifest, media_type="application/yaml")


@router.put("/agents/{slug}")
async def configure_agent(
    slug: str,
    order: NewConfiguration,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Agent:
    """Give an agent another configuration, as one more version."""
    await _must_have_role(house, read_portable(order.manifest))
    return await workspace.db.write(
        configuring.configure_agent,
        slug,
        order,
        _known_tool_names(workspace),
        principal.name,
        house.clock(),
    )


@router.post("/agents/{slug}/run")
async def set_agent_going(
    slug: str, order: OwnWork, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Said:
    """Have an agent work on something by itself, within its role, in a chat that everybody sees."""
    return await begin_own_work(house, workspace, TOOLS, slug, order, principal)


@router.get("/agents/{slug}/versions")
async def list_versions(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> AgentVersionList:
    """Return every configuration that an agent has had, the newest first.

    Who manages users reads those of a deleted agent too, and of all that had the slug before.
    """
    _, first = await read_agent_to_show(house, workspace, slug, principal)
    listed = await workspace.db.read(store.list_versions, slug)
    return AgentVersionList(items=tuple(item for item in listed if item.version >= first))


@router.get("/agents/{slug}/diff")
async def compare_versions(
    slug: str,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
    before: int = Query(0, ge=0, description="0: the version before the newest"),
    after: int = Query(0, ge=0, description="0: the newest version"),
) -> Difference:
    """Return how two versions of an agent differ, of a deleted one too for who manages users."""
    agent, first = await read_agent_to_show(house, workspace, slug, principal)
    last = after or agent.version
    before = before or max(first, last - 1)
    return await workspace.db.read(configuring.compare_versions, slug, before, last, first)


@router.get("/agents/{slug}/template")
async def compare_template(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Difference:
    """Return how the catalogue's template differs from the agent; nothing of it is applied."""
    await read_available_agent(house, workspace, slug, principal)
    return await workspace.db.read(configuring.compare_with_template, slug)


@router.post("/agents/{slug}/restore")
async def restore_version(
    slug: str,
    order: RestoredVersion,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Agent:
    """Give an agent an earlier configuration again, as one more version.

    With `expected`, the version that it has, what somebody else has changed since stays.
    """
    version_kept = await workspace.db.read(available.read_version, slug, order.version)
    await _must_have_role(house, read_portable(version_kept.manifest))
    return await workspace.db.write(
        configuring.restore_version,
        slug,
        order,
        _known_tool_names(workspace),
        principal.name,
        house.clock(),
    )


@router.get("/agents/{slug}/settings")
async def show_settings(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> AgentSettings:
    """Return what an agent's manifest asks, what has been answered, and the JSON schema of it."""
    await read_available_agent(house, workspace, slug, principal)
    return await workspace.db.read(configuring.read_settings, slug)


@router.put("/agents/{slug}/settings")
async def change_settings(
    slug: str,
    order: NewSettings,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> Agent:
    """Answer questions of an agent's manifest, as one more version; null takes an answer away."""
    return await workspace.db.write(
        configuring.set_settings, slug, order, principal.name, house.clock()
    )


@router.get("/agents/{slug}/assignments")
async def list_assignments(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> AssignmentList:
    """Return to whom an agent is available."""
    await read_available_agent(house, workspace, slug, principal)
    return await workspace.db.read(assigning.read_assignments, slug)


@router.put("/agents/{slug}/assignments")
async def assign_agent(
    slug: str,
    order: AssignmentList,
    house: HouseOf,
    workspace: WorkspaceOf,
    principal: PrincipalOf,
) -> AssignmentList:
    """Make an agent available to these users and teams, and to nobody else.

    `restrictions` of a user or a team take tools away and lower limits, and never add. With
    `version`, the one that was looked at, what somebody else has changed since is not overwritten.
    """
    await _must_be_here(house, workspace, slug, order)
    return await workspace.db.write(
        assigning.assign_agent,
        slug,
        order,
        _known_tool_names(workspace),
        principal.name,
        house.clock(),
    )


@router.delete("/agents/{slug}")
async def delete_agent(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> dict[str, int]:
    """Delete an agent; what it remembers goes to the organization, what it did stays."""

    def delete(act: Act) -> int:
        return configuring.delete_agent(act.cursor, slug, act.actor, act.now)

    return {"kept": await end_work(house, workspace, slug, delete, "deleted", principal)}


@router.post("/agents/{slug}/pause")
async def pause_agent(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    """Let an agent begin no turn until somebody resumes it; what it is at ends."""

    def pause(act: Act) -> Agent:
        available.read_existing(act.cursor, slug)
        return lifecycle.set_state(act.cursor, slug, AgentState.PAUSED, act.actor, act.now)

    return await end_work(house, workspace, slug, pause, "paused", principal)


@router.post("/agents/{slug}/resume")
async def resume_agent(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    """Let a paused agent work again; one that is tested is activated instead."""
    agent = await workspace.db.read(available.read_existing, slug)
    if agent.state is AgentState.TESTING:
        raise ConflictError(f"{agent.name} is tested; `postern agent activate {slug}` lets it out")
    return await _set_state(slug, AgentState.ACTIVE, house, workspace, principal)


@router.post("/agents/{slug}/activate")
async def activate_agent(
    slug: str, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    """Let those have an agent to whom it is assigned; until then its owner alone tests it."""
    return await _set_state(slug, AgentState.ACTIVE, house, workspace, principal)


async def _set_state(
    slug: str, state: AgentState, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> Agent:
    await workspace.db.read(available.read_existing, slug)
    return await workspace.db.write(lifecycle.set_state, slug, state, principal.name, house.clock())


def _work_of(cursor: Connection, house: House, workspace: Workspace, agent: Agent) -> AgentWork:
    manifest: Manifest = read_portable(store.list_versions(cursor, agent.slug)[0].manifest)
    thinker, preferred = house.thinker, manifest.agent.model_preference
    provider = thinker.provider.name if thinker is not None else ""
    model = ""
    if thinker is not None:
        tier = preferred.tier or ModelTier.FAST
        model = preferred.model_at(provider) or thinker.provider.model_of(tier)
    done = store.count_figures(cursor, agent.slug)
    return AgentWork(
        agent=agent,
        trust_level=manifest.agent.governance.trust_level,
        budget=manifest.agent.governance.budget_limit_per_interaction,
        prompt=manifest.prompt,
        model=model,
        role=manifest.agent.governance.role or "",
        tools=tuple(
            ToolUse(
                name=declared.name,
                description=declared.description,
                effect=declared.effect,
                calls=done.calls.get(declared.name, 0),
            )
            for declared in add_services(TOOLS, workspace).pick(agent.tools).declarations
        ),
        assigned=store.list_assignments(cursor, agent.slug),
        unheeded=list_unheeded_keys(manifest, provider),
        turns=done.turns,
        failed=done.failed,
        last_at=done.last_at,
    )

"""Caps on what language models use: of the line, of agents, of people and of senders."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from data.records.core.caps import Cap, CapKey, CapView, SetCap
from data.store.agents import agents
from data.store.core import caps, usage, users
from data.store.core import teams as team_store
from flows.api.core.context import FOR_ADMINISTRATORS, HouseOf, PrincipalOf, WorkspaceOf
from flows.core.capping import check_subject

router = APIRouter(prefix="/v1/{org}", tags=["models"])


@router.get("/caps")
async def list_caps(house: HouseOf, workspace: WorkspaceOf) -> tuple[CapView, ...]:
    """List the caps on what models use, those of the settings too, with what is used of each."""
    return await workspace.db.read(usage.read_caps_view, house.settings.model_caps, house.clock())


@router.put("/caps", dependencies=[FOR_ADMINISTRATORS])
async def set_cap(
    order: Cap, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> SetCap:
    """Set a cap, in the place of one for the same; it counts from the next call on."""
    user_ids = {user.id for user in await house.control.read(users.list_users)}
    team_ids = {team.id for team in await house.control.read(team_store.list_teams, workspace.slug)}
    slugs = {agent.slug for agent in await workspace.db.read(agents.list_agents)}
    await asyncio.to_thread(check_subject, order, workspace.folder, user_ids, team_ids, slugs)
    return await workspace.db.write(caps.put_cap, order, actor=principal.name, now=house.clock())


@router.delete("/caps", status_code=204, dependencies=[FOR_ADMINISTRATORS])
async def remove_cap(
    key: Annotated[CapKey, Query()], house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> None:
    """Take a cap away that was set, so that what the settings say holds again."""
    await workspace.db.write(caps.remove, key, actor=principal.name, now=house.clock())

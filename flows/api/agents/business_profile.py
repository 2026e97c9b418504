"""The organization's profile for every agent (docs/agents.md#business-profile)."""

from typing import Annotated

from fastapi import APIRouter, Query

from data.records.agents.business import (
    EditBusinessProfile,
    ProfileVersions,
    RestoreProfile,
    ToldProfile,
)
from data.records.core.version_diff import VersionDiff
from data.store.agents import business_profiles
from flows.agents.business import (
    compare_profiles,
    read_told_profile,
    restore_profile,
    write_profile,
)
from flows.api.core.context import HouseOf, PrincipalOf, WorkspaceOf

router = APIRouter(prefix="/v1/{org}/business-profile", tags=["memories"])


@router.get("")
async def show_profile(workspace: WorkspaceOf) -> ToldProfile:
    """Return the profile with its references as they read now."""
    return await read_told_profile(workspace)


@router.get("/versions")
async def list_versions(workspace: WorkspaceOf) -> ProfileVersions:
    """Return the wordings that the profile has had, the newest first."""
    return ProfileVersions(items=await workspace.db.read(business_profiles.list_versions))


@router.get("/diff")
async def compare_versions(
    workspace: WorkspaceOf,
    before: Annotated[int, Query(ge=0, description="0: nothing, before the first")],
    after: Annotated[int, Query(ge=0)],
) -> VersionDiff:
    """Return how two versions differ."""
    return await workspace.db.read(compare_profiles, before, after)


@router.post("/restore")
async def restore_version(
    order: RestoreProfile, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> ToldProfile:
    """Let an earlier version count again, as one more; for who may teach."""
    return await restore_profile(house, workspace, order, principal)


@router.put("")
async def set_profile(
    order: EditBusinessProfile, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> ToldProfile:
    """Write another version; for who may teach."""
    return await write_profile(house, workspace, order, principal)

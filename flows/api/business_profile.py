"""What the organization says of itself to every agent (docs/agents.md#business-profile)."""

from fastapi import APIRouter

from data.records.agents.business import EditBusinessProfile, ProfileVersions, ToldProfile
from data.store.agents import business_profiles
from flows.agents.business import told_profile, write_profile
from flows.api.context import HouseOf, PrincipalOf, WorkspaceOf

router = APIRouter(prefix="/v1/{org}/business-profile", tags=["memories"])


@router.get("")
async def show_profile(workspace: WorkspaceOf) -> ToldProfile:
    """Return the profile with its references as they read now."""
    return await told_profile(workspace)


@router.get("/versions")
async def list_versions(workspace: WorkspaceOf) -> ProfileVersions:
    """Return the wordings that the profile has had, the newest first."""
    return ProfileVersions(items=await workspace.db.read(business_profiles.versions))


@router.put("")
async def set_profile(
    given: EditBusinessProfile, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> ToldProfile:
    """Write another version; for who may teach."""
    return await write_profile(house, workspace, given, principal)

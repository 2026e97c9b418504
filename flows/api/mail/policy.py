"""The policy: what counts, its versions, what speaks for a change, and changing it."""

from typing import Annotated

from fastapi import APIRouter, Query

from data.records.core.policies import (
    PolicyOrder,
    PolicyState,
    PolicyVersions,
    SetPolicy,
)
from data.records.core.version_diff import VersionDiff
from data.records.mail.shadow import PolicyPreview, ShadowEvidence
from data.store.core import policies
from flows.api.core.context import WAKES, HouseOf, PrincipalOf, WorkspaceOf
from flows.mail.people import governing
from flows.mail.people.shadow_evidence import MOST, evidence

router = APIRouter(prefix="/v1/{org}/policy", tags=["policy"])


@router.get("")
async def show_policy(workspace: WorkspaceOf) -> PolicyState:
    """Return what counts, where it is kept, and whether the file holds something else."""
    return await governing.policy_state(workspace)


@router.get("/versions")
async def list_versions(workspace: WorkspaceOf) -> PolicyVersions:
    """Return the wordings that the policy has had, the newest first."""
    return PolicyVersions(items=await workspace.db.read(policies.list_versions))


@router.get("/diff")
async def compare_versions(
    workspace: WorkspaceOf,
    before: Annotated[int, Query(ge=0, description="0: the defaults alone")],
    after: Annotated[int, Query(ge=0)],
) -> VersionDiff:
    """Return how two versions differ."""
    return await workspace.db.read(governing.compare, before, after)


@router.get("/evidence")
async def show_evidence(
    workspace: WorkspaceOf, limit: Annotated[int, Query(ge=1, le=MOST)] = MOST
) -> ShadowEvidence:
    """Return what people said of the last drafts, and what would have left by itself of them."""
    return await workspace.db.read(evidence, workspace.policy, limit)


@router.post("/preview")
async def preview_policy(order: PolicyOrder, workspace: WorkspaceOf) -> PolicyPreview:
    """Return what a change would do, and what speaks against it; nothing is kept."""
    return await governing.preview(workspace, order)


@router.put("", dependencies=[WAKES])
async def set_policy(
    order: SetPolicy, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> PolicyState:
    """Keep another policy; for administrators."""
    return await governing.keep(house, workspace, order, principal)

"""Loading an organization's files at once, and what came of it lately."""

from fastapi import APIRouter

from data.records.core.syncs import SyncList
from data.store.core import syncs
from flows.api.core.context import AdminOf, HouseOf, WorkspaceOf
from flows.core.noting import note_access_change
from flows.sync import Synced, sync_told

router = APIRouter(prefix="/v1", tags=["administration"])


@router.post("/organizations/{slug}/sync")
async def sync_now(slug: str, house: HouseOf, admin: AdminOf) -> Synced:
    """Load what changed in the organization's source folder, now; tell what cannot be used."""
    synced = await sync_told(house, await house.get_workspace(slug))
    troubles = len(synced.errors) + len(synced.warnings)
    await note_access_change(
        house,
        [slug],
        admin,
        action="sync",
        subject=f"organization:{slug}",
        detail=f"{troubles} not loaded or doubtful" if troubles else "",
    )
    return synced


@router.get("/{org}/syncs")
async def list_syncs(workspace: WorkspaceOf) -> SyncList:
    """List when the files were loaded, and what was said of them, the newest first."""
    return SyncList(items=await workspace.db.read(syncs.list_syncs))

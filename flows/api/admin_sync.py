"""Loading an organization's files at once; for administrators."""

from fastapi import APIRouter

from flows.api.context import FOR_ADMINISTRATORS, HouseOf
from flows.sync import Synced, sync_told

router = APIRouter(prefix="/v1/organizations/{slug}", tags=["administration"])


@router.post("/sync", dependencies=[FOR_ADMINISTRATORS])
async def sync_now(slug: str, house: HouseOf) -> Synced:
    """Load what changed in the organization's source folder, now; tell what cannot be used."""
    return await sync_told(house, await house.workspace(slug))

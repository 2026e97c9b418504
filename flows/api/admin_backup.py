"""A backup of the whole home, made by the engine while it runs; for administrators."""

from pathlib import Path

from fastapi import APIRouter

from data.store.core.backups import BackUp, Made
from flows.api.context import FOR_ADMINISTRATORS, HouseOf
from flows.mail.people.backing_up import back_up

router = APIRouter(prefix="/v1", tags=["administration"])


@router.post("/backup", status_code=201, dependencies=[FOR_ADMINISTRATORS])
async def backup(given: BackUp, house: HouseOf) -> Made:
    """Copy state, archives, spool, sources and keys into a folder."""
    made = await back_up(house, Path(given.folder))
    return made.told(given.folder)

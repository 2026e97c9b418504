"""A backup of the whole home, made by the engine while it runs; for administrators."""

from pathlib import Path

from fastapi import APIRouter

from data.store.core.backups import BackUp, Made
from flows.api.context import AdminOf, HouseOf
from flows.mail.people.backing_up import back_up

router = APIRouter(prefix="/v1", tags=["administration"])


@router.post("/backup", status_code=201)
async def backup(given: BackUp, house: HouseOf, admin: AdminOf) -> Made:
    """Copy state, archives, spool, sources and keys into a folder."""
    del admin
    made = await back_up(house, Path(given.folder))
    return made.told(given.folder)

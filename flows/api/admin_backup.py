"""A backup of the whole home, made by the engine while it runs; for administrators."""

from pathlib import Path

from fastapi import APIRouter
from pydantic import Field

from data.records.record import Record
from flows.api.context import AdminOf, HouseOf
from flows.people.backing_up import back_up

router = APIRouter(prefix="/v1", tags=["administration"])


class BackUp(Record):
    """Where to."""

    folder: str = Field(min_length=1, pattern=r"^/")
    """Whole path of a folder on the engine's machine that is not there yet."""


class Made(Record):
    """What was backed up."""

    folder: str
    organizations: dict[str, int]
    files: int
    size: int
    missing: int


@router.post("/backup", status_code=201)
async def backup(given: BackUp, house: HouseOf, admin: AdminOf) -> Made:
    """Copy state, archives, spool, sources and keys into a folder."""
    del admin
    made = await back_up(house, Path(given.folder))
    return Made(
        folder=given.folder,
        organizations=made.organizations,
        files=len(made.files),
        size=made.size,
        missing=made.missing,
    )

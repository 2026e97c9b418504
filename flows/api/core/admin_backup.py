"""Backups of the whole home, made by the engine while it runs; for administrators."""

from fastapi import APIRouter

from data.records.core.backup_views import BackupEntry, BackupList, NewBackup
from data.store.core.backups import BackUp, Made
from flows.api.core.context import FOR_ADMINISTRATORS, AdminOf, HouseOf
from flows.core.administration import backup_desk

router = APIRouter(prefix="/v1", tags=["administration"])


@router.post("/backup", status_code=201)
async def backup(order: BackUp, house: HouseOf, admin: AdminOf) -> Made:
    """Copy state, archives, spool, sources and keys into a folder, and wait for it."""
    backup_report = await backup_desk.make_backup(house, order.folder, admin)
    return backup_report.summarize(order.folder)


@router.get("/backups", dependencies=[FOR_ADMINISTRATORS])
async def list_backups(house: HouseOf) -> BackupList:
    """List the backups that were made or tried, the newest first."""
    return await backup_desk.list_backups(house)


@router.post("/backups", status_code=202)
async def begin_backup(order: NewBackup, house: HouseOf, admin: AdminOf) -> BackupEntry:
    """Begin a backup; the list says when it is made."""
    return await backup_desk.begin_backup(house, order.folder, admin)


@router.post("/backups/{backup_id}/verify", status_code=202)
async def verify_backup(backup_id: str, house: HouseOf, admin: AdminOf) -> BackupEntry:
    """Begin to read every file of a backup and compare it; the list says what came of it."""
    return await backup_desk.begin_verifying(house, backup_id, admin)

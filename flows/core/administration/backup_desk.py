"""Backups that people ask for: made and read again while other things go on, and noted."""

import asyncio
import logging
from pathlib import Path

from data.errors import ConflictError, PosternError
from data.records.core.backup_views import BackupEntry, BackupList, BackupState
from data.records.core.principals import Principal
from data.store.core import backup_log, backups
from flows.core.administration.backing_up import back_up
from flows.core.house import House
from flows.core.noting import note_access_change

log = logging.getLogger("postern.backups")
CUT_OFF = (
    "Nobody noted its end: the engine ended first, or this state was put back from this very "
    "backup. `postern restore FOLDER --check` says whether it is whole."
)


async def make_backup(house: House, folder: str, principal: Principal) -> backups.Backup:
    """Make a backup and wait for it.

    Raises:
        ConflictError: the folder is there already, or inside of what is copied.
        OutsidePermanentError: it cannot be written, or the disk is too small.
        StoreError: a copy cannot be opened.

    """
    id = await _note_begun(house, folder, principal)
    return await _copy_and_note(house, id, folder)


async def begin_backup(house: House, folder: str, principal: Principal) -> BackupEntry:
    """Begin a backup that is made while other things go on; return it as it stands.

    Raises:
        ConflictError: one is being made already.

    """
    async with house.beginning_backup:
        if any(entry.busy for entry in (await list_backups(house)).items):
            raise ConflictError("a backup is being made or read just now; wait until that is done")
        folder = folder or _choose_folder(house)
        id = await _note_begun(house, folder, principal)
        house.run_aside(_make_aside(house, id, folder), _name_errand(id))
    return await _read_entry(house, id)


async def begin_verifying(house: House, id: str, principal: Principal) -> BackupEntry:
    """Begin to read every file of a backup and compare it; return the backup as it stands.

    Raises:
        NotFoundError: there is no such backup.
        ConflictError: it was not made, or is being read already.

    """
    async with house.beginning_backup:
        entry = await _read_entry(house, id)
        if entry.state is not BackupState.MADE or entry.busy:
            raise ConflictError(
                "only a backup that was made, and that nobody reads, can be verified"
            )
        await _note_backup(house, principal, "verify-backup", entry)
        house.run_aside(_verify_aside(house, entry), _name_errand(id))
    return await _read_entry(house, id)


async def list_backups(house: House) -> BackupList:
    """Return the backups, and of each whether its folder is there and whether it is in work."""
    in_work = _list_errands(house)
    backups_listed = await house.control.read(backup_log.list_backups)
    return BackupList(
        items=tuple([await _add_standing(house, entry, in_work) for entry in backups_listed])
    )


def _choose_folder(house: House) -> str:
    return str((house.settings.home / "backups" / f"{house.clock():%Y%m%d-%H%M%S}").absolute())


async def _note_begun(house: House, folder: str, principal: Principal) -> str:
    id = await house.control.write(backup_log.begin, folder, principal.name, house.clock())
    await _note_backup(
        house, principal, "make-backup", await house.control.read(backup_log.read_backup, id)
    )
    return id


async def _copy_and_note(house: House, id: str, folder: str) -> backups.Backup:
    try:
        backup = await back_up(house, Path(folder))
    except PosternError as error:
        await house.control.write(backup_log.fail, id, str(error), house.clock())
        raise
    await house.control.write(backup_log.end, id, backup, house.clock())
    return backup


async def _make_aside(house: House, id: str, folder: str) -> str:
    try:
        await _copy_and_note(house, id, folder)
    except PosternError as error:  # it is noted, and shown on the page
        log.warning("backup: %s", error)
    return ""


async def _verify_aside(house: House, entry: BackupEntry) -> str:
    try:
        await asyncio.to_thread(backups.verify_backup, Path(entry.folder))
        fault = ""
    except PosternError as error:
        fault = str(error)
    await house.control.write(backup_log.note_verified, entry.id, fault, house.clock())
    return ""


async def _read_entry(house: House, id: str) -> BackupEntry:
    in_work = _list_errands(house)
    entry = await house.control.read(backup_log.read_backup, id)
    return await _add_standing(house, entry, in_work)


async def _add_standing(house: House, entry: BackupEntry, in_work: set[str]) -> BackupEntry:
    """Return an entry with whether its folder is there and whether it is in work.

    `in_work` names what was in work before the row was read: what has ended since wrote the row
    anew, which was not read, so it counts as in work until somebody looks again.
    """
    there = await asyncio.to_thread((Path(entry.folder) / backups.MANIFEST).exists)
    busy = _name_errand(entry.id) in in_work | _list_errands(house)
    changes: dict[str, object] = {"there": there, "busy": busy}
    if entry.state is BackupState.RUNNING and not busy:
        changes |= {"state": BackupState.FAILED, "fault": CUT_OFF}
    return entry.model_copy(update=changes)


def _list_errands(house: House) -> set[str]:
    return {errand.get_name() for errand in house.errands}


def _name_errand(id: str) -> str:
    return f"backup {id}"


async def _note_backup(house: House, principal: Principal, action: str, entry: BackupEntry) -> None:
    await note_access_change(
        house, [None], principal, action=action, subject=f"backup:{entry.id}", detail=entry.folder
    )

"""A copy of everything that cannot be made anew, consistent while mail comes and goes.

The order makes it so. The spool first: what is taken in meanwhile is in the state too, and is known
by its id. Then the states, each while its one writer waits, with its log. Then the archives: what a
state names was in its archive before. A list with the hash of every file comes last.
"""

import asyncio
import shutil
from pathlib import Path

from connectors.spool.folder import FOLDERS
from data.errors import ConflictError, OutsidePermanentError
from data.settings import config_path
from data.store.core import backups
from data.store.core.database import Connection, Database
from flows.core.house import House

ROOM = 64 << 20


async def back_up(house: House, folder: Path) -> backups.Backup:
    """Copy the home into a folder that is not there yet, and check the copies.

    Raises:
        ConflictError: the folder is there already, or inside of what is copied.
        OutsidePermanentError: it cannot be written, or the disk is too small.
        StoreError: a copy cannot be opened.

    """
    folder = await asyncio.to_thread(folder.resolve)
    home = await asyncio.to_thread(house.settings.home.resolve)
    try:
        await asyncio.to_thread(_begin_folder, home, folder)
        try:
            return await _copy_home(house, folder)
        except BaseException:  # only what was made here is taken away again
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            raise
    except OSError as error:
        raise OutsidePermanentError(
            f"the backup {str(folder)!r} cannot be written: {error.strerror or error}; "
            "name another folder with --to"
        ) from error


def _begin_folder(home: Path, folder: Path) -> None:
    copied = ("organizations", "spool", "secrets", "outgoing")
    if any(folder.is_relative_to(home / name) for name in copied):
        raise ConflictError(f"{str(folder)!r} would be part of itself; name one outside of it")
    try:
        folder.mkdir(parents=True, mode=0o700)
    except FileExistsError as error:
        raise ConflictError(
            f"{str(folder)!r} is there already; name a folder that is not"
        ) from error
    needed = sum(
        _size_of(path)
        for name in (*copied, "control.duckdb")
        for path in ((home / name).rglob("*") if (home / name).is_dir() else [home / name])
        if path.is_file() and not backups.LEFT_OUT & set(path.parts)
    )
    free = shutil.disk_usage(folder).free
    if free < needed + ROOM:
        folder.rmdir()
        raise OutsidePermanentError(
            f"the disk of {str(folder)!r} has {free >> 20} MiB free, the backup needs about "
            f"{(needed + ROOM) >> 20}; name a folder on another disk with --to"
        )


def _size_of(path: Path) -> int:
    """Return how many bytes a file has; none for mail that was taken in meanwhile."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


async def _copy_home(house: House, folder: Path) -> backups.Backup:
    home = house.settings.home
    for name in FOLDERS:
        if name != "tmp":
            target = folder / "spool" / name
            await asyncio.to_thread(backups.copy_tree, house.spool.folder / name, target)
    (folder / "spool" / "tmp").mkdir(parents=True, exist_ok=True, mode=0o700)
    await _copy_database(house.control, folder / "control.duckdb")
    counts, missing = {}, 0
    for workspace in await house.list_workspaces():
        target = folder / "organizations" / workspace.slug
        await _copy_database(workspace.db, target / "state.duckdb")
        left_out = backups.LEFT_OUT | {"state.duckdb", "state.duckdb.wal"}
        await asyncio.to_thread(backups.copy_tree, workspace.folder, target, left_out)
        counted = await asyncio.to_thread(
            backups.count_missing_files, target / "state.duckdb", target / "archive"
        )
        counts[workspace.slug] = counted.messages
        missing += counted.missing
    unchecked = tuple(sorted(house.unopened))
    for slug in unchecked:  # nobody writes to it; its state may be mended from what is there
        source = house.settings.organizations / slug
        target = folder / "organizations" / slug
        await asyncio.to_thread(backups.copy_tree, source, target, backups.LEFT_OUT)
    for name in ("secrets", "outgoing"):
        await asyncio.to_thread(backups.copy_tree, home / name, folder / name)
    await asyncio.to_thread(backups.copy_tree, config_path(), folder / "postern.toml")
    backup = backups.Backup(
        made_at=house.clock(),
        organizations=counts,
        missing=missing,
        files=(),
        unchecked=unchecked,
    )
    return await asyncio.to_thread(backups.seal, folder, backup)


async def _copy_database(database: Database, target: Path) -> None:
    """Copy file and log while nothing is written, then check the copy."""
    log = database.path.with_name(f"{database.path.name}.wal")

    def copy(connection: Connection) -> None:
        del connection  # this is the writing thread: nobody writes while it copies
        backups.copy_tree(database.path, target)
        backups.copy_tree(log, target.with_name(f"{target.name}.wal"))

    await database.exclusively(copy)
    await asyncio.to_thread(backups.fold_log_in, target)

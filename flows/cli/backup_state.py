"""Backups: made by the engine when it runs, else here; put back only while none runs."""

import asyncio
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from data.errors import ConflictError, StoreError
from data.settings import Settings
from data.store.core import backups
from flows.operating.engine_api import Engine

PARTS = ("spool", "secrets", "organizations", "outgoing", "control.duckdb")
"""What a restore puts back; `control.duckdb` last, without which a home is none."""


def make(settings: Settings, folder: Path) -> backups.Made:
    """Make a backup in a folder that is not there yet; return what it holds.

    Raises:
        ConflictError: the folder is there already.
        StoreBusyError: an engine holds the state and does not answer.

    """
    folder = folder.absolute()
    engine = Engine.find(settings)
    if engine is not None:
        order = backups.BackUp(folder=str(folder))
        return backups.Made.model_validate(engine.post("/v1/backup", order.model_dump()))
    return asyncio.run(_make(settings, folder)).told(str(folder))


async def _make(settings: Settings, folder: Path) -> backups.Backup:
    from flows.core.house import open_house
    from flows.mail.people.backing_up import back_up

    if not (settings.home / "control.duckdb").exists():
        raise StoreError(f"{str(settings.home)!r} holds no state; there is nothing to back up")
    house = await open_house(settings)
    try:
        return await back_up(house, folder)
    finally:
        await house.close()


def put_back(settings: Settings, folder: Path, *, replace: bool) -> Path | None:
    """Put a verified backup into the home; return where what was there before lies now.

    Nothing is sent until somebody has looked: the kill switch is on.

    Raises:
        ConflictError: the home holds a state and `replace` is not given.
        StoreBusyError: an engine has it open.
        OutsidePermanentError: the backup is not whole.

    """
    home = settings.home
    there = [name for name in PARTS if (home / name).exists()]
    if there and not replace:
        raise ConflictError(
            f"{str(home)!r} holds {', '.join(there)} already; --replace sets that aside"
        )
    if (home / "control.duckdb").exists():
        _nobody_holds(home / "control.duckdb")
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    ready = home / ".restoring"
    shutil.rmtree(ready, ignore_errors=True)
    for name in PARTS:
        backups.copy_tree(folder / name, ready / name)
    os.sync()
    settings.stop_file.touch(mode=0o600)
    aside = home / f"before-{datetime.now(UTC):%Y%m%d-%H%M%S}" if there else None
    if aside is not None:
        aside.mkdir(mode=0o700)
        for name in reversed(there):  # control.duckdb first: a half-done restore shows as none
            (home / name).rename(aside / name)
    for name in PARTS:
        if (ready / name).exists():
            (ready / name).rename(home / name)
    (home / "routes.json").unlink(missing_ok=True)
    ready.rmdir()
    os.sync()
    return aside


def _nobody_holds(path: Path) -> None:
    """Raise StoreBusyError while an engine has the file open."""
    from data.store.core.database import Database

    Database(path, "control").close()

"""Putting a backup back, while no engine runs."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from data.errors import ConflictError
from data.settings import Settings
from data.store.core import backups

PARTS = ("spool", "secrets", "organizations", "outgoing", "control.duckdb")
"""What a restore puts back; `control.duckdb` last, without which a home is none."""


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
    for written_anew in ("routes.json", "hostname"):
        (home / written_anew).unlink(missing_ok=True)
    ready.rmdir()
    os.sync()
    return aside


def _nobody_holds(path: Path) -> None:
    """Raise StoreBusyError while an engine has the file open."""
    from data.store.core.database import Database

    Database(path, "control").close()

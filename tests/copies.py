"""What takes long to make: made once in a process, and copied for every test that changes it."""

import asyncio
import atexit
import functools
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from data.store.core.database import Database

Make = Callable[[Path], Awaitable[None]]
"""Fills a folder that is not there yet, and leaves nothing open in it."""
_made: dict[Make, Path] = {}


def folder_of_process() -> Path:
    """Return a new folder that goes with this process."""
    folder = Path(tempfile.mkdtemp(prefix="postern-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


async def copy_made(make: Make, into: Path) -> bool:
    """Copy what `make` makes, over what is in that folder; return whether it was not there yet."""
    if make not in _made:
        folder = folder_of_process() / "made"
        await make(folder)
        _made[make] = folder
    is_new = not await asyncio.to_thread(into.exists)
    await asyncio.to_thread(shutil.copytree, _made[make], into, dirs_exist_ok=True)
    return is_new


def empty_state(path: Path) -> Path:
    """Put a state of an organization with nothing in it there; return the path."""
    shutil.copyfile(_empty_state(), path)
    return path


@functools.cache
def _empty_state() -> Path:
    path = folder_of_process() / "state.duckdb"
    Database(path, "organization").close()
    return path

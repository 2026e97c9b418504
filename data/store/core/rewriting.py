"""A DuckDB file written anew, so that the bytes of deleted rows are gone."""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import duckdb

from data.errors import StoreError

Configuration = Mapping[str, str | bool | int | float | list[str]]
_SPARE = 16 << 20
"""Octets that have to be free beside the copy."""


def rewrite(path: Path, configuration: Configuration) -> None:
    """Copy what the closed file `path` holds into a fresh one, and put that in its place.

    DuckDB marks deleted rows and frees blocks, and neither clears their bytes: they stay in the
    file until something else is written over them. Killed at any moment, the old file or the new
    one is in place, whole.

    Raises:
        StoreError: there is no room, it cannot be written, or another process has it open: the file
            is as it was. Or its folder could not be brought to the disk, as the sentence says.

    """
    fresh = path.with_name(f"{path.name}.fresh")
    try:
        _remove_leftovers(fresh)
        _require_room(path)
        _copy_database(path, fresh, configuration)
        _sync_to_disk(fresh)
        fresh.rename(path)
    except (duckdb.Error, OSError) as error:
        raise StoreError(
            f"{str(path)!r} cannot be written anew: {str(error).splitlines()[0]}; "
            "the old file is in place"
        ) from error
    finally:
        with suppress(OSError):  # the next time removes them, or says why it cannot
            _remove_leftovers(fresh)
    try:
        _sync_to_disk(path.parent)
    except OSError as error:
        raise StoreError(
            f"{str(path)!r} is written anew, and its folder could not be brought to the disk: "
            f"{error}; after a loss of power the old file may be there again"
        ) from error


def _require_room(path: Path) -> None:
    size, free = path.stat().st_size, shutil.disk_usage(path.parent).free
    if free < size + _SPARE:
        raise StoreError(
            f"{str(path)!r} cannot be written anew: its disk has {free >> 20} MiB free, and a copy "
            f"needs {(size + _SPARE) >> 20}; make room and try again"
        )


def _copy_database(path: Path, fresh: Path, configuration: Configuration) -> None:
    settings = {**configuration, "temp_directory": f"{fresh}.tmp"}
    with duckdb.connect(str(path), config=settings) as connection:
        connection.execute("CHECKPOINT")
        target = str(fresh).replace("'", "''")
        connection.execute(f"ATTACH '{target}' AS fresh")  # a path of ours
        row = connection.execute("SELECT current_database()").fetchall()[0]
        name = str(row[0]).replace('"', '""')
        connection.execute(f'COPY FROM DATABASE "{name}" TO fresh')
        connection.execute("CHECKPOINT fresh")
        connection.execute("DETACH fresh")
    log = path.with_name(f"{path.name}.wal")
    if log.exists():  # it would be replayed onto the new file
        raise StoreError(f"{str(log)!r} is still in use; stop what has {path.name!r} open")


def _remove_leftovers(fresh: Path) -> None:
    for path in (fresh, fresh.with_name(f"{fresh.name}.wal")):
        path.unlink(missing_ok=True)
    shutil.rmtree(f"{fresh}.tmp", ignore_errors=True)


def _sync_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""A backup: a folder with copies, and a list of them that is written last."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
from pydantic import AwareDatetime, Field, ValidationError

from data.errors import OutsidePermanentError, StoreError
from data.records.core.record import Record

MANIFEST = "backup.json"
FORMAT = 1
LEFT_OUT = frozenset({"knowledge.lance", "mail.lance", "memories.lance", "dlt"})
"""Of an organization's folder: made anew from the state."""


class BackUp(Record):
    """An order to make a backup."""

    folder: str = Field(min_length=1, pattern=r"^/")
    """Whole path of a folder on the engine's machine that is not there yet."""


class Made(Record):
    """What was backed up."""

    folder: str
    organizations: dict[str, int]
    """Messages by organization."""
    files: int
    size: int
    missing: int
    unchecked: tuple[str, ...] = ()
    """Organizations whose state could not be opened; it is copied as it is."""


class Copied(Record):
    """One file of a backup."""

    path: str
    """Relative to the backup's folder, which looks like a home."""
    size: int
    sha256: str


class Backup(Record):
    """What a backup holds."""

    format: int = FORMAT
    made_at: AwareDatetime
    organizations: dict[str, int]
    """Messages by organization."""
    missing: int
    """Raw messages that the state names and the archive has not; retention removes them."""
    files: tuple[Copied, ...]
    unchecked: tuple[str, ...] = ()
    """Organizations whose state could not be opened; it is copied as it is."""

    @property
    def size(self) -> int:
        """Bytes in all."""
        return sum(file.size for file in self.files)

    def summarize(self, folder: str) -> Made:
        """Return it without the list of files."""
        return Made(
            folder=folder,
            organizations=self.organizations,
            files=len(self.files),
            size=self.size,
            missing=self.missing,
            unchecked=self.unchecked,
        )


def copy_tree(source: Path, target: Path, leave_out: frozenset[str] = frozenset()) -> None:
    """Copy a folder or file; files that go away meanwhile are left out, links become files."""
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            shutil.copyfile(source, target)
        except FileNotFoundError:  # taken in, or removed by retention, since it was listed
            target.unlink(missing_ok=True)
        return
    if not source.is_dir():
        return
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in sorted(source.iterdir()):
        if path.name in leave_out or path.name.endswith((".tmp", ".fresh", ".wal.unreadable")):
            continue
        copy_tree(path, target / path.name)


def fold_log_in(database: Path) -> None:
    """Fold the log of a copied DuckDB file into it, which shows that both can be read.

    Raises:
        StoreError: the copy cannot be opened.

    """
    try:
        with duckdb.connect(str(database)) as connection:
            connection.execute("CHECKPOINT")
    except duckdb.Error as error:
        raise StoreError(
            f"the copy {str(database)!r} cannot be opened: {str(error).splitlines()[0]}; "
            "the backup is of no use, make another one"
        ) from error


class ArchiveCount(NamedTuple):
    """How many messages a copied state holds, and how many raw files are not in its archive."""

    messages: int
    missing: int


def count_missing_files(state: Path, archive: Path) -> ArchiveCount:
    """Return how many messages a copied state holds, and how many raw files are not there."""
    with duckdb.connect(str(state), read_only=True) as connection:
        rows = connection.execute("SELECT raw_sha256 FROM messages").fetchall()
        replies = connection.execute("SELECT sha256 FROM deliveries").fetchall()
    hashes = {str(row[0]) for row in (*rows, *replies)}
    missing = sum(not (archive / digest[:2] / digest[2:]).exists() for digest in hashes)
    return ArchiveCount(messages=len(rows), missing=missing)


def seal(folder: Path, backup: Backup) -> Backup:
    """Write the list of all files, durably and last; return the backup with it."""
    files = tuple(
        _describe_copy(folder, path) for path in _list_files(folder) if path.name != MANIFEST
    )
    whole = backup.model_copy(update={"files": files})
    scratch = folder / f".{MANIFEST}"
    with scratch.open("w", encoding="utf-8") as file:
        file.write(whole.model_dump_json(indent=1))
        file.flush()
        os.fsync(file.fileno())
    os.sync()  # every copy, before the list that vouches for them has its name
    scratch.rename(folder / MANIFEST)
    os.sync()
    return whole


def verify_backup(folder: Path) -> Backup:
    """Return what a backup holds, after every file was read and compared.

    Raises:
        OutsidePermanentError: it is none, is not whole, or a file was changed.

    """
    try:
        backup = Backup.model_validate_json((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise OutsidePermanentError(
            f"{str(folder)!r} holds no {MANIFEST}: it is no backup, or one that was not finished"
        ) from error
    except ValidationError as error:
        raise OutsidePermanentError(
            f"{str(folder / MANIFEST)!r} cannot be understood; take another backup"
        ) from error
    if backup.format > FORMAT:
        raise OutsidePermanentError(
            f"the backup has format {backup.format}, this Postern knows {FORMAT}; "
            "install the newer one"
        )
    for file in backup.files:
        path = folder / file.path
        if ".." in Path(file.path).parts or not path.is_file():
            raise OutsidePermanentError(f"{file.path!r} of the backup is missing; take another one")
        if _describe_copy(folder, path) != file:
            raise OutsidePermanentError(
                f"{file.path!r} is not what was backed up; take another backup"
            )
    return backup


def _list_files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _describe_copy(folder: Path, path: Path) -> Copied:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Copied(path=str(path.relative_to(folder)), size=path.stat().st_size, sha256=digest)

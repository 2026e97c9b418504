"""The few operations on files that durability rests on, one system call each."""

import contextlib
import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path


def create_exclusive(path: Path | str) -> int:
    """Open a new file for writing, readable by the owner alone; never an existing one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(path, flags, 0o600)


def write_all(descriptor: int, pieces: Iterable[bytes | bytearray]) -> None:
    """Write every byte of `pieces`; a short write goes on where it stopped."""
    for piece in pieces:
        view = memoryview(piece)
        while view:
            view = view[os.write(descriptor, view) :]


def hint_write(descriptor: int) -> None:
    """Ask the kernel to start writing a file out; only a hint, and only where it exists."""
    if hasattr(os, "posix_fadvise"):
        with contextlib.suppress(OSError):
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def sync_folder(path: Path | str) -> None:
    """Make the names in a folder durable: a rename is not, until its folder is synced."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_durably(folder: Path, name: str, content: bytes, *, via: Path | None = None) -> None:
    """Put a whole file under `name`, or leave what was there: temporary, fsync, rename, fsync.

    `via` is the folder of the temporary file, on the same file system; `folder` when not given.
    """
    temporary = (via or folder) / f".{name}.{os.getpid()}.{os.urandom(4).hex()}"
    descriptor = create_exclusive(temporary)
    try:
        _fill(descriptor, content)
        temporary.rename(folder / name)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(folder)


def _fill(descriptor: int, content: bytes) -> None:
    """Write a file to the disk, and close it."""
    try:
        write_all(descriptor, (content,))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folders(folder: Path, names: Iterable[str]) -> None:
    """Make a folder with folders in it, in one step; if another process was faster, its stays."""
    fresh_folder = folder.with_name(f".{folder.name}.{os.getpid()}.{os.urandom(4).hex()}")
    for name in names:
        (fresh_folder / name).mkdir(parents=True, mode=0o700)
    sync_folder(fresh_folder)
    try:
        fresh_folder.rename(folder)
    except OSError as error:
        shutil.rmtree(fresh_folder)
        if error.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
            raise
    sync_folder(folder.parent)


def write_test(folder: Path, size_bytes: int = 65_536) -> None:
    """Write, sync, read back and remove a file; raises OSError when the disk does not keep it."""
    path = folder / f".test.{os.urandom(8).hex()}"
    content = os.urandom(size_bytes)
    descriptor = create_exclusive(path)
    try:
        _fill(descriptor, content)
        if path.read_bytes() != content:
            raise OSError(f"the write test read back other bytes than it wrote in {folder!s}")
    finally:
        path.unlink(missing_ok=True)
    sync_folder(folder)

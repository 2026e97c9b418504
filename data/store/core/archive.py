"""Raw mail and rendered replies as content-addressed files, outside the database."""

import hashlib
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from data.errors import NotFoundError

SYNC_THREADS = 16
"""Files that are synced at the same time."""


class Archive:
    """A folder of files named by the SHA-256 of what they hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    @staticmethod
    def key_of(content: bytes) -> str:
        """Return the hash by which bytes are kept."""
        return hashlib.sha256(content).hexdigest()

    def path(self, sha256: str) -> Path:
        """Return where the bytes with that hash are, or would be."""
        return self.folder / sha256[:2] / sha256[2:]

    def keep(self, contents: Iterable[bytes]) -> list[str]:
        """Write each content that is not there yet, durably; return the hashes in order.

        Files are fsynced before they get their name, and each folder once at the end, so that a
        database row written afterwards never points to nothing.
        """
        names: list[str] = []
        fresh: dict[Path, bytes] = {}
        folders: set[Path] = set()
        for content in contents:
            name = self.key_of(content)
            names.append(name)
            path = self.path(name)
            if path in fresh or path.exists():
                continue
            if not path.parent.exists():
                path.parent.mkdir(mode=0o700, exist_ok=True)  # somebody may be faster
                folders.add(self.folder)
            fresh[path] = content
            folders.add(path.parent)
        _act_side_by_side(_write_durably, fresh.items())
        _act_side_by_side(_sync_folder, ((folder,) for folder in sorted(folders)))
        return names

    def read(self, sha256: str) -> bytes:
        """Return the bytes with that hash.

        Raises:
            NotFoundError: they were never kept, or retention removed them.

        """
        try:
            return self.path(sha256).read_bytes()
        except FileNotFoundError as error:
            raise NotFoundError(
                f"no raw message {sha256[:12]!r} is kept; retention may have removed it"
            ) from error

    def count(self, names: Iterable[str]) -> int:
        """Return of how many of these hashes the bytes are kept."""
        return sum(self.path(name).exists() for name in names)

    def remove(self, sha256: str) -> None:
        """Forget the bytes with that hash."""
        self.path(sha256).unlink(missing_ok=True)


def _act_side_by_side(
    act: Callable[..., None], argument_rows: Iterable[tuple[object, ...]]
) -> None:
    """Act on each, side by side: files that are synced together share a commit of the journal."""
    every = list(argument_rows)
    if len(every) < 2:
        for entry in every:
            act(*entry)
        return
    with ThreadPoolExecutor(min(SYNC_THREADS, len(every)), thread_name_prefix="archive") as pool:
        for done in [pool.submit(act, *arguments) for arguments in every]:
            done.result()


def _write_durably(path: Path, content: bytes) -> None:
    # Of its own: two who keep the same bytes at once would write and rename one file.
    scratch = path.with_suffix(f".{os.getpid()}.{os.urandom(4).hex()}.tmp")
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        scratch.rename(path)
    except OSError:
        scratch.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

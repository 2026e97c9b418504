"""The mail archive: by content, once, durable, and clear about what is gone."""

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from data.errors import NotFoundError
from data.store.core.archive import Archive


def test_contents_are_kept_once_under_their_hash(tmp_path: Path) -> None:
    """The same bytes twice are one file; what is read is what was kept."""
    archive = Archive(tmp_path / "archive")
    names = archive.keep([b"one", b"two", b"one"])
    assert names == [hashlib.sha256(text).hexdigest() for text in (b"one", b"two", b"one")]
    assert archive.read(names[0]) == b"one"
    assert len([path for path in (tmp_path / "archive").rglob("*") if path.is_file()]) == 2


def test_many_keep_the_same_bytes_at_once(tmp_path: Path) -> None:
    """Nobody's file is cut short or taken away by another's, and one is left of each."""
    archive, together = Archive(tmp_path / "archive"), threading.Barrier(8, timeout=60)

    def keep(_: int) -> None:
        for number in range(10):
            together.wait()
            archive.keep([b"%d" % number * 50_000])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(keep, range(8)))
    files = [path for path in (tmp_path / "archive").rglob("*") if path.is_file()]
    assert [path.stat().st_size for path in files] == [50_000] * 10


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    """Mail is nobody else's business."""
    archive = Archive(tmp_path / "archive")
    (name,) = archive.keep([b"one"])
    assert archive.path(name).stat().st_mode & 0o077 == 0
    assert archive.path(name).parent.stat().st_mode & 0o077 == 0


def test_what_retention_removed_is_named(tmp_path: Path) -> None:
    """Asking for bytes that are gone says why they may be."""
    archive = Archive(tmp_path / "archive")
    (name,) = archive.keep([b"one"])
    archive.remove(name)
    archive.remove(name)
    with pytest.raises(NotFoundError, match="retention"):
        archive.read(name)

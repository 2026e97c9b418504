"""Archives made to fill a disk or to write elsewhere: looked at, never unpacked."""

import io
import struct
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import EmailMessage

import pytest

from data.records.core.screening import Verdict
from tasks.core.parse.attachment_signs import signs_of
from tasks.core.parse.parsing import parse
from tests.core.screening.test_attachments import arrived

MEGABYTE = 1 << 20
MOST = 200 * MEGABYTE
"""What looking at one archive may take, in bytes."""


def archive(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """Return a ZIP with these entries, deflated."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name, content in entries:
            file.writestr(name, content, zipfile.ZIP_DEFLATED)
    return kept.getvalue()


def nested(depth: int) -> bytes:
    """Return archives within archives, sixteen in each, around megabytes of nothing."""
    inner = archive(("0.bin", bytes(16 * MEGABYTE)))
    for _ in range(depth):
        inner = archive(*((f"lib {n}.zip", inner) for n in range(16)))
    return inner


def overlapping(count: int) -> bytes:
    """Return an archive of which each of many entries points at the same data."""
    whole = archive(("a.bin", bytes(8 * MEGABYTE)))
    at = whole.index(b"PK\x01\x02")
    entry, local = whole[at : whole.index(b"PK\x05\x06")], whole[:at]
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(entry) * count, at, 0)
    return local + entry * count + end


def own_copy() -> bytes:
    """Return an archive whose one entry, stored, is said to be the archive itself."""
    whole = bytearray(archive(("r/r.zip", b"")))
    central = whole.index(b"PK\x01\x02")
    size = struct.pack("<II", len(whole), len(whole))
    whole[central + 20 : central + 28] = size
    whole[18:26] = size
    return bytes(whole)


def link(name: str, target: bytes) -> tuple[zipfile.ZipInfo, bytes]:
    """Return an entry that is a symbolic link."""
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, 0o120777 << 16
    return info, target


ARCHIVES: Mapping[str, Callable[[], bytes]] = {
    "sixteen to the fourth archives": lambda: nested(3),
    "one entry of 256 megabytes": lambda: archive(("a.bin", bytes(256 * MEGABYTE))),
    "entries that overlap": lambda: overlapping(5_000),
    "an archive of itself": own_copy,
    "two hundred thousand entries": lambda: overlapping(65_535) * 3,
    "names that lead elsewhere": lambda: archive(
        ("../../../../etc/cron.d/job", b"x"), ("/etc/passwd", b"x"), ("C:\\run\\a.txt", b"x")
    ),
    "a link and what goes through it": lambda: archive(
        link("out", b"/tmp"), ("out/file.txt", b"x")
    ),
    "a directory of nonsense": lambda: (
        b"PK\x03\x04" + b"\xff" * 1000 + b"PK\x05\x06" + b"\xff" * 18
    ),
}


@contextmanager
def watched() -> Iterator[list[str]]:
    """Collect the paths that are opened for writing, linked or made meanwhile."""
    written: list[str] = []
    _watchers.append(written)
    try:
        yield written
    finally:
        _watchers.remove(written)


_watchers: list[list[str]] = []


def _hook(event: str, given: tuple[object, ...]) -> None:
    if not _watchers:
        return
    opened = event == "open" and any(letter in str(given[1] or "") for letter in "wax+")
    if opened or event in ("os.mkdir", "os.symlink", "os.link", "os.rename", "shutil.move"):
        _watchers[-1].append(f"{event} {given[0]}")


sys.addaudithook(_hook)


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_hostile_archive_is_neither_unpacked_nor_costly(name: str) -> None:
    """Reading and screening it writes no file and takes less memory than the limit."""
    content = ARCHIVES[name]()
    tracemalloc.start()
    with watched() as written:
        signs = signs_of(content)
        screening = arrived("photos.zip", content, "application/zip")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert written == []
    assert peak < MOST
    assert "zip" in signs
    assert screening.verdict in Verdict
    print(f"\n{name}: {len(content) / 1e6:.2f} MB, 0 files written, {peak / MEGABYTE:.1f} MiB")


def test_a_name_that_leads_elsewhere_becomes_no_path() -> None:
    """The name of an attachment that climbs out of a folder is offered without its way."""
    message = EmailMessage()
    message["From"] = "petra@quince.example"
    message.set_content("See it.")
    content, kind = ARCHIVES["names that lead elsewhere"](), {"maintype": "application"}
    for name in ("../../../etc/cron.d/job.zip", "..\\..\\run\\job.zip", "/etc/job.zip"):
        message.add_attachment(content, **kind, subtype="zip", filename=name)
    with watched() as written:
        mail = parse(message.as_bytes())
    assert written == []
    assert [one.filename for one in mail.attachments] == ["job.zip"] * 3

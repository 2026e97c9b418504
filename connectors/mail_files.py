"""Messages in files: mbox, Maildir, single `.eml` files, and folders of all of them."""

import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from connectors.addresses import is_address
from data.byte_patterns import octet_pattern
from data.errors import NotFoundError, UnreadableMailError

MAIL_ENDINGS = frozenset({".eml", ".mail", ".msg822", ".txt"})
MBOX_ENDINGS = frozenset({".mbox", ".mbx"})
HEAD_BYTES = 65_536

#: The line between messages; mbox has no standard, so a date at its end is asked for.
_FROM_LINE = octet_pattern(rb"(?m)^From [^\r\n]*\d{4}[^\r\n]*\r?\n")
_QUOTED_FROM = octet_pattern(rb"(?m)^>(>*From )")
_ANGLE = octet_pattern(rb"<([^<>\s]+@[^<>\s]+)>")
_QUOTED_STRING = octet_pattern(rb'"(?:[^"\\]|\\.)*"')
_BARE = octet_pattern(rb"([^<>\s\"(),:;]+@[^<>\s\"(),:;]+)")
_DELIVERED = octet_pattern(rb"(?im)^(?:delivered-to|x-original-to):((?:.*(?:\n[ \t].*)*))")
_WRITTEN_TO = octet_pattern(rb"(?im)^(?:to|cc):((?:.*(?:\n[ \t].*)*))")
MOST_NAMED = 500


def count_messages(paths: Iterable[Path]) -> int:
    """Return how many messages `iter_messages` would give, for a progress bar."""
    return sum(_count(path) for path in _files(paths))


def iter_messages(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Give (name, raw bytes) of every message under `paths`, one at a time, in a stable order.

    Folders are searched downwards; a Maildir gives its `cur/` and `new/`. An mbox is mapped, so
    that only one message of it is in memory. Raises NotFoundError or UnreadableMailError naming
    the path.
    """
    for path in _files(paths):
        if _is_mbox(path):
            yield from _mbox(path)
        else:
            yield str(path), _read(path)


def envelope_sender(raw: bytes) -> str:
    """Return the sender that a stored message shows: Return-Path, else From, else empty.

    `Return-Path: <>` is the null sender of a bounce and stays empty (RFC 5321 section 4.4).
    """
    head = raw[:HEAD_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    returned = _header(head, b"return-path")
    if returned is not None:
        return _address(returned)
    return _address(_header(head, b"from") or b"")


def header_of(raw: bytes, name: str) -> str:
    """Return the first header field of that name of a stored message, empty when there is none."""
    head = raw[:HEAD_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    value = _header(head, name.lower().encode())
    return value.decode("utf-8", "replace").strip() if value else ""


def delivered_to(raw: bytes) -> list[str]:
    """Return the addresses that a stored message was delivered to, as servers noted on top."""
    return _list_addresses(raw, _DELIVERED)


def written_to(raw: bytes) -> list[str]:
    """Return the addresses in To and Cc of a stored message."""
    return _list_addresses(raw, _WRITTEN_TO)


def _list_addresses(raw: bytes, fields: Any) -> list[str]:  # noqa: ANN401  # a pattern of RE2
    head = raw[:HEAD_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    addresses_named = [
        address_octets.decode("utf-8", "replace")
        for line in fields.findall(head)
        for address_octets in _BARE.findall(line)
    ]
    return [
        address for address in dict.fromkeys(addresses_named[:MOST_NAMED]) if is_address(address)
    ]


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Give the files that hold messages, folders opened."""
    for path in paths:
        try:
            is_folder, exists = path.is_dir(), path.exists()
        except OSError as error:  # a name that is too long, or a folder that may not be entered
            raise _unreadable(path, error) from error
        if is_folder:
            yield from _folder(path)
        elif exists:
            yield path
        else:
            raise NotFoundError(f"no file or folder {str(path)!r}; name one that exists")


def _entries(folder: Path) -> list[Path]:
    """Return what a folder holds, by name; raises UnreadableMailError."""
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise UnreadableMailError(
            f"the folder {str(folder)!r} cannot be read: {error.strerror}"
        ) from error


def _folder(folder: Path) -> Iterator[Path]:
    """Give the files with messages in a folder and below it; of a Maildir, those of mail."""
    entries = _entries(folder)
    is_maildir = (folder / "cur").is_dir() and (folder / "new").is_dir()
    for entry in entries:
        if is_maildir and entry.name in {"cur", "new"}:
            yield from (file for file in _entries(entry) if file.is_file())
        elif is_maildir and entry.name == "tmp":
            continue
        elif entry.is_dir() and not entry.is_symlink():
            yield from _folder(entry)
        elif entry.suffix.lower() in MAIL_ENDINGS | MBOX_ENDINGS or (
            not entry.suffix and entry.is_file() and _is_mbox(entry)
        ):
            yield entry


def _is_mbox(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            line = file.readline(1000)
    except OSError as error:
        raise _unreadable(path, error) from error
    return bool(_FROM_LINE.match(line)) or path.suffix.lower() in MBOX_ENDINGS


def _count(path: Path) -> int:
    return sum(1 for _ in _spans(path)) if _is_mbox(path) else 1


def _spans(path: Path) -> Iterator[tuple[int, int]]:
    """Give the (start, end) of every message of an mbox, its `From ` line left out."""
    try:
        if not path.stat().st_size:
            return
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
        ):
            start = -1
            at = 0 if mapped[:5] == b"From " else _next_from(mapped, 0)
            while at >= 0:
                if start >= 0:
                    yield start, at
                end = mapped.find(b"\n", at)
                start = len(mapped) if end < 0 else end + 1
                at = _next_from(mapped, start - 1)
            if start >= 0:
                yield start, len(mapped)
    except OSError as error:
        raise _unreadable(path, error) from error


def _next_from(mapped: mmap.mmap, start: int) -> int:
    """Return where the next separator begins, -1 when there is none."""
    at = mapped.find(b"\nFrom ", max(start, 0))
    while at >= 0:
        end = mapped.find(b"\n", at + 1)
        if end < 0:
            return -1
        if end - at < 1000 and _FROM_LINE.match(mapped[at + 1 : end + 1]):
            return at + 1
        at = mapped.find(b"\nFrom ", end)
    return -1


def _mbox(path: Path) -> Iterator[tuple[str, bytes]]:
    for number, (start, end) in enumerate(_spans(path), start=1):
        try:
            with path.open("rb") as file:
                file.seek(start)
                raw = file.read(end - start)
        except OSError as error:
            raise _unreadable(path, error) from error
        # The blank line before the next separator belongs to the mbox, not to the message.
        if raw.endswith(b"\r\n\r\n"):
            raw = raw[:-2]
        elif raw.endswith(b"\n\n"):
            raw = raw[:-1]
        yield f"{path}#{number}", _QUOTED_FROM.sub(rb"\1", raw)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: OSError) -> UnreadableMailError:
    return UnreadableMailError(
        f"the file {str(path)!r} cannot be read: {error.strerror or error}; check its permissions"
    )


def _header(head: bytes, name: bytes) -> bytes | None:
    """Return the first header of that name, unfolded; None when there is none."""
    value: bytes | None = None
    for line in head.split(b"\n"):
        if value is not None:
            if not line.startswith((b" ", b"\t")):
                break
            value += line
        elif line[: len(name) + 1].lower() == name + b":":
            value = line[len(name) + 1 :]
    return value


def _address(value: bytes) -> str:
    value = _QUOTED_STRING.sub(b"", value)  # a display name may hold what looks like an address
    match = _ANGLE.search(value) or _BARE.search(value)
    address = match.group(1).decode("utf-8", "replace") if match else ""
    return address if is_address(address) else ""

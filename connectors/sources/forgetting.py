"""Taking one person's lines out of contacts, accounts and history.

What these files hold would come back at the next load. All other lines stay as they are, byte by
byte; of a line that cannot be loaded the address is looked at alone.
"""

import csv
import io
import json
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from connectors.disk import sync_folder
from connectors.sources.account_files import FETCHED, OWN
from data.errors import OutsidePermanentError

CONTACTS, HISTORY = "contacts.csv", "history.jsonl"
FILES = (CONTACTS, HISTORY, OWN, FETCHED)


def count_records(folder: Path, addresses: Collection[str]) -> dict[str, int]:
    """Return how many records on one of these addresses (lower-cased) each file holds, by name.

    Files without such a record are not named.
    """
    count_by_file = {}
    for name in FILES:
        count = sum(theirs for theirs, _ in _records(folder / name, addresses))
        if count:
            count_by_file[name] = count
    return count_by_file


def read_lines_on(path: Path, addresses: Collection[str]) -> list[str]:
    """Return the lines of a file that are on one of these addresses, below the header of a CSV."""
    head = [] if path.name == HISTORY else _read_lines(path)[:1]
    return [*head, *(line for theirs, own in _records(path, addresses) if theirs for line in own)]


def forget(folder: Path, addresses: Collection[str]) -> None:
    """Write each file that has records on these addresses (lower-cased) anew without them.

    Each is replaced in one step.

    Raises:
        OutsidePermanentError: a file cannot be written.

    """
    for name in count_records(folder, addresses):
        path = folder / name
        kept_lines = [
            line for theirs, lines in _records(path, addresses) if not theirs for line in lines
        ]
        try:
            _replace(path, "".join(kept_lines).encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise OutsidePermanentError(
                f"{str(path)!r} cannot be written without the contact: {error.strerror or error}; "
                "let this account write it, and erase again"
            ) from error


def _read_lines(path: Path) -> list[str]:
    """Return the lines of a file with their ends; none where there is no such file.

    They end where the readers of these files say so, at CR and LF alone: a value may hold U+2028
    and the like, at which `str.splitlines` would part it.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    return list(io.StringIO(content.decode("utf-8", "surrogateescape"), newline=""))


def _records(path: Path, addresses: Collection[str]) -> Iterator[tuple[bool, list[str]]]:
    """Yield for each record of a file whether it is on one of the addresses, and its lines."""
    lines = _read_lines(path)
    if path.name == HISTORY:
        for line in lines:
            yield _contact_of(line) in addresses, [line]
        return
    header: list[str] = []
    for values, own in _rows(lines):
        if not header:
            header = [value.strip().lstrip("\ufeff") for value in values]
            yield False, own
            continue
        fields = dict(zip(header, values, strict=False))
        yield fields.get("email", "").strip().lower() in addresses, own


def _rows(lines: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the values of each record of a CSV with its lines, read as strictly as it is loaded.

    A line that cannot be read so is one record: a quote that nobody closed would take all that
    stands below it along.
    """
    done = 0
    while done < len(lines):
        begin = done
        reader = csv.reader(map(lines.__getitem__, range(begin, len(lines))), strict=True)
        try:
            for values in reader:
                own, done = lines[done : begin + reader.line_num], begin + reader.line_num
                yield values, own
        except csv.Error:
            yield _loosely(lines[done]), [lines[done]]
            done += 1


def _loosely(line: str) -> list[str]:
    """Return the values of one line, however its quotes stand; none where they are too long."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _contact_of(line: str) -> str:
    try:
        fields = json.loads(line.removeprefix("\ufeff"))  # editors put one before the first line
    except (ValueError, RecursionError):
        return ""
    contact = fields.get("contact") if isinstance(fields, dict) else None
    return contact.strip().lower() if isinstance(contact, str) else ""


def _replace(path: Path, content: bytes) -> None:
    path = path.resolve()  # a link stays a link
    scratch = path.with_name(f".{path.name}.fresh")
    with scratch.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    scratch.chmod(path.stat().st_mode & 0o777)
    scratch.replace(path)
    sync_folder(path.parent)

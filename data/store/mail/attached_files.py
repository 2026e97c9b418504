"""Files of our own: on letters that are being written, and on what is in the outbox."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from data.errors import NotFoundError
from data.records.mail.attaching import AttachedFile, EnclosedFile
from data.store.core.database import Connection
from data.store.core.leftovers import list_without_owner
from data.store.core.statements import Fields, columns, insert, records, update

NAMED = "SELECT sha256 FROM attached_files UNION ALL SELECT sha256 FROM delivery_files"
"""The hashes of every file of ours that some row names."""
_SHOWN = frozenset(AttachedFile.model_fields)


class AttachedRow(NamedTuple):
    """A file on the letter of a case."""

    id: str
    case_id: str
    filename: str
    content_type: str
    size_bytes: int
    sha256: str
    warnings: list[str]
    added_by: str
    added_at: datetime
    left_out_at: datetime | None
    """Since when it is no part of the letter; None while it is."""


class DeliveryFileRow(NamedTuple):
    """A file of something in the outbox."""

    delivery_id: str
    place: int
    filename: str
    content_type: str
    size_bytes: int
    sha256: str


def list_of_cases(
    cursor: Connection, case_ids: Sequence[str]
) -> dict[str, tuple[AttachedFile, ...]]:
    """Return the files on the letters of these cases, in the order they were attached."""
    attached_rows = records(
        cursor,
        AttachedRow,
        "SELECT * FROM attached_files WHERE case_id IN ? AND left_out_at IS NULL",
        [list(case_ids)],
    )
    files: dict[str, tuple[AttachedFile, ...]] = {}
    for row in sorted(attached_rows, key=lambda row: (row.added_at, row.id)):
        shown_fields = {name: value for name, value in row._asdict().items() if name in _SHOWN}
        files[row.case_id] = (
            *files.get(row.case_id, ()),
            AttachedFile.model_validate(shown_fields),
        )
    return files


def list_of_case(cursor: Connection, case_id: str) -> tuple[AttachedFile, ...]:
    """Return the files on the letter of a case, in the order they were attached."""
    return list_of_cases(cursor, [case_id]).get(case_id, ())


def read_file(cursor: Connection, case_id: str, file_id: str) -> AttachedFile:
    """Return one file of the letter of a case.

    Raises:
        NotFoundError: it has none of that id.

    """
    for file in list_of_case(cursor, case_id):
        if file.id == file_id:
            return file
    raise NotFoundError(f"the letter of case {case_id!r} has no file {file_id!r}")


def add(cursor: Connection, fields: Fields) -> None:
    """Note a file, which is no part of the letter yet where `left_out_at` is set."""
    insert(cursor, "attached_files", [fields])


def change(cursor: Connection, case_id: str, changed: Sequence[Fields]) -> None:
    """Set fields of files of a case, each given with its `id`."""
    update(cursor, "attached_files", changed)
    _note_counts(cursor, [case_id])


def hand_on(cursor: Connection, heirs: Sequence[str], now: datetime) -> None:
    """Put files onto the letters of these cases, from those of the cases that they took over.

    A file that was on several of them is on the letter once.
    """
    cursor.execute(
        "UPDATE attached_files SET case_id = c.superseded_by FROM cases c "
        "WHERE c.id = attached_files.case_id AND c.superseded_by IN ?",
        [list(heirs)],
    )
    cursor.execute(
        "UPDATE attached_files SET left_out_at = ? WHERE id IN (SELECT id FROM attached_files "
        "WHERE case_id IN ? AND left_out_at IS NULL QUALIFY row_number() OVER "
        "(PARTITION BY case_id, sha256, filename ORDER BY added_at, id) > 1)",
        [now, list(heirs)],
    )
    _note_counts(cursor, heirs)


def _note_counts(cursor: Connection, case_ids: Sequence[str]) -> None:
    """Note with cases, and with those that they took over, how many files their letters carry."""
    ids = list(case_ids)
    cursor.execute(
        "UPDATE cases SET files = (SELECT count(*) FROM attached_files a "
        "WHERE a.case_id = cases.id AND a.left_out_at IS NULL) "
        "WHERE (id IN ? OR superseded_by IN ?)",
        [ids, ids],
    )


def add_enclosed(cursor: Connection, delivery_id: str, files: Sequence[EnclosedFile]) -> None:
    """Note the files of something that goes into the outbox, in the order of the message."""
    names = ("filename", "content_type", "size_bytes", "sha256")
    insert(
        cursor,
        "delivery_files",
        [
            {"delivery_id": delivery_id, "place": place}
            | {name: getattr(file, name) for name in names}
            for place, file in enumerate(files)
        ],
    )


def list_of_deliveries(
    cursor: Connection, delivery_ids: Sequence[str]
) -> dict[str, tuple[EnclosedFile, ...]]:
    """Return the files of these entries of the outbox, in the order of the message."""
    if not delivery_ids:
        return {}
    file_rows = records(
        cursor,
        DeliveryFileRow,
        f"SELECT {columns(DeliveryFileRow)} FROM delivery_files WHERE delivery_id IN ?",
        [list(delivery_ids)],
    )
    files: dict[str, tuple[EnclosedFile, ...]] = {}
    for row in sorted(file_rows, key=lambda row: row.place):
        file = EnclosedFile(
            filename=row.filename,
            content_type=row.content_type,
            size_bytes=row.size_bytes,
            sha256=row.sha256,
        )
        files[row.delivery_id] = (*files.get(row.delivery_id, ()), file)
    return files


def forget(
    cursor: Connection, left_out_before: datetime, closed_before: datetime | None
) -> list[str]:
    """Delete what is no part of a letter any more; return the hashes that no row names now.

    Args:
        cursor: a writing cursor.
        left_out_before: what was taken off, or never wholly kept, before this goes.
        closed_before: files on letters of cases that were closed without one before this go;
            None keeps them.

    """
    rows = cursor.execute(
        "DELETE FROM attached_files WHERE left_out_at < $left_out OR case_id IN ("
        "SELECT id FROM cases WHERE state = 'archived' AND changed_at < $closed) "
        "RETURNING sha256, case_id",
        {"left_out": left_out_before, "closed": closed_before},
    ).fetchall()
    if rows:
        _note_counts(cursor, sorted({str(case) for _, case in rows}))
    return list_without_owner(cursor, sorted({str(sha256) for sha256, _ in rows}))

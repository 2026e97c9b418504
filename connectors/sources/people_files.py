"""Contacts from CSV (RFC 4180) and earlier mail from JSON Lines."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, date
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, Field

from connectors.sources.reading import TableReading, read_files
from data.errors import ManifestError
from data.manifest_files import content_hash, read_text, validate_values
from data.records.core.record import Record


class ContactLine(Record):
    """One line of contacts.csv; the header names the columns, in any order."""

    email: str = Field(pattern=r"^[^\s@<>]+@[^\s@<>]+$")
    name: str = ""
    company: str = ""
    language: str = Field(default="", pattern=r"^([a-z]{2,3})?$")
    """ISO 639-1 code."""
    since: date | None = None
    """First day as a contact."""
    plan_or_account: str = ""
    notes: str = ""


class HistoryLine(Record):
    """One line of history.jsonl: an earlier message to or from a contact."""

    contact: str = Field(pattern=r"^[^\s@<>]+@[^\s@<>]+$")
    direction: Literal["inbound", "outbound"]
    at: AwareDatetime
    """When it was written, with its offset."""
    subject: str = ""
    text: str
    message_id: str | None = None
    in_reply_to: str | None = None


def read_contact_file(folder: Path) -> TableReading:
    """Read `contacts.csv`; the lower-cased address is the id."""
    return read_files(folder, folder.glob("contacts.csv"), _read_contacts)


def _read_contacts(path: Path, name: str, reading: TableReading) -> None:
    read_table(path, name, reading, tuple(ContactLine.model_fields), _add_contact)


def read_table(
    path: Path,
    name: str,
    reading: TableReading,
    columns: Sequence[str],
    add: Callable[[dict[str, str], str, str, TableReading], None],
) -> None:
    """Give each line of a CSV with a column `email` to `add`, without its empty values.

    Raises:
        ManifestError: the file is no such CSV.

    """
    lines = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = lines.fieldnames or ()
        if "email" not in header:
            raise ManifestError(
                f"{name!r} has no column 'email'; its first line must name the columns: "
                + ",".join(columns)
            )
        for line in lines:
            place = f" line {lines.line_num}"
            if None in line or None in line.values():  # how DictReader shows too many and too few
                reading.fail(
                    name,
                    f"'{name}{place}' has not as many values as the header; put a value that holds "
                    "a comma in quotes",
                )
                continue
            add(
                {key: value.strip() for key, value in line.items() if value.strip()},
                name,
                place,
                reading,
            )
    except csv.Error as error:
        raise ManifestError(
            f"'{name} line {lines.line_num}' is not CSV: {error}; mend the quotes"
        ) from error


def _add_contact(fields: dict[str, str], name: str, place: str, reading: TableReading) -> None:
    try:
        contact = validate_values(ContactLine, fields, f"{name}{place}")
    except ManifestError as error:
        reading.fail(name, str(error))
        return
    email = contact.email.lower()
    reading.add({**contact.model_dump(), "id": email, "email": email}, name, place)


def read_history_file(folder: Path) -> TableReading:
    """Read `history.jsonl`; a line's id is a hash of what it says."""
    return read_files(folder, folder.glob("history.jsonl"), _read_history)


def _read_history(path: Path, name: str, reading: TableReading) -> None:
    # split at line feeds alone: a JSON text may hold U+2028 and the like as they are
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            try:
                _add_history(line, name, f" line {number}", reading)
            except ManifestError as error:
                reading.fail(name, str(error))


def _add_history(line: str, name: str, place: str, reading: TableReading) -> None:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"'{name}{place}' is not JSON: {error}; mend the line") from error
    if not isinstance(values, dict):
        raise ManifestError(f"'{name}{place}' is no JSON object; write one object a line")
    entry = validate_values(HistoryLine, values, f"{name}{place}")
    try:
        sent_at = entry.at.astimezone(UTC)
    except OverflowError:  # within a day of the first or the last one that there is
        raise ManifestError(f"'{name}{place}': key 'at' is no time in UTC; mend it") from None
    contact = entry.contact.lower()
    identity = (contact, entry.direction, sent_at.isoformat(), entry.message_id, entry.subject)
    row = {
        "id": content_hash(*identity, entry.text),
        "contact": contact,
        "outbound": entry.direction == "outbound",
        "sent_at": sent_at,
        "subject": entry.subject,
        "text": entry.text,
        "message_id": entry.message_id,
        "in_reply_to": entry.in_reply_to,
    }
    reading.add(row, name, place)

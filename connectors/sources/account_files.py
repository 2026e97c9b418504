"""Account records from CSV (RFC 4180): what a person wrote, and what an outside system gave."""

from datetime import date
from pathlib import Path

from pydantic import Field

from connectors.sources.people_files import read_table
from connectors.sources.reading import TableReading, read_files
from data.errors import ManifestError
from data.manifest_files import validate_values
from data.records.core.record import Record

OWN, FETCHED = "accounts.csv", "accounts.fetched.csv"
"""Written by people, and written from what `accounts` of the policy names."""


class AccountLine(Record):
    """One line of accounts.csv; the header names the columns, in any order."""

    email: str = Field(pattern=r"^[^\s@<>]+@[^\s@<>]+$")
    account: str = Field(default="", max_length=100)
    plan: str = Field(default="", max_length=200)
    status: str = Field(default="", max_length=100)
    renewal: date | None = None
    balance: str = Field(default="", max_length=60)
    orders: str = Field(default="", max_length=400)


def read_account_files(folder: Path) -> TableReading:
    """Read `accounts.csv` and what was fetched; address and account are the id."""
    return read_files(
        folder, (folder / name for name in (OWN, FETCHED) if (folder / name).exists()), _read
    )


def _read(path: Path, name: str, reading: TableReading) -> None:
    read_table(path, name, reading, tuple(AccountLine.model_fields), _add)


def _add(fields: dict[str, str], name: str, place: str, reading: TableReading) -> None:
    try:
        line = validate_values(AccountLine, fields, f"{name}{place}")
    except ManifestError as error:
        reading.fail(name, str(error))
        return
    email = line.email.lower()
    row_id = f"{email} {line.account}".strip()
    reading.add({**line.model_dump(), "id": row_id, "email": email}, name, place)

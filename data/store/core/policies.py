"""The wordings that the policy has had: the newest counts, and says where it is kept."""

from datetime import datetime
from typing import NamedTuple

from data.errors import ConflictError, NotFoundError
from data.records.core.organization import Policy
from data.records.core.policies import PolicyPlace, PolicyVersion
from data.store.core.database import Connection
from data.store.core.statements import insert, records

FILE = "policy.yaml"
"""Who wrote what a sync has found in the file."""


class PolicyRow(NamedTuple):
    """One wording."""

    number: int
    place: str
    text: str
    policy: str
    """As it counted then, JSON."""
    author: str
    note: str
    written_at: datetime


def read_newest(cursor: Connection) -> PolicyRow | None:
    """Return the wording that counts; None where there never was one."""
    listed = records(
        cursor, PolicyRow, "SELECT * FROM policy_versions ORDER BY number DESC LIMIT 1"
    )
    return listed[0] if listed else None


def read_last_of_file(cursor: Connection) -> str:
    """Return the text of the file as it last counted; empty where it never did."""
    listed = records(
        cursor,
        PolicyRow,
        "SELECT * FROM policy_versions WHERE place = 'file' ORDER BY number DESC LIMIT 1",
    )
    return listed[0].text if listed else ""


def read_version(cursor: Connection, number: int) -> PolicyVersion:
    """Return one wording.

    Raises:
        NotFoundError: there is none of that number.

    """
    listed = records(cursor, PolicyRow, "SELECT * FROM policy_versions WHERE number = ?", [number])
    if not listed:
        raise NotFoundError(f"the policy has no version {number}; `postern policy versions` lists")
    return as_version(listed[0])


def list_versions(cursor: Connection, *, limit: int = 200) -> tuple[PolicyVersion, ...]:
    """Return the wordings, the newest first."""
    listed = records(
        cursor,
        PolicyRow,
        "SELECT * FROM policy_versions ORDER BY number DESC LIMIT ?",
        [limit],
    )
    return tuple(as_version(row) for row in listed)


def as_version(row: PolicyRow) -> PolicyVersion:
    """Return a row as people see it."""
    return PolicyVersion(
        number=row.number,
        place=PolicyPlace(row.place),
        text=row.text,
        author=row.author,
        note=row.note,
        written_at=row.written_at,
    )


def write_version(
    cursor: Connection,
    text: str,
    policy: Policy,
    *,
    place: PolicyPlace,
    author: str,
    now: datetime,
    note: str = "",
    was: int | None = None,
) -> PolicyVersion:
    """Keep another wording, which counts from now on.

    Args:
        cursor: an open transaction.
        text: the wording.
        policy: what it says over the defaults.
        place: where the policy is kept from now on.
        author: who wrote it.
        now: when.
        note: why.
        was: the version that it was written over; None where that does not matter.

    Raises:
        ConflictError: there is a newer version than `was`.

    """
    before = read_newest(cursor)
    number = before.number if before else 0
    if was is not None and was != number:
        who = before.author if before else ""
        raise ConflictError(
            f"{who} has changed the policy meanwhile (version {number}); look at it again"
        )
    insert(
        cursor,
        "policy_versions",
        [
            {
                "number": number + 1,
                "place": place.value,
                "text": text,
                "policy": policy.model_dump_json(),
                "author": author,
                "note": note,
                "written_at": now,
            }
        ],
    )
    return read_version(cursor, number + 1)

"""What the organization says of itself to agents; each wording is kept."""

from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from data.errors import ConflictError
from data.records.agents.business import BusinessProfile, EditBusinessProfile, Reference
from data.store.core.database import Connection, insert, rows

_REFERENCES = TypeAdapter(tuple[Reference, ...])


def current(cursor: Connection) -> BusinessProfile:
    """Return the profile as it is now; version 0 where nobody has written one."""
    newest = versions(cursor, limit=1)
    return newest[0] if newest else BusinessProfile(version=0)


def versions(cursor: Connection, *, limit: int = 100) -> tuple[BusinessProfile, ...]:
    """Return the wordings that the profile has had, the newest first."""
    listed = rows(cursor, "SELECT * FROM business_profiles ORDER BY version DESC LIMIT ?", [limit])
    return tuple(_profile(row) for row in listed)


def _profile(row: dict[str, Any]) -> BusinessProfile:
    return BusinessProfile(
        version=row["version"],
        markdown=row["markdown"],
        references=_REFERENCES.validate_json(row["refers_to"]),
        author=row["author"],
        written_at=row["written_at"],
    )


def write(
    cursor: Connection, wanted: EditBusinessProfile, author: str, now: datetime
) -> BusinessProfile:
    """Write another version of the profile.

    Raises:
        ConflictError: it is no longer the version that was read.

    """
    before = current(cursor)
    if wanted.was and wanted.was != before.version:
        raise ConflictError("the profile was changed by somebody else meanwhile; read it again")
    insert(
        cursor,
        "business_profiles",
        [
            {
                "version": before.version + 1,
                "markdown": wanted.markdown,
                "refers_to": _REFERENCES.dump_json(wanted.references).decode(),
                "author": author,
                "written_at": now,
            }
        ],
    )
    return current(cursor)

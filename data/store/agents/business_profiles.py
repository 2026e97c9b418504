"""Versions of the business profile, which agents are told; each wording is kept."""

from datetime import datetime
from typing import NamedTuple

from pydantic import TypeAdapter

from data.errors import ConflictError, NotFoundError
from data.records.agents.business import BusinessProfile, EditBusinessProfile, Reference
from data.store.core.database import Connection
from data.store.core.statements import insert, records

_REFERENCES = TypeAdapter(tuple[Reference, ...])


class _ProfileRow(NamedTuple):
    """One wording of the profile."""

    version: int
    markdown: str
    refers_to: str
    author: str
    written_at: datetime

    @property
    def profile(self) -> BusinessProfile:
        """The wording as it is worked with."""
        return BusinessProfile(
            version=self.version,
            markdown=self.markdown,
            references=_REFERENCES.validate_json(self.refers_to),
            author=self.author,
            written_at=self.written_at,
        )


def read_current(cursor: Connection) -> BusinessProfile:
    """Return the profile as it is now; version 0 where nobody has written one."""
    newest = list_versions(cursor, limit=1)
    return newest[0] if newest else BusinessProfile(version=0)


def list_versions(cursor: Connection, *, limit: int = 100) -> tuple[BusinessProfile, ...]:
    """Return the wordings that the profile has had, the newest first."""
    statement = "SELECT * FROM business_profiles ORDER BY version DESC LIMIT ?"
    return tuple(row.profile for row in records(cursor, _ProfileRow, statement, [limit]))


def read_version(cursor: Connection, number: int) -> BusinessProfile:
    """Return the profile in one version; 0 is the empty one before all others.

    Raises:
        NotFoundError: there is none of that number.

    """
    if number == 0:
        return BusinessProfile(version=0)
    statement = "SELECT * FROM business_profiles WHERE version = ?"
    listed = records(cursor, _ProfileRow, statement, [number])
    if not listed:
        raise NotFoundError(
            f"the business profile has no version {number}; `postern business versions` lists them"
        )
    return listed[0].profile


def write_version(
    cursor: Connection, business_profile: EditBusinessProfile, author: str, now: datetime
) -> BusinessProfile:
    """Write another version of the profile.

    Raises:
        ConflictError: it is no longer the version that was read.

    """
    before = read_current(cursor)
    if business_profile.was not in (None, before.version):
        raise ConflictError("the profile was changed by somebody else meanwhile; read it again")
    insert(
        cursor,
        "business_profiles",
        [
            {
                "version": before.version + 1,
                "markdown": business_profile.markdown,
                "refers_to": _REFERENCES.dump_json(business_profile.references).decode(),
                "author": author,
                "written_at": now,
            }
        ],
    )
    return read_current(cursor)

"""The library for agents: templates of agents and strategies of memory, each in versions."""

from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.manifest_format import EntryRef, Slug
from data.records.core.record import ReasonText, Record


class EntryKind(StrEnum):
    """What an entry of the library is."""

    AGENT = "agent"  #: a template that any number of agents are made from
    ASSEMBLY = "assembly"  #: what a model is told before it thinks
    EXTRACTION = "extraction"  #: what is kept of what is said by the way


class LibraryEntry(Record):
    """One entry of the library, in its newest version."""

    kind: EntryKind
    name: Slug
    version: int = Field(ge=0)
    """Counts its wordings; 0 of one that came with Postern."""
    hash: str
    """Of its content, 12 hexadecimal digits."""
    description: str
    built_in: bool = False
    """Whether it came with Postern; such an entry is not changed."""
    used_by: tuple[str, ...] = ()
    """Slugs of the agents that name it, or were made from it."""


class LibraryEntryList(Record):
    """What the library has, by kind and name."""

    items: tuple[LibraryEntry, ...]


class LibraryVersion(Record):
    """One wording of an entry."""

    version: int = Field(ge=0)
    content: str
    """YAML; empty where the entry was taken out of the library."""
    author: str
    note: str = ""
    made_at: AwareDatetime | None = None


class EntryVersionList(Record):
    """Every wording of an entry, the newest first."""

    items: tuple[LibraryVersion, ...]


class NewEntry(Record):
    """A wording of an entry, to be its newest."""

    content: str = Field(min_length=1, max_length=200_000)
    reason: ReasonText
    version: int | None = Field(default=None, ge=1)
    """The version that was changed; another one in the meantime is a conflict."""


class EntryUse(Record):
    """Which wording of an entry a turn worked by."""

    ref: EntryRef
    version: int = Field(ge=0)
    hash: str

    @property
    def version_id(self) -> str:
        """As the journal keeps it, e.g. `grounded@0+9f2c11e07a3b`."""
        return f"{self.ref.partition('@')[0]}@{self.version}+{self.hash}"

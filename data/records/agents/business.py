"""The business profile, which an organization gives to every agent, and what it refers to."""

from typing import Literal

from pydantic import AwareDatetime, Field

from data.records.core.record import Line, Record

LONGEST_PROFILE = 12_000
"""Characters of a profile."""
MOST_REFERENCES, LONGEST_EXCERPT = 10, 600
"""References that a prompt holds, and characters of each."""


ReferenceKind = Literal["knowledge", "memory", "case", "contact"]


class Reference(Record):
    """Something that is looked up anew each time the profile is told."""

    kind: ReferenceKind
    """An entry of knowledge, an item of the organization's memory, a case or a contact."""
    id: Line
    """Of a contact the address."""
    label: str = Field(default="", max_length=200)
    """As people call it."""


class EditBusinessProfile(Record):
    """The profile as it shall be."""

    markdown: str = Field(max_length=LONGEST_PROFILE)
    references: tuple[Reference, ...] = Field(default=(), max_length=50)
    was: int | None = Field(default=None, ge=0)
    """Version that was read, 0 where nobody had written one; None for any."""


class BusinessProfile(Record):
    """The profile in one version."""

    version: int = Field(ge=0)
    """0 before anybody has written one."""
    markdown: str = ""
    references: tuple[Reference, ...] = ()
    author: str = ""
    written_at: AwareDatetime | None = None

    @property
    def wording(self) -> str:
        """Markdown and references as one text, which two versions are compared by."""
        referring = [
            f"Refers to: {reference.label or reference.id} ({reference.kind})"
            for reference in self.references
        ]
        return "\n".join((self.markdown.rstrip("\n"), *referring))


class ProfileVersions(Record):
    """Every wording that the profile has had, the newest first."""

    items: tuple[BusinessProfile, ...]


class RestoreProfile(Record):
    """An order to let an earlier wording count again, as one more version."""

    version: int = Field(ge=1)
    was: int | None = Field(default=None, ge=0)
    """Newest version that was read; None for any."""


class ResolvedReference(Record):
    """A reference as it reads now."""

    kind: ReferenceKind
    id: str
    label: str
    excerpt: str
    of_strangers: bool = False
    """Whether it holds what strangers wrote."""


class ToldProfile(Record):
    """The profile as agents get it."""

    profile: BusinessProfile
    references: tuple[ResolvedReference, ...] = ()
    unresolved: int = Field(default=0, ge=0)
    """References that lead to nothing, or are beyond those that are told."""

    @property
    def text(self) -> str:
        """All of it as one text."""
        parts = [self.profile.markdown.strip()]
        parts += [f"{reference.label}: {reference.excerpt}" for reference in self.references]
        if self.unresolved:
            parts.append(f"+{self.unresolved} unresolved")
        return "\n\n".join(part for part in parts if part)

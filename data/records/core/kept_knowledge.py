"""Knowledge that people write and change here, and what they write it from."""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime, Field

from data.records.core.knowledge import KnowledgeKind
from data.records.core.record import Line, Record

LONGEST_ENTRY = 20_000
"""Characters of an entry's text."""
LONGEST_FILE = 3_900_000
"""Characters of an uploaded file in base64."""
MOST_SECTIONS = 60
MOST_TITLE = 200
"""Characters of an entry's title."""


class KeptState(StrEnum):
    """What becomes of an entry that people have written here."""

    KEPT = "kept"  #: it counts as it is written here
    RETIRED = "retired"  #: nothing rests on it, nor on a file's of the same name
    FILE = "file"  #: the file of the same name counts again


class WriteEntry(Record):
    """An entry as a person writes it; the keys are those of a file."""

    title: str = Field(min_length=3, max_length=MOST_TITLE)
    body: str = Field(min_length=3, max_length=LONGEST_ENTRY)
    kind: KnowledgeKind = KnowledgeKind.FACT
    language: str = Field(default="en", pattern=r"^[a-z]{2,3}$")
    tags: tuple[Line, ...] = Field(default=(), max_length=20)
    significance: float = Field(default=0.5, ge=0, le=1)
    valid_from: date | None = None
    valid_until: date | None = None
    public: bool = True
    half_life_days: int | None = Field(default=None, ge=1, le=36_500)
    checked_on: date | None = None
    supersedes: tuple[Line, ...] = Field(default=(), max_length=20)
    belongs_to: tuple[Line, ...] = Field(default=(), max_length=20)
    contradicts: tuple[Line, ...] = Field(default=(), max_length=20)


class KeepEntry(Record):
    """An order to keep an entry."""

    entry: WriteEntry
    was: int = Field(default=0, ge=0)
    """Number of the version that it was written over; 0 for a new one or for a file's."""
    note: str = Field(default="", max_length=500)


class TurnEntry(Record):
    """An order to restore a version, to retire an entry, or to give it back to its file."""

    was: int = Field(ge=0)
    restore: int | None = Field(default=None, ge=1)
    """The version that is to count again."""


class EntryVersion(Record):
    """One wording of an entry."""

    number: int
    state: KeptState
    entry: WriteEntry
    author: str
    note: str = ""
    written_at: AwareDatetime
    lines: tuple[str, ...] = ()
    """What it has different from the version before, as lines of a diff without its head."""


class EntryVersions(Record):
    """Every wording of an entry that was written here, the newest first."""

    items: tuple[EntryVersion, ...]


class GivenFile(Record):
    """A file that somebody wants to make knowledge of."""

    filename: str = Field(min_length=1, max_length=200)
    content: str = Field(max_length=LONGEST_FILE)
    """Its bytes, base64."""


class ReadFile(Record):
    """What a file says, as entries that somebody may keep; nothing is kept yet."""

    kind: str = ""
    sections: tuple[WriteEntry, ...] = ()
    cut: bool = False
    """Whether there is more than was read."""
    hidden: tuple[str, ...] = ()
    """Words in it that its reader would not see; they are in no section."""
    trouble: str = ""
    """Why it could not be read, in a sentence."""


class OpenQuestion(Record):
    """What somebody asked and the knowledge did not answer."""

    question: str
    """In the sender's words; to be drawn inert."""
    category: str | None
    case_id: str
    asked_at: AwareDatetime


class OpenQuestions(Record):
    """The newest of them."""

    items: tuple[OpenQuestion, ...]

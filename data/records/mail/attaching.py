"""Files of our own on a letter: as they are attached, and as they leave."""

from pydantic import AwareDatetime

from data.records.core.record import Record


class EnclosedFile(Record):
    """A file of a letter, by what an approval signs of it."""

    filename: str
    content_type: str
    """As the message declares it; for text with its charset."""
    size_bytes: int
    sha256: str

    @property
    def signed(self) -> str:
        """What an approval signs of it: its bytes by their hash, its type and its name."""
        return f"{self.sha256} {self.content_type} {self.filename}"


class AttachedFile(EnclosedFile):
    """A file that a person has attached to a letter that has not left."""

    id: str
    warnings: tuple[str, ...] = ()
    """What a person should know of it before it leaves, one sentence each."""
    added_by: str
    added_at: AwareDatetime


class DetachFile(Record):
    """Take a file off the letter of a case."""

    version: int
    """The case's, as it was shown."""

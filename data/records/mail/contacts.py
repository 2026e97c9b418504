"""The data held on one contact, counted, and its erasure."""

from pydantic import AwareDatetime, Field

from data.records.core.record import Line, Record


class EraseContact(Record):
    """An order to erase a contact's data."""

    address: str = Field(min_length=3, max_length=320)
    keep_learned: bool = False
    """Whether knowledge that a person has accepted stays, without the case that it came from."""
    also: tuple[Line, ...] = Field(default=(), max_length=20)
    """Further addresses of the same person."""


class Holdings(Record):
    """What is held on one contact, counted."""

    addresses: tuple[str, ...]
    """Every address that counts as theirs: what was asked for, and forms of it with a plus."""
    rows: dict[str, int]
    """Rows by what they are, in the order of an export; only what there is any of."""
    files: int
    """Raw messages and rendered replies in the archive that nothing else needs."""
    replies_out: int
    """Replies in the Maildir of the transport `file`."""
    sources: dict[str, int]
    """Lines of `contacts.csv` and `history.jsonl`, by file."""
    audit: int
    """Events of the audit log that name them; they stay, without the words."""
    on_hold: tuple[str, ...] = ()
    """Why it cannot be erased now, one sentence each; empty when it can."""
    stays: tuple[str, ...] = ()
    """What an erasure does not reach, one sentence each."""
    erased_before: tuple[AwareDatetime, ...] = ()
    """When data of this address was erased earlier."""

    @property
    def nothing(self) -> bool:
        """Whether nothing is held at all."""
        return not (any(self.rows.values()) or self.sources or self.files or self.replies_out)


class Erased(Record):
    """What an erasure did."""

    id: str
    finished: bool
    """False when the rest is done at the engine's next start; `note` says why."""
    rows: dict[str, int]
    files: int
    """Files removed: raw messages, rendered replies, replies in the Maildir."""
    stays: tuple[str, ...] = ()
    note: str = ""

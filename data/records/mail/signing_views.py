"""Keys that replies are signed with, and their DNS records, as people see them."""

from pydantic import Field

from data.records.core.organization import Dkim
from data.records.core.record import Record


class NewSigning(Record):
    """An order to make a key, unless it is there; nothing is signed by it yet."""

    domain: str = Field(pattern=r"^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)+$", max_length=253)
    selector: str = Field(
        default="postern", pattern=r"^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*$", max_length=63
    )


class SigningView(Record):
    """A key, the record that receivers look it up by, and what the DNS says."""

    signs: Dkim | None
    """What replies are signed with now; None for not at all."""
    dkim: Dkim | None = None
    """The key that the record is of: that which signs, or one that was made for the domain."""
    name: str = ""
    """Where the record belongs."""
    record: str = ""
    zone: str = ""
    """The same as a line of a zone file."""
    published: str = ""
    """`matches`, `differs`, `missing` or `unknown`; empty where nobody was asked."""
    sentence: str = ""
    """What the DNS says, or why there is no record."""
    aligned: bool = True
    """Whether the domain fits the sender of replies, so that DMARC can pass."""

"""Orders that begin an organization, the first of a home or one after it, and their answers."""

from pydantic import Field

from data.records.core.record import Record


class PlainOrganization(Record):
    """What has to be said of an organization before it can be answered for."""

    name: str = Field(min_length=1, max_length=200)
    """What it is called in letters."""
    address: str = Field(min_length=3, max_length=254)
    """The address that mail is answered for, which replies come from too."""
    timezone: str = Field(default="UTC", max_length=100)
    """IANA name."""
    language: str = Field(default="en", max_length=3)
    """ISO 639-1 code that it writes in when the sender's language is not known."""


class FirstOrganization(PlainOrganization):
    """The first organization of a home, and its administrator."""

    administrator: str = Field(min_length=1, max_length=100)
    """Name of the first administrator."""
    email: str = Field(default="", max_length=254)
    """The administrator's own address; empty where it is the organization's."""


class BeginningView(Record):
    """Whether a first organization can be made by who asks."""

    open: bool


class MadeOrganization(Record):
    """An organization that was made after the first."""

    slug: str
    """Its short name in addresses and folders."""
    name: str


class MadeFirst(Record):
    """What was made, and the sign-in of the administrator, shown this once."""

    slug: str
    user: str
    token: str

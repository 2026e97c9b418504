"""An order to change an organization's profile."""

from data.records.core.organization import Organization
from data.records.core.record import Record


class EditProfile(Record):
    """The whole profile as it shall be."""

    profile: Organization
    was: str = ""
    """Mark of the profile that was read (`data.store.core.profiles.mark`); empty for any."""


class ProfileView(Record):
    """A profile as it is, with the mark by which a change says what it was written over."""

    profile: Organization
    was: str

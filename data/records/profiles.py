"""An order to change an organization's profile."""

from data.records.organization import Organization
from data.records.record import Record


class EditProfile(Record):
    """The whole profile as it shall be."""

    profile: Organization
    was: str = ""
    """Mark of the profile that was read (`data.store.profiles.mark`); empty for any."""

"""What the API tells of the settings: their values, and where each was found."""

from data.records.core.record import Record


class SettingView(Record):
    """One setting, for people."""

    name: str
    value: str
    """As text; a secret that is set is told as asterisks."""
    source: str
    """`default`, the environment variable, the file, or `command line`."""
    variable: str = ""
    """The environment variable that it can be set by."""
    help: str = ""


class SettingList(Record):
    """All settings, in the order of the documentation."""

    file: str
    """The settings file that is read, whether or not it is there."""
    items: tuple[SettingView, ...]

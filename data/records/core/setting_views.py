"""Settings as the API shows them: their values, and where each was found."""

from typing import Literal

from data.records.core.authorities import Authority
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


class OutgoingView(Record):
    """How approved replies leave, and where asked, whether that way is open."""

    transport: Literal["file", "smtp"]
    """Into files of this machine, or over the relay."""
    folder: str
    """Where those files are."""
    relay_host: str
    relay_port: int
    relay_user: str = ""
    relay_tls: str
    has_password: bool = False
    relay_mailbox: str = ""
    """The mailbox by whose access tokens it is signed in to, as `organization/name`."""
    token_mailboxes: tuple[str, ...] = ()
    """Mailboxes that have access tokens, in the same form."""
    authorities: tuple[Authority, ...] = ()
    """The certificates of its private CA."""
    decided: bool = False
    """Whether somebody has said how replies leave; files are what comes by default."""
    changeable: bool = False
    """Whether an administrator may change all of it while Postern runs."""
    kept_here: tuple[str, ...] = ()
    """Settings of it that administrators have changed, so that defaults do not count."""
    answers: bool | None = None
    """Whether the relay lets us in; None where nobody has asked it."""
    trouble: str = ""
    """A sentence that says why it does not."""

    @property
    def where(self) -> str:
        """What takes replies, for people."""
        return f"{self.relay_host}:{self.relay_port}" if self.transport == "smtp" else self.folder


class FilterView(Record):
    """A spam filter of others: whether it is asked about mail, and whether it answers."""

    name: str
    setting: str
    """The setting that names its address, which switches it on."""
    example: str
    """An address, as it would be written there."""
    address: str = ""
    """Where it is asked; empty while it is off."""
    changeable: bool = False
    """Whether an administrator may change the address while Postern runs."""
    answers: bool | None = None
    """None where nobody has asked it."""
    trouble: str = ""
    """A sentence that says why it does not answer."""


class FilterList(Record):
    """The filters that Postern can ask."""

    items: tuple[FilterView, ...]
    seconds: float
    """How long each may take for one message."""
    kept_here: tuple[str, ...] = ()
    """Settings of filters that administrators have changed, so that defaults do not count."""

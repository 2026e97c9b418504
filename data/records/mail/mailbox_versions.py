"""The settings that a mailbox has had, as people kept them in Postern; never its secrets."""

from pydantic import AwareDatetime, Field

from data.records.core.record import Record
from data.records.mail.mailboxes import KeepMailbox
from data.yaml_text import yaml_text

OAUTH_SECRETS = ("client_secret", "refresh_token")
UNKNOWN_AUTHOR = "before versions were kept"
"""Who wrote what stood there when the first version was noted."""


class MailboxVersion(Record):
    """One wording of a mailbox's settings."""

    name: str
    number: int
    """1 for the first."""
    removed: bool
    """Whether it was forgotten then; the settings are the last that it had."""
    mailbox: KeepMailbox
    """Without its secrets."""
    author: str
    written_at: AwareDatetime

    @property
    def text(self) -> str:
        """The settings as `mailboxes.yaml` would have them."""
        fields = self.mailbox.model_dump(mode="json", exclude={"password"})
        if oauth := fields["oauth"]:
            fields["oauth"] = {name: oauth[name] for name in oauth if name not in OAUTH_SECRETS}
        lines = yaml_text(fields)
        return f"{lines}removed: true\n" if self.removed else lines


class MailboxVersions(Record):
    """Every wording, the newest of each mailbox first."""

    items: tuple[MailboxVersion, ...]


class RestoreMailbox(Record):
    """An order to let earlier settings count again, as one more version."""

    number: int = Field(ge=1)
    password: str = Field(default="", max_length=500)
    """Empty for the one that is kept; a mailbox that was removed has none."""
    client_secret: str = Field(default="", max_length=2000)
    """The application's secret, for settings with access tokens; empty for the one that is kept."""
    refresh_token: str = Field(default="", max_length=10_000)
    """The refresh token, for settings with access tokens; empty for the one that is kept."""
    was: int = Field(default=0, ge=0)
    """Newest version that was read; 0 for any."""

"""Settings that administrators may change while Postern runs, and what a change would do."""

from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from data.host_names import HostName
from data.mailbox_names import MAILBOX_OF
from data.records.core.prices import PriceLine
from data.records.core.record import Line, Record
from data.yaml_text import yaml_text

LONGEST_DAYS = 36_500


class SettingsChange(Record):
    """Some settings as they shall be; what is not given stays as it is."""

    archive_days: int | None = Field(default=None, ge=0, le=LONGEST_DAYS)
    """Days that raw mail is kept; 0 keeps it for ever."""
    program_chat_days: int | None = Field(default=None, ge=0, le=LONGEST_DAYS)
    """Days that chats of chat programs are kept; 0 for ever."""
    spamassassin_address: str | None = Field(default=None, max_length=300)
    """Where SpamAssassin is asked; empty for nowhere."""
    rspamd_url: str | None = Field(default=None, max_length=300)
    """Where rspamd is asked; empty for nowhere."""
    rspamd_password: str | None = Field(default=None, max_length=500)
    """Password of rspamd's controller, kept as a file and never shown again."""
    filter_seconds: float | None = Field(default=None, gt=0, le=60)
    """How long either may take for one message, seconds."""
    transport: Literal["file", "smtp"] | None = None
    """How approved replies leave: into files of this machine, or over the relay."""
    relay_host: Line | None = Field(default=None, min_length=1, max_length=255)
    """Server that takes outgoing mail."""
    relay_port: int | None = Field(default=None, ge=1, le=65535)
    """Port of that server."""
    relay_user: Line | None = Field(default=None, max_length=500)
    """Login at that server; empty for none."""
    relay_password: str | None = Field(default=None, max_length=500)
    """Password at that server, kept as a file and never shown again."""
    relay_tls: Literal["starttls", "implicit", "none"] | None = None
    """Encryption towards that server."""
    relay_ca: str | None = Field(default=None, max_length=100_000)
    """Certificates (PEM) of who signed that server's; empty for the system's."""
    relay_mailbox: Annotated[str, Field(max_length=160, pattern=MAILBOX_OF)] | None = None
    """Mailbox by whose access tokens that server is signed in to; empty for a password."""
    smtp_hostname: Annotated[HostName, Field(max_length=253)] | None = None
    """Name that the receiver greets with and that Message-IDs of replies end in."""
    llm_provider: Literal["local", "anthropic", "openai"] | None = None
    """Who thinks: Postern by itself, Anthropic, or a server that speaks chat completions."""
    llm_base_url: Line | None = Field(default=None, max_length=500)
    """Address of the model server; empty for the provider's own."""
    llm_dialect: Literal["full", "plain"] | None = None
    """How much of the API a compatible server knows."""
    llm_plain_http: bool | None = None
    """Whether mail and key may go to another machine without encryption."""
    llm_api_key: str | None = Field(default=None, max_length=500)
    """Key for the model server, kept as a file and never shown again; empty for none."""
    llm_model: Line | None = Field(default=None, max_length=200)
    """Model for every task that has none of its own."""
    llm_model_fast: Line | None = Field(default=None, max_length=200)
    """Model for guard, classify, summarize and extract."""
    llm_model_capable: Line | None = Field(default=None, max_length=200)
    """Model for plan and draft."""
    llm_prices: tuple[Annotated[PriceLine, Field(max_length=300)], ...] | None = Field(
        default=None, max_length=50
    )
    """Prices, a line each: model, input, output and, if known, cache read and write."""
    defaults: tuple[Annotated[str, Field(max_length=100)], ...] = Field(default=(), max_length=40)
    """Names of settings that shall be kept no longer, so that their default counts again."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.values and not self.defaults:
            raise ValueError("name a setting and its value, at least one")
        changeable = type(self).model_fields.keys() - {"defaults"}
        for name in self.defaults:
            if name not in changeable:
                raise ValueError(f"{name!r} is never kept here; choose of {sorted(changeable)}")
            if name in self.values:
                raise ValueError(f"{name!r} is given a value and its default; choose one")
        return self

    @property
    def values(self) -> dict[str, object]:
        """What is given, by name."""
        names = (type(self).model_fields.keys() - {"defaults"}) & self.model_fields_set
        setting_values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in sorted(setting_values.items()) if value is not None}


class SetSettings(Record):
    """An order to keep settings."""

    change: SettingsChange
    knowing: bool = False
    """Whether it is meant although something is deleted by it."""
    was: int | None = Field(default=None, ge=0)
    """Newest version that was read, 0 for none; None for any. A newer one speaks against the change
    where it is about the same, as another address of the relay and another login there."""


class SettingsEffect(Record):
    """What a change would delete in the next night, over all organizations."""

    raw_mail: int = 0
    """Files of raw mail."""
    program_chats: int = 0
    sentences: tuple[str, ...] = ()
    """What is deleted when, and what stays, for people."""

    @property
    def deletes(self) -> bool:
        """Whether anything goes in the next night that would have stayed."""
        return bool(self.raw_mail or self.program_chats)


class SettingsVersion(Record):
    """What was kept in Postern after one change."""

    number: int
    """1 for the first."""
    values: dict[str, object]
    """Everything that was kept then, by name; never a password or a key."""
    changed: tuple[str, ...]
    """The settings that this change was about."""
    author: str
    written_at: AwareDatetime

    @property
    def text(self) -> str:
        """The values as text, which two versions are compared by."""
        return yaml_text(self.values) if self.values else ""

    def change_from(self, now: "SettingsVersion") -> SettingsChange | None:
        """Return the change by which this counts again; None where it says what `now` says.

        Raises:
            ValidationError: a value of then can be none any more.

        """
        other = {
            name: value for name, value in self.values.items() if now.values.get(name) != value
        }
        no_longer = tuple(name for name in now.values if name not in self.values)
        if not other and not no_longer:
            return None
        return SettingsChange.model_validate({**other, "defaults": no_longer})


class SettingsVersions(Record):
    """Every version, the newest first."""

    items: tuple[SettingsVersion, ...]


class RestoreSettings(Record):
    """An order to let earlier settings count again, as one more version."""

    number: int = Field(ge=1)
    was: int = Field(default=0, ge=0)
    """Newest version that was read; 0 for any."""
    knowing: bool = False
    """Whether it is meant although something is deleted by it."""

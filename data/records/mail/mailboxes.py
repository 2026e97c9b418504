"""A mailbox that is read over IMAP (RFC 9051): how it is reached, and what became of its mail."""

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import AfterValidator, AwareDatetime, Field, model_validator

from data.records.core.authorities import Authority
from data.records.core.record import Line, Record
from data.records.mail.mailbox_oauth import LONGEST_PEM, KeepOAuth, MailboxOAuth, is_loopback


def _writable(name: str) -> str:
    """Refuse what no IMAP command line can hold."""
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise ValueError("control characters are not allowed")
    return name


Word = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_writable)]


class MailboxTls(StrEnum):
    """How the connection is encrypted."""

    IMPLICIT = "implicit"  #: from the first byte (RFC 8314), port 993
    STARTTLS = "starttls"  #: before the login, port 143
    NONE = "none"  #: plain text, to loopback alone


class MailboxAfter(StrEnum):
    """What happens on the server to a message that is safe here."""

    SEEN = "seen"  #: it is marked as read
    KEYWORD = "keyword"  #: it gets the keyword of the configuration
    MOVE = "move"  #: it goes to another folder
    LEAVE = "leave"  #: nothing; folders are opened read-only


class MailboxAccount(Record):
    """One entry of `mailboxes.yaml`."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    """Short name; what has been taken is remembered under it."""
    host: Word
    """The IMAP server, as its certificate names it."""
    port: int = Field(default=0, ge=0, le=65535)
    """Its port; 0 for 993, or 143 without implicit TLS."""
    tls: MailboxTls = MailboxTls.IMPLICIT
    """How the connection is encrypted."""
    ca_file: str = ""
    """Certificates (PEM) of who signed the server's, where the system does not know them."""
    ca_pem: str = Field(default="", max_length=LONGEST_PEM)
    """The same certificates themselves, in place of a file."""
    user: Word
    """Login name."""
    password_env: str = ""
    """Environment variable that holds the password."""
    password_file: str = ""
    """File that holds the password in its first line."""
    oauth: MailboxOAuth | None = None
    """Access tokens in place of a password; one of the three is needed."""
    folders: tuple[Word, ...] = Field(default=("INBOX",), min_length=1)
    """Folders to read, in order."""
    to: str = Field(default="", pattern=r"^([^\s@<>]+@[^\s@<>]+)?$")
    """Envelope recipient; else Delivered-To, To and Cc, else the organization's first address."""
    after: MailboxAfter = MailboxAfter.SEEN
    """What happens on the server to what is safe here."""
    keyword: str = Field(default="Postern", pattern=r"^[A-Za-z0-9_.$-]{1,50}$")
    """Keyword that `after: keyword` sets."""
    move_to: str = ""
    """Folder that `after: move` moves to; made if it is missing."""
    since: int | str = Field(default=7, union_mode="left_to_right")
    """What the first poll takes: of the last days (0 for none), since a day, or `all`."""
    poll_seconds: float = Field(default=60, ge=5, le=86_400)
    """Longest time between two looks."""
    idle: bool = True
    """Whether to wait with IDLE (RFC 2177) where the server offers it."""
    enabled: bool = True
    """Whether the engine polls it; commands do in any case."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        """Refuse what would leak a password or could not work."""
        if self.tls is MailboxTls.NONE and not is_loopback(self.host):
            raise ValueError("tls: none is for loopback alone; use implicit or starttls")
        if sum(map(bool, (self.password_env, self.password_file, self.oauth))) != 1:
            raise ValueError("give password_env or password_file or oauth, one of them")
        if self.ca_file and self.ca_pem:
            raise ValueError("give ca_file or ca_pem, not both")
        if (self.after is MailboxAfter.MOVE) != bool(self.move_to):
            raise ValueError("after: move and move_to belong together")
        if self.move_to in self.folders:
            raise ValueError("move_to is one of the folders that are read")
        if isinstance(self.since, str):
            if self.since != "all" and not _is_day(self.since):
                raise ValueError("since is a number of days, a day as 2026-01-31, or all")
        elif self.since < 0:
            raise ValueError("since cannot be below 0")
        return self

    @property
    def server_port(self) -> int:
        """The port that is connected to."""
        return self.port or (993 if self.tls is MailboxTls.IMPLICIT else 143)

    @property
    def secret(self) -> str:
        """Where the password comes from, for messages; only of an account with one."""
        if self.password_env:
            return f"the variable {self.password_env!r}"
        return f"the file {self.password_file!r}"


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


class MailboxList(Record):
    """The file `mailboxes.yaml`."""

    mailboxes: tuple[MailboxAccount, ...] = ()

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [account.name for account in self.mailboxes]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two mailboxes are called {twice[0]!r}; rename one")
        return self


class MailboxOutcome(StrEnum):
    """What became of a message that a poll came upon."""

    TAKEN = "taken"  #: durable in the spool
    KNOWN = "known"  #: the same bytes are here already
    TOO_LARGE = "too_large"  #: over `message_size_limit`; left where it is
    OWN = "own"  #: a copy of a reply of ours
    DELETED = "deleted"  #: marked as deleted by somebody; left
    DRAFT = "draft"  #: marked as a draft; left


class MailboxLine(Record):
    """One message of a folder, and what became of it."""

    folder: str
    uidvalidity: int
    uid: int
    outcome: MailboxOutcome
    spool_id: str = ""
    """The message's id here; of the first copy if it was known."""
    sha256: str = ""
    """Hash of the message as spooled; empty when it was not read."""
    size_bytes: int = 0
    note: str = ""


class FolderCursor(Record):
    """Where reading of a folder stands; its UIDs mean something under one UIDVALIDITY alone."""

    folder: str
    uidvalidity: int
    last_uid: int = 0
    """UIDs up to this one are settled."""
    read_to: int = 0
    """UIDs up to this one are settled too, but for those that are `owed`."""
    owed: tuple[int, ...] = ()
    """UIDs above `last_uid` that the server did not give, or the spool did not keep; ascending."""
    backlog_end: int = 0
    """UIDs below this one were there at the first poll; `cutoff` applies to them."""
    cutoff: str = ""
    """First day (ISO 8601) of the backlog that is taken; empty for all of it."""
    advanced_at: AwareDatetime
    """When it last moved, UTC."""


class FolderPosition(NamedTuple):
    """How far a folder was read; both are 0 where the server has no such folder."""

    uidvalidity: int
    next_uid: int
    """The UID to come: UIDNEXT, as the server told it."""


class KeepMailbox(Record):
    """A mailbox as a person names it in the window; its secrets are kept as files."""

    host: str = Field(min_length=1, max_length=255)
    port: int = Field(default=0, ge=0, le=65535)
    tls: MailboxTls = MailboxTls.IMPLICIT
    user: str = Field(min_length=1, max_length=500)
    password: str = Field(default="", max_length=500)
    """Empty for the one that is kept already, or with `oauth`."""
    folders: tuple[Line, ...] = Field(default=("INBOX",), min_length=1, max_length=50)
    to: str = Field(default="", max_length=320)
    after: MailboxAfter = MailboxAfter.SEEN
    move_to: str = Field(default="", max_length=500)
    since: int = Field(default=7, ge=0, le=36_500)
    """Days of mail that the first look takes."""
    enabled: bool = True
    ca_pem: str = Field(default="", max_length=LONGEST_PEM)
    """A private CA: certificates (PEM) of who signed the server's; empty for the system's."""
    oauth: KeepOAuth | None = None
    """Access tokens in place of a password."""

    @model_validator(mode="after")
    def _one_way_in(self) -> Self:
        """Refuse a password beside access tokens, and a CA that is not there."""
        if self.oauth is None:
            return self
        if self.password:
            raise ValueError("give a password or oauth, not both")
        if self.oauth.private_ca and not self.ca_pem:
            raise ValueError("give the private CA that the token endpoint's certificate is of")
        return self

    @classmethod
    def of(cls, account: MailboxAccount) -> Self:
        """Return an account as a person named it in the window, without its secrets."""
        fields = cls.model_fields.keys() - {"password", "oauth"}
        oauth = KeepOAuth.of(account.oauth) if account.oauth else None
        return cls.model_validate(account.model_dump(include=fields) | {"oauth": oauth})

    def without_secrets(self) -> Self:
        """Return what may be shown and kept as a version."""
        oauth = self.oauth.without_secrets() if self.oauth else None
        return self.model_copy(update={"password": "", "oauth": oauth})


class ChangeMailbox(KeepMailbox):
    """A mailbox as a person names it, over what the person has read."""

    was: int | None = Field(default=None, ge=0)
    """Newest version that was read, 0 where none was there; None for any."""


class MailboxStanding(Record):
    """How a mailbox is doing."""

    name: str
    host: str = ""
    user: str = ""
    folders: tuple[str, ...] = ()
    enabled: bool = True
    polled_at: AwareDatetime | None = None
    """Last attempt, UTC."""
    succeeded_at: AwareDatetime | None = None
    """Last attempt that reached every folder, UTC."""
    error: str = ""
    """What the last attempt ran into; empty when it went well."""
    failures: int = 0
    """Attempts in a row that failed."""
    taken: int = 0
    """Messages taken in all."""
    known: int = 0
    """Messages that were here already."""
    too_large: int = 0
    """Messages over `message_size_limit`, left on the server."""
    left: int = 0
    """Messages left for another reason: our own, drafts, deleted ones."""
    kept: KeepMailbox | None = None
    """How it is kept in the window, without its secrets; None where `mailboxes.yaml` names it."""
    version: int = 0
    """Number of the newest version of that; 0 where no version is noted."""
    authorities: tuple[Authority, ...] = ()
    """The certificates of its private CA, where it has one that is kept in the window."""


class MailboxPoll(Record):
    """What one poll did."""

    name: str
    taken: int = 0
    known: int = 0
    too_large: int = 0
    left: int = 0
    more: bool = False
    """Whether it stopped at its limit."""
    unanswered: int = 0
    """Messages that the server has and did not give; they are asked for again."""
    failed: bool = False
    """Whether it could not reach its end."""
    troubles: tuple[str, ...] = ()
    """One sentence for each thing that did not work; the rest was done."""


class FolderSight(Record):
    """What a look into a folder found."""

    folder: str
    messages: int
    """How many are in it."""
    waiting: int
    """How many a poll would look at now."""
    too_large: int = 0
    """How many of those are over the size limit."""
    state: Literal["new", "known", "changed"]
    """Whether it was polled before, or before its UIDVALIDITY changed."""


class MailboxSight(Record):
    """What a check of a mailbox found."""

    name: str
    server: str
    """Address and port that answered."""
    encrypted: bool
    idle: bool
    """Whether the server offers IDLE."""
    move: bool
    """Whether the server offers MOVE (RFC 6851)."""
    folders: tuple[FolderSight, ...] = ()
    troubles: tuple[str, ...] = ()

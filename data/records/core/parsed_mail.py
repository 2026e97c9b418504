"""The reading of a message: outputs of the stages *parse*, *segment* and *automated*."""

from datetime import date
from enum import StrEnum

from pydantic import AwareDatetime

from data.records.core.record import Record


class Address(Record):
    """One mailbox of an address header (RFC 5322 section 3.4)."""

    name: str = ""
    """The display name, decoded; empty when there is none."""
    email: str
    """The addr-spec, local part as written, domain lower-cased."""


class Attachment(Record):
    """A part that is not body text; its bytes stay in the archive."""

    filename: str
    """The decoded file name, without folders; made up from the type when there is none."""
    other_names: tuple[str, ...] = ()
    """Other names that some program may show it by, when its headers can be read differently."""
    content_type: str
    """The declared media type, lower-cased, e.g. `application/pdf`."""
    size_bytes: int
    """The decoded size."""
    sha256: str
    """Hash of the decoded bytes, hexadecimal."""
    inline: bool = False
    """Whether the part is shown inside the body (Content-Disposition inline with a Content-ID)."""
    signs: tuple[str, ...] = ()
    """What its bytes show it to be, whatever it is called; see
    `tasks.core.parse.attachment_signs`."""


class Hidden(Record):
    """Text in the HTML body that a reader does not see."""

    text: str
    """The hidden text, at most 2,000 characters."""
    reason: str
    """Why it is not seen: `comment`, `display_none`, `zero_size`, `same_color`, `alt`, …"""
    at: int = -1
    """Index in `ParsedMail.text` that it stood before; -1 when it has no place there."""


class Link(Record):
    """A link of the body."""

    text: str
    """What the reader sees."""
    href: str
    """Where it leads."""


class Carried(Record):
    """Words that a message carries in a place that is not its body; no model gets them."""

    place: str
    """`ics`, `vcard`, `text` (an attached one), `tnef`, `alternative`, `part_header`, `parameter`,
    `preamble`, `returned` (what a report brings back) or `enclosed` (in an enclosed message)."""
    name: str = ""
    """The file, the header or the parameter that holds them."""
    text: str
    """The words, in lines, at most 50,000 characters."""


class MarkKind(StrEnum):
    """What the HTML of a mail program calls one of its elements."""

    QUOTE = "quote"
    """An earlier message with its attribution; answers may stand between its quoted lines."""
    HISTORY = "history"
    """An earlier message as a whole."""
    ATTRIBUTION = "attribution"
    """The line above a quote."""
    REST = "rest"
    """The beginning of an earlier message that runs to the end."""
    SIGNATURE = "signature"


class Mark(Record):
    """Lines of `ParsedMail.text` that the HTML names."""

    kind: MarkKind
    start: int
    """Index of the first line."""
    end: int
    """Index after the last line."""


class ParsedMail(Record):
    """A message as read (RFC 5322, RFC 2045); whatever was odd is listed in `defects`."""

    subject: str = ""
    """The decoded subject, unfolded; empty when missing."""
    sender: Address | None = None
    """The single address of From; None when From is missing or has not exactly one address."""
    senders: tuple[Address, ...] = ()
    """Every address found in every From header."""
    reply_to: tuple[Address, ...] = ()
    """Addresses of Reply-To."""
    to: tuple[Address, ...] = ()
    """Addresses of To."""
    cc: tuple[Address, ...] = ()
    """Addresses of Cc."""
    date: AwareDatetime | None = None
    """The Date header; None when missing or unreadable."""
    message_id: str | None = None
    """Message-ID with its angle brackets; None when missing or malformed."""
    in_reply_to: str | None = None
    """The first id of In-Reply-To."""
    references: tuple[str, ...] = ()
    """Ids of References, oldest first."""
    headers: tuple[tuple[str, str], ...] = ()
    """All headers in order, names lower-cased, values decoded and unfolded."""
    text: str = ""
    """The body as plain text: the text part, or the visible text of the HTML part."""
    marks: tuple[Mark, ...] = ()
    """What the HTML says about lines of `text`, when it was read from HTML; inner ones first."""
    html: str = ""
    """The HTML part as it came; never shown or given to a model."""
    hidden: tuple[Hidden, ...] = ()
    """What the HTML body hides from its reader."""
    links: tuple[Link, ...] = ()
    """Links of the HTML part, in order."""
    attachments: tuple[Attachment, ...] = ()
    """Parts that are not body text, in order."""
    carried: tuple[Carried, ...] = ()
    """What calendar entries, contacts, headers of parts and the like say, for the screen to read
    and a person to see."""
    reports: tuple[str, ...] = ()
    """Delivery reports and returned header blocks inside the message, as text (RFC 3464)."""
    enclosed: tuple[str, ...] = ()
    """Messages passed on as a part (message/rfc822): header lines, a blank line, their text."""
    sealed: str = ""
    """Why nobody could read all of the body, such as `encrypted with S/MIME`; empty when it was."""
    defects: tuple[str, ...] = ()
    """What was odd about the message, one short phrase each, in the order found."""
    size_bytes: int = 0
    """Size of the raw message."""

    def header(self, name: str) -> str | None:
        """Return the first value of header `name` (lower case), or None."""
        return next((value for key, value in self.headers if key == name), None)

    def header_values(self, name: str) -> tuple[str, ...]:
        """Return every value of header `name` (lower case), in order."""
        return tuple(value for key, value in self.headers if key == name)


class Segments(Record):
    """The body cut by whose words they are; together they hold every line of the body."""

    new: str = ""
    """What the sender wrote now."""
    quoted: str = ""
    """History quoted from earlier messages."""
    forwarded: str = ""
    """Content passed on from somebody else, with its header block."""
    signature: str = ""
    """The sender's signature and disclaimer."""


class AutomatedKind(StrEnum):
    """What kind of machine wrote a message."""

    NONE = "none"
    BOUNCE = "bounce"
    OUT_OF_OFFICE = "out_of_office"
    MAILING_LIST = "mailing_list"
    NEWSLETTER = "newsletter"
    NOTIFICATION = "notification"
    RECEIPT = "receipt"
    """A reader's program says that something was read or deleted (RFC 8098)."""
    COMPLAINT = "complaint"
    """A provider reports that somebody complained (ARF, RFC 5965)."""
    CHALLENGE = "challenge"
    """A filter asks its correspondent to prove that it is a person."""
    CALENDAR = "calendar"
    """A calendar answers an invitation (RFC 5546)."""
    OWN = "own"


class FailedRecipient(Record):
    """What a delivery report says of one recipient (RFC 3464 section 2.3)."""

    address: str
    action: str = "failed"
    """`failed`, `delayed`, `delivered`, `relayed` or `expanded`."""
    status: str | None = None
    """Enhanced status code (RFC 3463), as stated, or what the reply code or the words amount to."""
    diagnostic: str = ""
    """What the refusing server said, at most 300 characters."""


class Automated(Record):
    """Whether a machine wrote the message (RFC 3834); if so it is never answered."""

    automated: bool = False
    """True when no reply may be made by a machine."""
    kind: AutomatedKind = AutomatedKind.NONE
    """What kind of machine."""
    reasons: tuple[str, ...] = ()
    """Each sign found, e.g. `header auto-submitted: auto-replied`."""
    failed_recipient: str | None = None
    """For a bounce: the address that could not be reached, where it is stated."""
    status_code: str | None = None
    """For a bounce: the enhanced status code (RFC 3463), e.g. `5.1.1`."""
    report: tuple[FailedRecipient, ...] = ()
    """For a bounce: every recipient it names."""
    delayed: bool = False
    """For a bounce: whether delivery is still being tried for all that it names."""
    away_until: date | None = None
    """For an absence note: the day it names as its end."""
    form_writer: Address | None = None
    """The person who wrote through a web form, when a website's mailer sent the message for one."""
    own_group: str | None = None
    """A group of our own domain by which it came, where the organization has not named it so."""
    bars_sending: tuple[str, ...] = ()
    """Signs that a person may have written and yet no reply leaves without a person's approval."""

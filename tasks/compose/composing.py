"""The reply as bytes: rendered once, the same on every attempt, and proved by reading it back.

One plain-text part in UTF-8. Every header is made here from what code decided; a draft gives the
subject's and the body's text and nothing else.
"""

import quopri
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import compat32
from email.utils import format_datetime
from hashlib import sha256
from typing import NamedTuple

from data.lexicons.drafting import phrases
from data.records.core.organization import Organization, Policy
from data.records.mail.delivery import Outgoing
from data.records.mail.mail import ParsedMail
from tasks.check.links import find_links, is_allowed
from tasks.compose.headers import (
    ComposeError,
    encoded,
    field,
    is_message_id,
    mailbox,
    refuse_controls,
    thread_ids,
)
from tasks.compose.recipients import Recipients, is_own, is_valid_address
from tasks.draft.drafting import reply_subject
from tasks.draft.names import reply_language, safe_name

_QUOTED_LETTERS = 8_000
_PARTED = b"\r\n\r\n"


class Wording(NamedTuple):
    """What of a reply whoever approves it is shown."""

    rcpt_to: tuple[str, ...]
    subject: str
    body: str


def word_reply(
    *,
    subject: str,
    body: str,
    parent: ParsedMail,
    recipients: Recipients,
    organization: Organization,
    policy: Policy,
    quote: bool,
    auto: bool,
    language: str = "",
    quoted_text: str | None = None,
) -> Wording:
    """Return to whom a reply goes and what it says, as `compose` renders it.

    Raises:
        ComposeError: the recipient, the subject or the body cannot be sent exactly as given.

    """
    to = _one_recipient(recipients, organization)
    text = normalize_lines(body)
    if quote:
        said = parent.text if quoted_text is None else quoted_text
        text += _quotation(said, parent, language, organization, policy, auto=auto)
    refuse_controls("Subject", subject)
    rcpt_to = (to, *_copies(recipients, organization))
    return Wording(rcpt_to=rcpt_to, subject=reply_subject(subject), body=text)


def compose(
    *,
    subject: str,
    body: str,
    parent: ParsedMail,
    recipients: Recipients,
    organization: Organization,
    policy: Policy,
    message_id: str,
    date: datetime,
    quote: bool,
    loop_token: str,
    auto: bool,
    language: str = "",
    quoted_text: str | None = None,
    bounce_tag: str = "",
) -> Outgoing:
    """Return the reply to `parent` as it goes over the wire.

    `quote` puts `quoted_text` (the parent's text when not given) below the body, with a line saying
    whose it is; an automatic reply leaves it out when it holds links that are not allowed.
    `bounce_tag` becomes a plus-tag of the reverse-path. Raises ComposeError when the recipient,
    an id, the subject or the body cannot be sent exactly as given.
    """
    (to, *copies), title, text = word_reply(
        subject=subject,
        body=body,
        parent=parent,
        recipients=recipients,
        organization=organization,
        policy=policy,
        quote=quote,
        auto=auto,
        language=language,
        quoted_text=quoted_text,
    )
    sender = ascii_address(organization.addresses[0])
    if not is_message_id(message_id):
        raise ComposeError(f"{message_id!r} is no Message-ID; make it as <unique@our.domain>.")
    refuse_controls("X-Loop", loop_token)
    parent_id, references = thread_ids(parent.message_id, parent.in_reply_to, parent.references)
    headers = [
        ("From", mailbox(organization.name, sender)),
        ("To", to),
        *((("Cc", ", ".join(copies)),) if copies else ()),
        ("Subject", encoded(title)),
        ("Date", format_datetime(date)),
        ("Message-ID", message_id),
    ]
    if parent_id is not None:
        headers += [("In-Reply-To", parent_id), ("References", " ".join(references))]
    if auto:
        headers += [("Auto-Submitted", "auto-replied"), ("X-Auto-Response-Suppress", "All")]
    headers += [
        ("X-Loop", loop_token),
        ("MIME-Version", "1.0"),
        ("Content-Type", 'text/plain; charset="utf-8"'),
        ("Content-Transfer-Encoding", "quoted-printable"),
    ]
    raw = b"".join(field(name, value) for name, value in headers) + b"\r\n" + encoded_body(text)
    prove(raw, headers, title, text)
    return Outgoing(
        mail_from=_tagged(sender, bounce_tag),
        rcpt_to=(to, *copies),
        message_id=message_id,
        subject=title,
        body=text,
        raw=raw,
        sha256=sha256(raw).hexdigest(),
    )


def prove(raw: bytes, headers: Sequence[tuple[str, str]], subject: str, body: str) -> None:
    """Raise ComposeError unless `raw` reads back as exactly these headers, subject and body.

    Also refuses NUL, bare CR and bare LF, and lines beyond 998 octets (RFC 5322 section 2.1.1).
    """
    bare = raw.replace(b"\r\n", b"")
    if b"\x00" in raw or b"\r" in bare or b"\n" in bare:
        raise ComposeError("The rendered reply holds NUL or a bare line end; it is not sent.")
    if any(len(line) > 998 for line in raw.split(b"\r\n")):
        raise ComposeError("The rendered reply holds a line beyond 998 octets; it is not sent.")
    read = message_from_bytes(raw, policy=compat32)
    seen = [(name, " ".join(str(value).split())) for name, value in read.items()]
    meant = [(name, " ".join(value.split())) for name, value in headers]
    if seen != meant:
        raise ComposeError(f"The rendered headers read back as {seen!r}; it is not sent.")
    if " ".join(str(make_header(decode_header(read["Subject"]))).split()) != subject:
        raise ComposeError(f"The subject {subject!r} does not survive rendering; change it.")
    payload = quopri.decodestring(raw.partition(_PARTED)[2]).decode("utf-8")
    if payload.replace("\r\n", "\n") != body:
        raise ComposeError("The body does not survive rendering; it is not sent.")


def approval_hash(
    rcpt_to: Sequence[str], subject: str, body: str, attachments: Sequence[str] = ()
) -> str:
    """Return what a person signs: SHA-256 over recipients, subject, body and attachments' hashes.

    Every part is preceded by its length, so that no two different replies share their bytes.
    """
    digest = sha256(b"postern approval 1\n")
    for group in (tuple(rcpt_to), (subject,), (body,), tuple(attachments)):
        digest.update(f"{len(group)}:".encode())
        for part in group:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()


def reply_preview(outgoing: Outgoing) -> str:
    """Return what a reviewer sees: the recipients, subject and body that will leave, as text."""
    to, copies = outgoing.rcpt_to[0], outgoing.rcpt_to[1:]
    head = f"To: {to}\nCc: {', '.join(copies)}" if copies else f"To: {to}"
    return f"{head}\nSubject: {outgoing.subject}\n\n{outgoing.body}"


def _one_recipient(recipients: Recipients, organization: Organization) -> str:
    """Return the recipient; raises ComposeError unless there is exactly one that can be written."""
    if len(recipients.to) != 1:
        raise ComposeError(f"A reply needs exactly one recipient, not {len(recipients.to)}.")
    address = recipients.to[0]
    if not is_valid_address(address) or is_own(address, organization):
        raise ComposeError(f"{address!r} cannot be the recipient of a reply; choose another.")
    return ascii_address(address)


def _copies(recipients: Recipients, organization: Organization) -> tuple[str, ...]:
    """Return who gets a copy; raises ComposeError for an address that cannot be written to."""
    for address in recipients.cc:
        if not is_valid_address(address) or is_own(address, organization):
            raise ComposeError(f"{address!r} cannot get a copy of a reply; choose another.")
    made = (ascii_address(address) for address in recipients.cc)
    return tuple(dict.fromkeys(one for one in made if one not in recipients.to))


def ascii_address(address: str) -> str:
    """Return an address with its domain in ASCII; raises ComposeError for other local parts."""
    local, _, domain = address.rpartition("@")
    try:
        return f"{local.encode('ascii').decode()}@{domain.encode('idna').decode('ascii')}"
    except UnicodeError as error:
        raise ComposeError(
            f"{address!r} needs SMTPUTF8, which is not in use; answer it from a mail program."
        ) from error


def _tagged(address: str, tag: str) -> str:
    """Return an address with a plus-tag of letters, digits and hyphens."""
    if not tag:
        return address
    if not tag.isascii() or not tag.replace("-", "").isalnum():
        raise ComposeError(f"The bounce tag {tag!r} may hold letters, digits and hyphens only.")
    local, _, domain = address.rpartition("@")
    return f"{local}+{tag}@{domain}"


def normalize_lines(text: str) -> str:
    """Return text with LF line ends and one at its end; raises ComposeError on control letters."""
    text = text.replace("\r\n", "\n").rstrip() + "\n"
    for line in text[:-1].split("\n"):
        refuse_controls("The body", line.replace("\t", " "))
    return text


def _quotation(
    told: str,
    parent: ParsedMail,
    language: str,
    organization: Organization,
    policy: Policy,
    *,
    auto: bool,
) -> str:
    """Return the attribution line and the quoted lines, or nothing when they are barred."""
    links = find_links(told[:_QUOTED_LETTERS])
    barred = any(not is_allowed(link, policy.allowed_links) for link in links)
    if not told.strip() or parent.sender is None or (auto and barred):
        return ""
    words = phrases(reply_language(language, organization))
    name = safe_name(parent.sender) or parent.sender.email
    head = f"{name}:"
    if parent.date is not None:
        when = parent.date.strftime("%Y-%m-%d %H:%M")
        head = words.attribution.replace("{date}", when).replace("{name}", name)
    clean = "".join(c if c.isprintable() or c in "\n\t" else " " for c in told[:_QUOTED_LETTERS])
    quoted = "\n".join(f"> {line}".rstrip() for line in clean.strip().split("\n"))
    return f"\n{head}\n{quoted}\n"


def encoded_body(text: str) -> bytes:
    """Return the body in quoted-printable with CRLF line ends (RFC 2045 section 6.7)."""
    lines = text.encode("utf-8").split(b"\n")
    done = [quopri.encodestring(line).replace(b"=\n", b"=\r\n") for line in lines]
    return b"\r\n".join(b"=2E" + line[1:] if line.startswith(b".") else line for line in done)

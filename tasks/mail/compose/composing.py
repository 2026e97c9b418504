"""The reply as bytes: rendered once, the same on every attempt, and proved by reading it back.

One plain-text part in UTF-8, and behind it the files that a person has attached. Every
header is made here from what code decided; a draft gives the subject's and the body's text and
nothing else.
"""

import quopri
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from email.utils import format_datetime
from hashlib import sha256
from typing import NamedTuple
from zoneinfo import ZoneInfo

from data.counting import size_words
from data.host_names import ascii_domain
from data.lexicons.drafting import phrases
from data.records.core.organization import Organization, Policy
from data.records.core.parsed_mail import ParsedMail
from data.records.mail.attaching import EnclosedFile
from data.records.mail.delivery import Outgoing
from tasks.core.leaks.links import find_links, is_allowed
from tasks.mail.compose.enclosing import (
    Enclosure,
    build_file_part,
    build_multipart,
    choose_boundary,
    prove_enclosed,
)
from tasks.mail.compose.headers import (
    ComposeError,
    build_field,
    build_thread_ids,
    encode_text,
    format_mailbox,
    is_message_id,
    refuse_controls,
)
from tasks.mail.compose.recipients import Recipients, is_own, is_valid_address
from tasks.mail.draft.drafting import fresh_subject, reply_subject
from tasks.mail.draft.names import reply_language, safe_name

_QUOTED_LETTERS = 8_000
_PARTED = b"\r\n\r\n"
_TEXT = (
    ("Content-Type", 'text/plain; charset="utf-8"'),
    ("Content-Transfer-Encoding", "quoted-printable"),
)


class LetterWording(NamedTuple):
    """What of a reply whoever approves it is shown."""

    rcpt_to: tuple[str, ...]
    subject: str
    body: str
    bcc: tuple[str, ...] = ()
    """Those of the recipients who get a blind copy."""
    enclosed: tuple[EnclosedFile, ...] = ()


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
    enclosed: Sequence[EnclosedFile] = (),
    answers: bool = True,
) -> LetterWording:
    """Return to whom a reply goes and what it says, as `compose_reply` renders it.

    Without `answers` it begins a conversation, and its subject is its own.

    Raises:
        ComposeError: the recipient, the subject or the body cannot be sent exactly as given.

    """
    to = _check_recipient(recipients, organization)
    text = normalize_lines(body)
    if quote:
        quoted = parent.text if quoted_text is None else quoted_text
        text += _build_quotation(quoted, parent, language, organization, policy, auto=auto)
    refuse_controls("Subject", subject)
    copies = _check_copies(recipients.cc, (to,), organization)
    blind = _check_copies(recipients.bcc, (to, *copies), organization)
    return LetterWording(
        rcpt_to=(to, *copies, *blind),
        subject=_check_title(subject, answers=answers),
        body=text,
        bcc=blind,
        enclosed=tuple(enclosed),
    )


def compose_reply(
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
    enclosures: Sequence[Enclosure] = (),
    answers: bool = True,
) -> Outgoing:
    """Return the reply to `parent` as it goes over the wire.

    Without `answers` it begins a conversation, and its subject is its own. `enclosures` are the
    files that it carries. `quote` puts `quoted_text` (the parent's text when not given) below the
    body, with a line saying whose it is; an automatic reply leaves it out when it holds links that
    are not allowed.
    `bounce_tag` becomes a plus-tag of the reverse-path. Raises ComposeError when the recipient,
    an id, the subject or the body cannot be sent exactly as given.
    """
    wording = word_reply(
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
        enclosed=[each.file for each in enclosures],
        answers=answers,
    )
    title, text = wording.subject, wording.body
    to, *copies = (address for address in wording.rcpt_to if address not in wording.bcc)
    sender = as_ascii_address(organization.addresses[0])
    if not is_message_id(message_id):
        raise ComposeError(f"{message_id!r} is no Message-ID; make it as <unique@our.domain>.")
    refuse_controls("X-Loop", loop_token)
    parent_id, references = build_thread_ids(
        parent.message_id, parent.in_reply_to, parent.references
    )
    headers = [
        ("From", format_mailbox(organization.name, sender)),
        ("To", to),
        *((("Cc", ", ".join(copies)),) if copies else ()),
        ("Subject", encode_text("Subject", title)),
        ("Date", format_datetime(date)),
        ("Message-ID", message_id),
    ]
    if parent_id is not None:
        headers += [("In-Reply-To", parent_id), ("References", " ".join(references))]
    if auto:
        headers += [("Auto-Submitted", "auto-replied"), ("X-Auto-Response-Suppress", "All")]
    headers += [("X-Loop", loop_token), ("MIME-Version", "1.0")]
    if enclosures:
        parts = [build_text_part(text), *(build_file_part(*each) for each in enclosures)]
        boundary = choose_boundary(message_id, parts)
        headers.append(("Content-Type", f'multipart/mixed; boundary="{boundary}"'))
        content = build_multipart(boundary, parts)
    else:
        headers += _TEXT
        content = encode_body(text)
    raw = b"".join(build_field(name, value) for name, value in headers) + b"\r\n" + content
    prove_composed(raw, headers, title, text, enclosures)
    return Outgoing(
        mail_from=_tag_address(sender, bounce_tag),
        rcpt_to=wording.rcpt_to,
        bcc=wording.bcc,
        enclosed=wording.enclosed,
        message_id=message_id,
        subject=title,
        body=text,
        raw=raw,
        sha256=sha256(raw).hexdigest(),
    )


def prove_composed(
    raw: bytes,
    headers: Sequence[tuple[str, str]],
    subject: str,
    body: str,
    enclosures: Sequence[Enclosure] = (),
) -> None:
    """Raise ComposeError unless `raw` reads back as exactly these headers, text and files.

    Also refuses NUL, bare CR and bare LF, and lines beyond 998 octets (RFC 5322 section 2.1.1).
    """
    bare = raw.replace(b"\r\n", b"")
    if b"\x00" in raw or b"\r" in bare or b"\n" in bare:
        raise ComposeError("The rendered reply holds NUL or a bare line end; it is not sent.")
    if any(len(line) > 998 for line in raw.split(b"\r\n")):
        raise ComposeError("The rendered reply holds a line beyond 998 octets; it is not sent.")
    read = message_from_bytes(raw, policy=compat32)
    headers_read = [(name, " ".join(str(value).split())) for name, value in read.items()]
    headers_meant = [(name, " ".join(value.split())) for name, value in headers]
    if headers_read != headers_meant:
        raise ComposeError(f"The rendered headers read back as {headers_read!r}; it is not sent.")
    if " ".join(str(make_header(decode_header(read["Subject"]))).split()) != subject:
        raise ComposeError(f"The subject {subject!r} does not survive rendering; change it.")
    if enclosures:
        parts = read.get_payload()
        first, *file_parts = [part for part in parts if isinstance(part, Message)]
        prove_enclosed(file_parts, enclosures)
        decoded = first.get_payload(decode=True)
        body_read = decoded if isinstance(decoded, bytes) else b""
    else:
        body_read = quopri.decodestring(raw.partition(_PARTED)[2])
    if body_read.decode("utf-8").replace("\r\n", "\n") != body:
        raise ComposeError("The body does not survive rendering; it is not sent.")


def hash_for_approval(
    rcpt_to: Sequence[str],
    subject: str,
    body: str,
    attachments: Sequence[str] = (),
    bcc: Sequence[str] = (),
) -> str:
    """Return what a person signs: SHA-256 over recipients, subject, body and attachments.

    `attachments` says of each file its hash, type and name. Who of the recipients gets a blind copy
    is one group more, where anybody does. Every part is preceded by its length, so that no two
    different replies share their bytes.
    """
    digest = sha256(b"postern approval 1\n")
    groups = [tuple(rcpt_to), (subject,), (body,), tuple(attachments)]
    for group in (*groups, tuple(bcc)) if bcc else groups:
        digest.update(f"{len(group)}:".encode())
        for part in group:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()


def preview_reply(outgoing: Outgoing | LetterWording) -> str:
    """Return what a reviewer sees: recipients, subject, body and files that will leave, as text."""
    to, *copies = (address for address in outgoing.rcpt_to if address not in outgoing.bcc)
    head = f"To: {to}\n"
    head += f"Cc: {', '.join(copies)}\n" if copies else ""
    head += f"Bcc: {', '.join(outgoing.bcc)}\n" if outgoing.bcc else ""
    files = "".join(
        f"\nAttached: {file.filename} ({size_words(file.size_bytes)})" for file in outgoing.enclosed
    )
    return f"{head}Subject: {outgoing.subject}\n\n{outgoing.body}{files}"


def _check_title(subject: str, *, answers: bool) -> str:
    """Return the subject; raises ComposeError where what begins a conversation has none."""
    if answers:
        return reply_subject(subject)
    title = fresh_subject(subject)
    if not title:
        raise ComposeError("A new mail needs a subject; write one.")
    return title


def _check_recipient(recipients: Recipients, organization: Organization) -> str:
    """Return the recipient; raises ComposeError unless there is exactly one that can be written."""
    if len(recipients.to) != 1:
        raise ComposeError(f"A reply needs exactly one recipient, not {len(recipients.to)}.")
    address = recipients.to[0]
    if not is_valid_address(address) or is_own(address, organization):
        raise ComposeError(f"{address!r} cannot be the recipient of a reply; choose another.")
    return as_ascii_address(address)


def _check_copies(
    addresses: Sequence[str], others: Sequence[str], organization: Organization
) -> tuple[str, ...]:
    """Return who gets a copy, without the others; ComposeError for who cannot be written to."""
    for address in addresses:
        if not is_valid_address(address) or is_own(address, organization):
            raise ComposeError(f"{address!r} cannot get a copy of a reply; choose another.")
    plain_addresses = (as_ascii_address(address) for address in addresses)
    return tuple(
        dict.fromkeys(
            plain_address for plain_address in plain_addresses if plain_address not in others
        )
    )


def as_ascii_address(address: str) -> str:
    """Return an address with its domain in ASCII; raises ComposeError for other local parts."""
    local, _, domain = address.rpartition("@")
    try:
        return f"{local.encode('ascii').decode()}@{ascii_domain(domain)}"
    except UnicodeError as error:
        raise ComposeError(
            f"{address!r} needs SMTPUTF8, which is not in use; answer it from a mail program."
        ) from error


def _tag_address(address: str, tag: str) -> str:
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


def _build_quotation(
    quoted_text: str,
    parent: ParsedMail,
    language: str,
    organization: Organization,
    policy: Policy,
    *,
    auto: bool,
) -> str:
    """Return the attribution line and the quoted lines, or nothing when they are barred."""
    links = find_links(quoted_text[:_QUOTED_LETTERS])
    barred = any(not is_allowed(link, policy.allowed_links) for link in links)
    if not quoted_text.strip() or parent.sender is None or (auto and barred):
        return ""
    words = phrases(reply_language(language, organization))
    name = safe_name(parent.sender) or parent.sender.email
    head = f"{name}:"
    if parent.date is not None:
        local = parent.date.astimezone(ZoneInfo(organization.timezone))
        when = local.strftime("%Y-%m-%d %H:%M")
        head = words.attribution.replace("{date}", when).replace("{name}", name)
    clean = "".join(
        c if c.isprintable() or c in "\n\t" else " " for c in quoted_text[:_QUOTED_LETTERS]
    )
    quoted = "\n".join(f"> {line}".rstrip() for line in clean.strip().split("\n"))
    return f"\n{head}\n{quoted}\n"


def build_text_part(text: str) -> bytes:
    """Return a text as a part of a multipart message, its head included."""
    head = b"".join(build_field(name, value) for name, value in _TEXT)
    return head + b"\r\n" + encode_body(text)


def encode_body(text: str) -> bytes:
    """Return the body in quoted-printable with CRLF line ends (RFC 2045 section 6.7)."""
    lines = text.encode("utf-8").split(b"\n")
    encoded_lines = [quopri.encodestring(line).replace(b"=\n", b"=\r\n") for line in lines]
    return b"\r\n".join(
        b"=2E" + line[1:] if line.startswith(b".") else line for line in encoded_lines
    )

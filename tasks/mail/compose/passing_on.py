"""Messages that are passed on to a colleague, as bytes: a short note, and each as it arrived.

The originals are attached unchanged: as `message/rfc822` (RFC 2046 section 5.2.1) where they are
plain seven-bit lines, which need no encoding; else, because that type must not be encoded and any
server may refuse raw eight-bit text, as a file `message.eml` in base64, byte for byte.
"""

from base64 import encodebytes
from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.policy import compat32
from email.utils import format_datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

import data.lexicons.drafting as lexicon
from data.records.core.organization import Organization
from data.records.core.parsed_mail import ParsedMail
from data.records.core.record import Record
from data.records.mail.delivery import Outgoing
from data.word_lists import word_list
from tasks.mail.compose.composing import (
    as_ascii_address,
    build_text_part,
    hash_for_approval,
    normalize_lines,
)
from tasks.mail.compose.enclosing import build_multipart, choose_boundary
from tasks.mail.compose.headers import (
    ComposeError,
    build_field,
    encode_text,
    format_mailbox,
    is_message_id,
)
from tasks.mail.draft.names import reply_language, safe_name

_FILE = Path(lexicon.__file__).with_name("passing_on.yaml")
_SUBJECT_LETTERS = 150
_LONGEST_LINE = 998
_FIELDS = ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition")


class Original(Record):
    """A message that is passed on."""

    mail: ParsedMail
    raw: bytes
    """As it arrived."""
    flagged: bool = False
    """Whether the screen found something in it, a person's release notwithstanding."""


def word_covering_note(
    originals: Sequence[Original], organization: Organization, by: str, note: str
) -> str:
    """Return the text above what is attached: what it is, from whom, and what a person adds."""
    words = _read_words(reply_language(organization.language, organization))
    zone = ZoneInfo(organization.timezone)
    blocks = [words["by"].format(name=by, organization=organization.name)]
    blocks += [note.strip()] if note.strip() else []
    blocks += [_describe_original(original.mail, words, zone) for original in originals]
    blocks += [words["flagged"]] if any(original.flagged for original in originals) else []
    return "\n\n".join([*blocks, words["attached"]])


def compose_passed_on(
    *,
    to: str,
    note: str,
    by: str,
    originals: Sequence[Original],
    organization: Organization,
    message_id: str,
    date: datetime,
    loop_token: str,
) -> Outgoing:
    """Return the messages as they go to a colleague over the wire.

    Raises:
        ComposeError: the address, the id or the note cannot be sent exactly as given.

    """
    recipient, sender = as_ascii_address(to), as_ascii_address(organization.addresses[0])
    if not is_message_id(message_id):
        raise ComposeError(f"{message_id!r} is no Message-ID; make it as <unique@our.domain>.")
    title = f"Fwd: {_clean_line(originals[-1].mail.subject)}".strip()
    text = normalize_lines(word_covering_note(originals, organization, by, note))
    parts = [build_text_part(text), *(_build_attached_part(original.raw) for original in originals)]
    boundary = choose_boundary(message_id, parts)
    headers = [
        ("From", format_mailbox(organization.name, sender)),
        ("To", recipient),
        ("Subject", encode_text("Subject", title)),
        ("Date", format_datetime(date)),
        ("Message-ID", message_id),
        ("X-Loop", loop_token),
        ("MIME-Version", "1.0"),
        ("Content-Type", f'multipart/mixed; boundary="{boundary}"'),
    ]
    head = b"".join(build_field(name, value) for name, value in headers)
    raw = head + b"\r\n" + build_multipart(boundary, parts)
    _prove_message(raw, headers, parts)
    return Outgoing(
        mail_from=sender,
        rcpt_to=(recipient,),
        message_id=message_id,
        subject=title,
        body=text,
        raw=raw,
        sha256=sha256(raw).hexdigest(),
    )


def build_signed_text(outgoing: Outgoing, originals: Sequence[Original]) -> str:
    """Return what a person's approval signs: recipient, subject, text, and what is attached."""
    attached = [sha256(original.raw).hexdigest() for original in originals]
    return hash_for_approval(outgoing.rcpt_to, outgoing.subject, outgoing.body, attached)


def is_seven_bit(raw: bytes) -> bool:
    """Return whether bytes may be a part without encoding: ASCII in CRLF lines of 998 octets."""
    bare = raw.replace(b"\r\n", b"")
    if not raw.isascii() or b"\0" in raw or b"\r" in bare or b"\n" in bare:
        return False
    return all(len(line) <= _LONGEST_LINE for line in raw.split(b"\r\n"))


def _build_attached_part(raw: bytes) -> bytes:
    plain = is_seven_bit(raw)
    values = (
        "message/rfc822" if plain else "application/octet-stream",
        "7bit" if plain else "base64",
        'attachment; filename="message.eml"',
    )
    head = b"".join(build_field(name, value) for name, value in zip(_FIELDS, values, strict=True))
    return head + b"\r\n" + (raw if plain else encodebytes(raw).replace(b"\n", b"\r\n"))


def _prove_message(raw: bytes, headers: Sequence[tuple[str, str]], parts: Sequence[bytes]) -> None:
    """Raise ComposeError unless `raw` reads back as these headers and these very parts."""
    read = message_from_bytes(raw, policy=compat32)
    headers_read = [(name, " ".join(str(value).split())) for name, value in read.items()]
    boundary = read.get_boundary()
    if headers_read != [(name, " ".join(value.split())) for name, value in headers] or not boundary:
        raise ComposeError(f"The rendered headers read back as {headers_read!r}; it is not sent.")
    mark = f"--{boundary}".encode()
    pieces = raw.partition(b"\r\n\r\n")[2].split(mark)
    if pieces != [b"", *(b"\r\n" + part + b"\r\n" for part in parts), b"--\r\n"]:
        raise ComposeError("What is attached does not survive rendering; it is not sent.")


def _describe_original(mail: ParsedMail, words: dict[str, str], zone: ZoneInfo) -> str:
    """Return who wrote a message, when and about what, each as one harmless line."""
    who = mail.sender.email if mail.sender is not None else ""
    name = safe_name(mail.sender) if mail.sender is not None else ""
    rows = [(words["from"], f"{name} <{_clean_line(who)}>" if name else _clean_line(who))]
    if mail.date is not None:
        rows.append((words["date"], mail.date.astimezone(zone).strftime("%Y-%m-%d %H:%M %z")))
    rows.append((words["subject"], _clean_line(mail.subject)))
    return "\n".join(f"{label}: {value}" for label, value in rows if value)


def _clean_line(text: str) -> str:
    """Return one line of a stranger's without control or direction letters, cut."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(line.split())[:_SUBJECT_LETTERS].strip()


@cache
def _read_words(language: str) -> dict[str, str]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table[language]

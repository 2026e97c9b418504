"""The one place that makes a model's view of a message, or of a piece of earlier mail.

A model gets structured text, never HTML: From, Subject, Date and In-Reply-To, the parts of the body
labelled by whose words they are, attachments by name, type and size. What a reader does not see is
left out, characters that draw nothing are cut, and marks by which models or our own labels tell
parts apart are made harmless in every field alike, after everything else was decided.
"""

from functools import lru_cache

from data.records.core.parsed_mail import Attachment, ParsedMail, Segments
from tasks.core.patterns import compiled
from tasks.core.screen.inert import make_inert
from tasks.core.screen.message.identifiers import domain_reads_as_words, reads_as_words
from tasks.core.words.sentences import single_spaced

_WORDS = compiled(r"\pL{2,}")
_TYPE = compiled(
    r"(?:application|audio|font|image|message|model|multipart|text|video)/[a-z0-9.+-]{1,80}"
)

MAX_LINE = 300
"""Characters of a sentence of a mail that is shown by itself."""
MAX_CHARACTERS = 24_000
"""Length of the whole view; the parts share it as `_SHARES` says."""
_SHARES = {"written now": 0.6, "forwarded": 0.2, "quoted": 0.15}
_FIELD = 300
_MOST_ATTACHMENTS = 20
_NAME_WORDS = 6
"""Words of a file name up to which it is shown: more make a sentence."""
_NAME_LETTERS = 24
"""Letters outside ASCII up to which it is shown: some scripts write no spaces."""
_TYPE_JOINTS = 2
"""Hyphens of a media type, and its dots unless a vendor's, up to which it is no sentence."""
_WITHHELD = "(withheld)"
_CUT = "[… {count} characters left out …]"


def model_view(mail: ParsedMail, segments: Segments, limit: int = MAX_CHARACTERS) -> str:
    """Return what a model may read of a message: plain text of at most `limit` characters.

    Args:
        mail: the message as read.
        segments: its body cut by whose words they are.
        limit: most characters, at least 1,000.

    Returns:
        Header lines, then the labelled parts; empty parts are left out. Hidden text, other headers,
        HTML, link targets and attachment contents never appear.

    """
    limit = max(limit, 1_000)
    lines = _header(mail)
    for label, text in (
        ("written now", segments.new),
        ("forwarded", segments.forwarded),
        ("quoted", segments.quoted),
    ):
        if text.strip():
            room = int(limit * _SHARES[label])
            lines += ["", f"{_title(label)}", _shorten_text(make_inert(text).strip(), room)]
    if mail.attachments:
        lines += ["", "Attachments (not read):"]
        shown = mail.attachments[:_MOST_ATTACHMENTS]
        lines += [_attachment(number, one) for number, one in enumerate(shown, start=1)]
        if len(mail.attachments) > _MOST_ATTACHMENTS:
            lines.append(f"- and {len(mail.attachments) - _MOST_ATTACHMENTS} more")
    return _shorten_text("\n".join(lines), limit)


def text_view(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Return what a model may read of a text that came by mail, outside of its message.

    For pieces of the context and single sentences: made harmless as the parts of a message are,
    at most `limit` characters.
    """
    return _shorten_text(make_inert(text).strip(), limit)


@lru_cache(maxsize=2048)
def line_view(sentence: str) -> str:
    """Return a sentence of a mail in one line, without hidden or controlling characters.

    Kept, because the plan and each draft of a case ask for the same questions.
    """
    return single_spaced(text_view(sentence, MAX_LINE))


def _title(label: str) -> str:
    """Return the line above a part."""
    whose = {
        "written now": "Text written by the sender now:",
        "forwarded": "Text of somebody else that the sender forwards:",
        "quoted": "Earlier text of other people that the sender quotes:",
    }
    return whose[label]


def _header(mail: ParsedMail) -> list[str]:
    """Return the four header lines, those without value left out."""
    sender = f"{mail.sender.name} <{_address(mail.sender.email)}>" if mail.sender else "unknown"
    fields = (
        ("From", sender.strip()),
        ("Subject", mail.subject),
        ("Date", mail.date.isoformat() if mail.date else ""),
        ("In-Reply-To", _id(mail.in_reply_to or "")),
    )
    return [f"{name}: {_one_line(value)}" for name, value in fields if value]


def _address(email: str) -> str:
    """Return an address without the parts that are quoted or read as words; its name is shown."""
    local, at, domain = email.rpartition("@")
    return (
        f"{_WITHHELD if reads_as_words(local) else local}"
        f"{at}{_WITHHELD if domain_reads_as_words(domain) else domain}"
    )


def _id(message_id: str) -> str:
    """Return a message id unless it reads as words: it is there to be told from others."""
    local, _, domain = message_id.strip("<>").rpartition("@")
    reads_well = reads_as_words(local) or domain_reads_as_words(domain)
    return "" if reads_well or (not local and reads_as_words(domain)) else message_id


def _attachment(number: int, attachment: Attachment) -> str:
    """Return name, type and size; a name that is a sentence is withheld, as it may be an order."""
    name, kind = _one_line(attachment.filename), attachment.content_type
    stem, dot, ending = name.rpartition(".")
    words = _WORDS.findall(stem or name)
    letters = sum(not letter.isascii() and letter.isalpha() for letter in stem)
    if len(words) > _NAME_WORDS or letters > _NAME_LETTERS or "@" in name or "//" in name:
        ending = ending if dot and ending.isalnum() and len(ending) <= 5 else ""
        name = (
            f"attachment {number}{dot if ending else ''}{ending} (name withheld: it is a sentence)"
        )
    dots = 0 if "/vnd." in kind else kind.count(".")
    if not _TYPE.fullmatch(kind) or max(dots, kind.count("-")) > _TYPE_JOINTS:
        kind = "unknown type"
    return f"- {name} ({kind}, {attachment.size_bytes} bytes)"


def _one_line(value: str) -> str:
    """Return a field on one line, so that it cannot pretend to be the next one."""
    return _shorten_text(" ".join(make_inert(value).split()), _FIELD)


def _shorten_text(text: str, room: int) -> str:
    """Return head and tail of a text that is too long, with a note of what is missing."""
    if len(text) <= room:
        return text
    note = _CUT.format(count=len(text))
    keep = max(room - len(note) - 2, 0)
    head = keep * 3 // 4
    tail = keep - head
    note = _CUT.format(count=len(text) - head - tail)
    return f"{text[:head]}\n{note}\n{text[len(text) - tail :]}"[:room]

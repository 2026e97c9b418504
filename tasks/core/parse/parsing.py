"""Stage *parse*: what a message says, read from its bytes; pure, linear and hard to upset.

Who reads what, and why:

- **mail-parser** reads addresses and dates: its readers judge structure before decoding and say
  what was ambiguous. Its `MailParser` as a whole is not used: it reads only the first From, joins
  plain text and HTML into one body, guesses no charset but UTF-8, ignores format=flowed, spends
  half its time on Received headers, and rests on the standard library's parser, which can be made
  to take minutes (docs/design.md#reading).
- **the standard library** decodes quoted-printable, base64 and uuencode, knows the charsets, and
  reads the dates that mail-parser refuses.
- **charset-normalizer** guesses where `tasks.core.parse.charset_guess` does not know the letters of
  a region.
- the skeleton of the message is read here (`part_tree`), with the limits of `limits`.
"""

from dataclasses import dataclass

from data.errors import UnreadableMailError
from data.records.core.parsed_mail import Address, Attachment, Carried, Hidden, Link, ParsedMail
from tasks.core.parse import header_values as mail_headers
from tasks.core.parse.addresses import read_addresses
from tasks.core.parse.body import read_body
from tasks.core.parse.content_elsewhere import waits_elsewhere
from tasks.core.parse.part_tree import MimePart, read_tree
from tasks.core.parse.text import read_text
from tasks.core.parse.unread_words import CARRIED, CARRIED_CHARACTERS
from tasks.core.parse.words import decode_header

ENCLOSED_CHARACTERS = 50_000
"""Characters kept of a message that is enclosed as a part."""
DEFECTS = 100
"""Defects that are listed."""
_ENCLOSED_HEADERS = ("from", "date", "subject", "to")


def parse(raw: bytes) -> ParsedMail:
    """Return what the message says; whatever was odd is in its `defects`.

    Raises:
        UnreadableMailError: a limit of `parse_limits` is exceeded, or there is nothing to read;
            nothing else is raised for any bytes.
    """
    if not raw.strip():
        raise UnreadableMailError("the message is empty; look at its envelope")
    defects: list[str] = []
    root = read_tree(raw, defects)
    headers = _headers(root, defects)
    senders, sender_clear = _addresses(root, "from", defects)
    body = read_body(root, defects)
    text = read_text(body, defects)
    sealed = body.sealed or waits_elsewhere(text.text, text.links, body.attachments)
    if sealed:
        defects.append(f"the message or a part of it is {sealed} and cannot be read")
    enclosed = [_read_enclosed(part) for part in body.enclosed]
    carried = [
        *body.carried,
        *(carried_part for part in enclosed for carried_part in part.carried),
        *(_returned(part) for part in body.returned),
    ]
    if len(carried) >= CARRIED:
        defects.append("more words around the parts than are kept")
    values = _by_name(headers)
    if not headers:
        defects.append("no header")
    if len(values.get("from", ())) != 1:
        defects.append("more than one From header" if senders else "no From header")
        sender_clear = False
    for name in ("reply-to", "sender", "subject", "to", "cc"):
        if len(values.get(name, ())) > 1:
            defects.append(f"more than one {name.title()} header")
    return ParsedMail(
        subject=values.get("subject", [""])[0],
        sender=senders[0] if sender_clear and len(senders) == 1 else None,
        senders=tuple(senders),
        reply_to=tuple(_addresses(root, "reply-to", defects)[0]),
        to=tuple(_addresses(root, "to", defects)[0]),
        cc=tuple(_addresses(root, "cc", defects)[0]),
        date=mail_headers.read_date(values.get("date", []), defects),
        message_id=mail_headers.read_message_id(values.get("message-id", []), defects),
        in_reply_to=mail_headers.read_parent(values.get("in-reply-to", [])),
        references=mail_headers.read_ids(values.get("references", [])),
        headers=tuple(headers),
        text=text.text,
        marks=text.marks,
        html="\n".join(body.html),
        hidden=(
            *text.hidden,
            *(_placeless(hidden_piece) for part in enclosed for hidden_piece in part.hidden),
        ),
        links=(*text.links, *(link for part in enclosed for link in part.links)),
        attachments=(
            *body.attachments,
            *(attachment for part in enclosed for attachment in part.attachments),
        ),
        reports=tuple(body.reports),
        carried=tuple(carried[:CARRIED]),
        enclosed=tuple(part.text for part in enclosed),
        sealed=sealed,
        defects=tuple(dict.fromkeys(defects))[:DEFECTS],
        size_bytes=len(raw),
    )


def _headers(root: MimePart, defects: list[str]) -> list[tuple[str, str]]:
    """Return every header decoded, in order."""
    return [
        (name, decode_header(value, name[:40], defects, root.charset))
        for name, value in root.headers
    ]


def _by_name(headers: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of each header name."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name, []).append(value)
    return values


def _addresses(root: MimePart, name: str, defects: list[str]) -> tuple[list[Address], bool]:
    """Return the addresses of every header `name`, and whether all of them were clear."""
    addresses_read: list[Address] = []
    all_clear = True
    for key, value in root.headers:
        if key == name and value:
            addresses, clear = read_addresses(value, name, defects, root.charset)
            addresses_read += addresses
            all_clear = all_clear and clear
    return addresses_read, all_clear


@dataclass(frozen=True)
class _Enclosed:
    """A message that is passed on as a part: what it says, hides, links to and carries.

    What messages enclosed in it hide, link to and carry is among it; what they say is carried.
    """

    text: str
    hidden: tuple[Hidden, ...]
    links: tuple[Link, ...]
    carried: list[Carried]
    attachments: tuple[Attachment, ...]


def _returned(part: MimePart) -> Carried:
    """Return the words of a message that a report returns, hidden ones too."""
    enclosed = _read_enclosed(part)
    words = "\n\n".join([enclosed.text, *(hidden_text.text for hidden_text in enclosed.hidden)])
    return Carried(place="returned", text=words[:CARRIED_CHARACTERS])


def _placeless(hidden: Hidden) -> Hidden:
    """Return hidden text of an enclosed message: it has no place in the text of the outer one."""
    return hidden.model_copy(update={"at": -1})


def _read_enclosed(part: MimePart) -> _Enclosed:
    """Return an enclosed message; its text is main header lines, a blank line and the body."""
    ignored: list[str] = []
    head = [
        f"{name.title()}: {decode_header(value, name, ignored, part.charset)}"
        for name, value in part.headers
        if name in _ENCLOSED_HEADERS
    ]
    body = read_body(part, ignored)
    body_text = read_text(body, ignored)
    text = ("\n".join(head) + "\n\n" + body_text.text)[:ENCLOSED_CHARACTERS]
    inner = [_read_enclosed(enclosed_part) for enclosed_part in body.enclosed]
    texts_carried = [
        Carried(place="enclosed", text=inner_part.text[:CARRIED_CHARACTERS]) for inner_part in inner
    ]
    returned = [_returned(returned_part) for returned_part in body.returned]
    return _Enclosed(
        text,
        (*body_text.hidden, *(hidden for inner_part in inner for hidden in inner_part.hidden)),
        (*body_text.links, *(link for inner_part in inner for link in inner_part.links)),
        [
            *body.carried,
            *texts_carried,
            *returned,
            *(words for inner_part in inner for words in inner_part.carried),
        ],
        (*body.attachments, *(file for inner_part in inner for file in inner_part.attachments)),
    )

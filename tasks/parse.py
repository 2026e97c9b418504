"""Stage *parse*: what a message says, read from its bytes; pure, linear and hard to upset.

Who reads what, and why:

- **mail-parser** reads addresses and dates: its readers judge structure before decoding and say
  what was ambiguous. Its `MailParser` as a whole is not used: it reads only the first From, joins
  plain text and HTML into one body, guesses no charset but UTF-8, ignores format=flowed, spends
  half its time on Received headers, and rests on the standard library's parser, which can be made
  to take minutes (docs/design.md#reading).
- **the standard library** decodes quoted-printable, base64 and uuencode, knows the charsets, and
  reads the dates that mail-parser refuses.
- **charset-normalizer** guesses a charset that is missing or wrong.
- the skeleton of the message is read here (`parse_tree`), with the limits of `parse_limits`.
"""

from data.errors import UnreadableMailError
from data.records.mail import Address, Hidden, Link, ParsedMail
from tasks import mail_headers
from tasks.html_text import HtmlReading, read_html
from tasks.parse_addresses import read_addresses
from tasks.parse_body import Body, read_body
from tasks.parse_tree import Part, read_tree
from tasks.parse_words import decode_header

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
    text, readings = _read_text(body, defects)
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
        in_reply_to=next(iter(mail_headers.read_ids(values.get("in-reply-to", []))), None),
        references=mail_headers.read_ids(values.get("references", [])),
        headers=tuple(headers),
        text=text,
        html="\n".join(body.html),
        hidden=_all_hidden(readings),
        links=_all_links(readings),
        attachments=tuple(body.attachments),
        reports=tuple(body.reports),
        enclosed=tuple(_enclosed_text(part) for part in body.enclosed),
        defects=tuple(dict.fromkeys(defects))[:DEFECTS],
        size_bytes=len(raw),
    )


def _headers(root: Part, defects: list[str]) -> list[tuple[str, str]]:
    """Return every header decoded, in order."""
    charset = root.type_parameters.get("charset", "")
    return [
        (name, decode_header(value, name[:40], defects, charset)) for name, value in root.headers
    ]


def _by_name(headers: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the values of each header name."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name, []).append(value)
    return values


def _addresses(root: Part, name: str, defects: list[str]) -> tuple[list[Address], bool]:
    """Return the addresses of every header `name`, and whether all of them were clear."""
    found: list[Address] = []
    all_clear = True
    for key, value in root.headers:
        if key == name and value:
            addresses, clear = read_addresses(value, name, defects)
            found += addresses
            all_clear = all_clear and clear
    return found, all_clear


def _read_text(body: Body, defects: list[str]) -> tuple[str, list[HtmlReading]]:
    """Return the body text, and the reading of every HTML part."""
    readings = {html: read_html(html) for html in body.html}
    for reading in readings.values():
        if reading.defect:
            defects.append(reading.defect)
    pieces = [
        readings[content].text if kind == "html" else content.strip("\n")
        for kind, content in body.chosen
    ]
    return "\n\n".join(piece for piece in pieces if piece.strip()), list(readings.values())


def _all_hidden(readings: list[HtmlReading]) -> tuple[Hidden, ...]:
    """Return the hidden texts of all HTML parts."""
    return tuple(hidden for reading in readings for hidden in reading.hidden)


def _all_links(readings: list[HtmlReading]) -> tuple[Link, ...]:
    """Return the links of all HTML parts."""
    return tuple(link for reading in readings for link in reading.links)


def _enclosed_text(part: Part) -> str:
    """Return an enclosed message as text: its main header lines, a blank line, its body."""
    ignored: list[str] = []
    head = [
        f"{name.title()}: {decode_header(value, name, ignored)}"
        for name, value in part.headers
        if name in _ENCLOSED_HEADERS
    ]
    text, _ = _read_text(read_body(part, ignored), ignored)
    return ("\n".join(head) + "\n\n" + text)[:ENCLOSED_CHARACTERS]

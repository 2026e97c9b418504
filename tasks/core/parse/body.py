"""The parts of a message as body and as attachments (RFC 2046, RFC 2183, RFC 3676)."""

from dataclasses import dataclass, field

from data.records.core.parsed_mail import Attachment, Carried
from tasks.core.markup.bounds import without_tags
from tasks.core.parse.attached import attachment_of, names_of
from tasks.core.parse.cards import calendar_text, contact_text
from tasks.core.parse.charsets import decode_bytes, stated_in_html
from tasks.core.parse.content_elsewhere import FRAGMENT, POINTED_TO
from tasks.core.parse.flowed import is_flowed, unflow
from tasks.core.parse.html_files import cut_files_of_html
from tasks.core.parse.inline_files import InlineFile, cut_files
from tasks.core.parse.parameters import clean_name, read_parameters
from tasks.core.parse.part_tree import MimePart
from tasks.core.parse.tnef import is_tnef, read_tnef
from tasks.core.parse.transfer import decode_transfer
from tasks.core.parse.unread_words import CARRIED_CHARACTERS, carry, carry_around
from tasks.core.parse.words import decode_header
from tasks.core.words.cleaning import clean_text

BODY_CHARACTERS = 2_000_000
"""Characters of text and of HTML that are kept each; the rest stays in the raw message."""
REPORTS = 20
"""Report parts and enclosed messages that are kept."""
REPORT_CHARACTERS = 50_000
"""Characters of each of them."""

_RIGHTS_MANAGED = "application/x-microsoft-rpmsg-message"
"""What Outlook and Exchange encrypt; a few words around it say how to read it in a browser."""
_ELSEWHERE = {"message/partial": FRAGMENT, "message/external-body": POINTED_TO}
"""Parts that only stand for a message (RFC 2046 section 5.2.2 and 5.2.3)."""
_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"
_TEXTS = frozenset({"text/plain", "text/html", "text/enriched", "text/richtext"})
_MESSAGES = frozenset({"message/rfc822", "message/global"})
_CALENDARS = frozenset({"text/calendar", "application/ics", "text/x-vcalendar"})
_CONTACTS = frozenset({"text/vcard", "text/x-vcard", "text/directory"})
_TEXT_ENDINGS = (".txt", ".md", ".csv", ".json", ".xml", ".log", ".html", ".htm", ".yaml", ".svg")
_REPORT_TYPES = frozenset(
    {
        "message/delivery-status",
        "message/global-delivery-status",
        "message/disposition-notification",
        "message/feedback-report",
        "text/rfc822-headers",
        "message/global-headers",
    }
)


@dataclass(frozen=True)
class BodyPiece:
    """A piece of the body text."""

    kind: str
    """`plain` or `html`."""
    content: str
    html: str = ""
    """For a plain piece the HTML that is offered instead of it."""


@dataclass
class Body:
    """What the parts of a message amount to."""

    root: MimePart | None = None
    """The whole message."""
    chosen: list[BodyPiece] = field(default_factory=list)
    """Text pieces to be read, in order."""
    html: list[str] = field(default_factory=list)
    """Every HTML body part."""
    attachments: list[Attachment] = field(default_factory=list)
    """Everything else."""
    reports: list[str] = field(default_factory=list)
    """Delivery reports and returned header blocks."""
    enclosed: list[MimePart] = field(default_factory=list)
    """Messages that are passed on as a part."""
    returned: list[MimePart] = field(default_factory=list)
    """Messages that a report returns."""
    sealed: str = ""
    """Why the body, or a part of it, cannot be read: `encrypted with OpenPGP`."""
    carried: list[Carried] = field(default_factory=list)
    """Words of other places: calendar entries, contacts, headers of parts, preambles."""
    texts: list[tuple[MimePart, bytes]] = field(default_factory=list)
    """Texts that are listed as files, and yet are the body where there is no other."""


def read_body(part: MimePart, defects: list[str]) -> Body:
    """Return the body of a tree whose depth `parse_tree` has bounded."""
    body = Body(root=part)
    carry_around(part, body.carried)
    body.chosen = _pieces(part, body, defects, in_report=False)
    if body.texts and not any(piece.content.strip() for piece in body.chosen):
        body.chosen = [_piece(*body.texts[0], body, defects)]
    return body


def _pieces(part: MimePart, body: Body, defects: list[str], *, in_report: bool) -> list[BodyPiece]:
    """Return the body text of one part, putting all else of it where it belongs."""
    kind = part.content_type
    if part.children and kind not in _MESSAGES and not kind.startswith("multipart/"):
        return _pieces(part.children[0], body, defects, in_report=in_report)  # S/MIME, opened
    if kind.startswith("multipart/"):
        report = in_report or kind == "multipart/report"
        piece_groups = [_pieces(child, body, defects, in_report=report) for child in part.children]
        if kind == "multipart/alternative":
            return _alternative(piece_groups, body.carried)
        return [piece for pieces in piece_groups for piece in pieces]
    shown, _ = read_parameters(
        part.header("content-disposition") or b"", "content-disposition", defects, part.charset
    )
    if part.sealed or kind == "application/pgp-encrypted":
        body.sealed = body.sealed or part.sealed or "encrypted with OpenPGP"
    disposition = shown.partition(" ")[0]
    names = names_of(part)
    if kind == _RIGHTS_MANAGED or any(name.casefold().endswith(".rpmsg") for name in names):
        body.sealed = body.sealed or "encrypted with Microsoft's rights management"
    body.sealed = body.sealed or _ELSEWHERE.get(kind, "")
    octets = decode_transfer(part.body, part.header("content-transfer-encoding"), defects)
    if kind in _REPORT_TYPES or (kind == "text/plain" and in_report and _is_report(octets)):
        _report(_text(part, octets, defects), body)
        return _plain_report(part, octets, defects) if kind == "text/plain" else []
    if kind in _TEXTS and disposition != "attachment" and not names:
        return [_piece(part, octets, body, defects)]
    if part.children:
        _enclose(part, body, in_report=in_report)
    attachment = attachment_of(part, names, disposition, octets, len(body.attachments))
    body.attachments.append(attachment)
    if _may_be_body(part, body, disposition):
        body.texts.append((part, octets))
    return _unpack_attachment(part, attachment, octets, body, defects)


def _may_be_body(part: MimePart, body: Body, disposition: str) -> bool:
    """Return whether a text that is a file as well is all that its reader is shown.

    So it is alone in the message, or shown in its place: some programs name every part.
    """
    if part is body.root:
        other = part.content_type in _CALENDARS | _CONTACTS
        return part.content_type.startswith("text/") and not other
    return part.content_type in _TEXTS and disposition != "attachment"


def _is_quoted(text: str) -> bool:
    """Return whether each encrypted message in a text stands in what somebody answers."""
    lines = [line for line in text.split("\n") if _PGP_MESSAGE in line]
    return all(line.lstrip().startswith(">") for line in lines)


def _piece(part: MimePart, octets: bytes, body: Body, defects: list[str]) -> BodyPiece:
    """Return a text part as a piece of the body; files that stand in it become attachments."""
    octets, files = (cut_files_of_html if part.content_type == "text/html" else cut_files)(octets)
    _add_files(files, part, body, defects)
    text = _text(part, octets, defects)
    if _PGP_MESSAGE in text and not _is_quoted(text):
        body.sealed = body.sealed or "encrypted with OpenPGP"
    if part.content_type == "text/html":
        body.html.append(text)
        return BodyPiece("html", text)
    if part.content_type != "text/plain":
        text = without_tags(text.replace("<<", "&lt;"))
    return BodyPiece("plain", unflow(text, part) if is_flowed(part) else text)


def _unpack_attachment(
    part: MimePart, attachment: Attachment, octets: bytes, body: Body, defects: list[str]
) -> list[BodyPiece]:
    """Read what can be read of an attachment; return the body that is packed in `winmail.dat`."""
    kind, name = attachment.content_type, attachment.filename.lower()
    if kind in _CALENDARS or name.endswith(".ics"):
        words = calendar_text(_text(part, octets, defects), defects)
        carry(body.carried, "ics", attachment.filename, words)
    elif kind in _CONTACTS or name.endswith(".vcf"):
        words = contact_text(_text(part, octets, defects), defects)
        carry(body.carried, "vcard", attachment.filename, words)
    elif kind == "text/x-amp-html":
        carry(body.carried, "alternative", kind, without_tags(_text(part, octets, defects)))
    elif is_tnef(kind, name):
        tnef = read_tnef(octets, defects)
        for tnef_file in tnef.attachments:
            _add_file(
                MimePart([], tnef_file.data, tnef_file.content_type),
                tnef_file.name,
                tnef_file.data,
                body,
                defects,
            )
        carry(body.carried, "tnef", attachment.filename, f"{tnef.subject}\n{tnef.text}".strip())
        if tnef.html:
            body.html.append(tnef.html)
            return [BodyPiece("html", tnef.html)]
        return [BodyPiece("plain", tnef.text)] if tnef.text.strip() else []
    elif kind == "application/mac-binhex40" or name.endswith(".hqx"):
        _add_files(cut_files(octets)[1], part, body, defects)
    elif kind.startswith("text/") or name.endswith(_TEXT_ENDINGS):
        carry(body.carried, "text", attachment.filename, _text(part, octets, []))
    return []


def _add_file(part: MimePart, name: str, octets: bytes, body: Body, defects: list[str]) -> None:
    """List a file that came packed in another part; packs within it are not opened."""
    names = (name,) if name else ()
    attached = attachment_of(part, names, "attachment", octets, len(body.attachments))
    body.attachments.append(attached)
    if not is_tnef(attached.content_type, attached.filename.lower()):
        _unpack_attachment(part, attached, octets, body, defects)


def _add_files(files: list[InlineFile], part: MimePart, body: Body, defects: list[str]) -> None:
    """List the files that stand in the text of a part."""
    for file in files:
        name = clean_name(decode_header(file.name, "a file name", [], part.charset))
        if any(
            name and attached.filename == name and attached.size_bytes == len(file.data)
            for attached in body.attachments
        ):
            continue  # both alternatives hold it
        inner = MimePart([], file.data, "application/octet-stream")
        _add_file(inner, name, file.data, body, defects)


def _alternative(piece_groups: list[list[BodyPiece]], carried: list[Carried]) -> list[BodyPiece]:
    """Return the alternative to read: plain text unless it is blank (RFC 2046 section 5.1.4).

    What a reader sees is the HTML; it goes along, and `parse_text` compares the two. HTML that goes
    on below a file, as Apple's mail writes it, is read as it stands. Some program shows each
    further one, so these are carried.
    """
    for pieces in piece_groups:
        if len(pieces) < 2 or not any(piece.kind == "html" for piece in pieces):
            continue
        filled = [piece for piece in pieces if without_tags(piece.content).strip()]
        if len(filled) > 1 and any(piece.kind == "html" for piece in filled):
            shown = " ".join(without_tags(piece.content) for piece in filled)
            _carry_others(piece_groups, pieces, shown, carried)
            return pieces
    html = next(
        (piece.content for pieces in piece_groups for piece in pieces if piece.kind == "html"), ""
    )
    for kind in ("plain", "html"):
        for pieces in piece_groups:
            if any(piece.kind == kind and piece.content.strip() for piece in pieces):
                _carry_others(piece_groups, pieces, html, carried)
                return [
                    BodyPiece("plain", piece.content, html) if piece.kind == "plain" else piece
                    for piece in pieces
                ]
    return []


def _carry_others(
    piece_groups: list[list[BodyPiece]], chosen: list[BodyPiece], html: str, carried: list[Carried]
) -> None:
    """Carry the alternatives that are neither read nor compared, unless they say the same."""
    squeezed_bodies = {" ".join(body_piece.content.split()) for body_piece in chosen} | {
        " ".join(html.split())
    }
    for other_piece in (
        piece for pieces in piece_groups for piece in pieces if pieces is not chosen
    ):
        if (words := " ".join(other_piece.content.split())) in squeezed_bodies:
            continue
        squeezed_bodies.add(words)
        text = (
            without_tags(other_piece.content) if other_piece.kind == "html" else other_piece.content
        )
        for at in range(0, len(text), CARRIED_CHARACTERS):
            rest = text[at : at + CARRIED_CHARACTERS]
            carry(carried, "alternative", f"text/{other_piece.kind}", rest)


def _is_report(octets: bytes) -> bool:
    """Whether a text part inside a report holds the fields of RFC 3464 under a wrong type."""
    return b"final-recipient:" in octets[:20_000].lower()


def _plain_report(part: MimePart, octets: bytes, defects: list[str]) -> list[BodyPiece]:
    """Return the text of a report that came as text/plain: it is read by people too."""
    return [BodyPiece("plain", _text(part, octets, defects))]


def _report(text: str, body: Body) -> None:
    """Keep a report; those beyond `REPORTS` are carried, so that they are scanned at least."""
    if len(body.reports) < REPORTS:
        body.reports.append(text[:REPORT_CHARACTERS])
    else:
        carry(body.carried, "returned", "", text)


def _enclose(part: MimePart, body: Body, *, in_report: bool) -> None:
    """Keep a message inside the message: as a report when returned, else as passed on."""
    child = part.children[0]
    if not in_report:
        if len(body.enclosed) < REPORTS:
            body.enclosed.append(child)
        else:
            _carry_enclosed(child, body)
        return
    head = "\n".join(f"{name}: {value.decode('latin-1')}" for name, value in child.headers)
    _report(clean_text(head), body)
    if len(body.returned) < REPORTS:
        body.returned.append(child)
    else:
        _carry_enclosed(child, body)


def _carry_enclosed(root: MimePart, body: Body) -> None:
    """Carry the words of an enclosed message beyond those that are kept, and list its files."""
    inner = read_body(root, [])
    subject = decode_header(root.header("subject") or b"", "subject", [], root.charset)
    words = [
        without_tags(body_piece.content) if body_piece.kind == "html" else body_piece.content
        for body_piece in inner.chosen
    ]
    carry(body.carried, "enclosed", "", "\n\n".join([subject, *words]))
    for other in inner.carried:
        carry(body.carried, other.place, other.name, other.text)
    for report in inner.reports:
        carry(body.carried, "returned", "", report)
    body.attachments.extend(inner.attachments)
    for further in (*inner.enclosed, *inner.returned):
        _carry_enclosed(further, body)


def _text(part: MimePart, octets: bytes, defects: list[str]) -> str:
    """Return a text part as clean Unicode."""
    charset = part.type_parameters.get("charset", "")
    if not charset and part.content_type == "text/html":
        charset = stated_in_html(octets)
    text = clean_text(decode_bytes(octets, charset, defects, "a text part"))
    if len(text) > BODY_CHARACTERS:
        defects.append("body text is longer than is read")
        text = text[:BODY_CHARACTERS]
    return text

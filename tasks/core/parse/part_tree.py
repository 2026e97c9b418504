"""The skeleton of a message: headers and parts as slices of its bytes (RFC 5322, RFC 2046).

Why not the standard library's parser: it walks the message line by line against every enclosing
boundary (6.7 s for 100,000 parts in 1 MB), recurses once per level and so raises `RecursionError`,
and knows no limit. This one searches for boundaries in C, counts levels and parts as it goes, and
is about ten times as fast. The leniency is the same: a missing closing boundary ends at the end of
the enclosing part, a multipart without its boundary is text, a header block may end without a
blank line.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from data.byte_patterns import octet_pattern
from tasks.core.parse import limits as limits
from tasks.core.parse.charsets import charset_of_script
from tasks.core.parse.header_block import split_headers
from tasks.core.parse.parameters import MimeParameters, raw_parameter, read_parameters
from tasks.core.parse.smime import OPAQUE, open_cms
from tasks.core.parse.transfer import decode_transfer, transfer_encoding

_UNTOLD = frozenset({"us-ascii", "ascii", "utf-8", "utf8"})
"""Charsets that say nothing about octets that are not theirs."""
_NAMED = octet_pattern(rb"=\?([^?\s=*]{1,60})(?:\*[^?\s]{0,20})?\?[bBqQ]\?")
_FIELD = octet_pattern(rb"^\s*[A-Za-z][A-Za-z0-9-]{1,60}:[^\n]*\n")
SCRIPT_BYTES = 4_000
"""Bytes of a text by which its script is told."""
AROUND = 20_000
"""Bytes before and after the parts of a multipart that are kept."""


@dataclass
class MimePart:
    """One MIME entity: headers, body and, for multipart and message/rfc822, children."""

    headers: list[tuple[str, bytes]]
    """Names lower-cased, values as they came without the final line end."""
    body: bytes
    """The encoded body."""
    content_type: str = "text/plain"
    """The media type, lower-cased."""
    type_parameters: MimeParameters = field(default_factory=dict)
    """Parameters of Content-Type, names lower-cased."""
    children: list["MimePart"] = field(default_factory=list)
    """Parts inside, in order."""
    preamble: bytes = b""
    """Lines of the header that are no fields, and what stands before the first part of a multipart;
    at most `AROUND` bytes of each."""
    epilogue: bytes = b""
    """What stands after the last one."""
    sealed: str = ""
    """Why the S/MIME body within cannot be read, a few words; empty when it can, or is none."""
    charset: str = ""
    """What raw 8-bit headers and names of the message are most likely written in."""

    def header(self, name: str) -> bytes | None:
        """Return the first value of header `name`, or None."""
        return next((value for key, value in self.headers if key == name), None)

    def walk(self) -> Iterator["MimePart"]:
        """Yield this part and all below it in document order, without recursion."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting.extend(reversed(part.children))


def read_tree(raw: bytes, defects: list[str]) -> MimePart:
    """Return the message as a tree of parts.

    Raises:
        UnreadableMailError: a limit of `tasks.core.parse.limits` is exceeded; the sentence names
        it.
    """
    if b"\n" not in raw and b"\r" in raw:
        defects.append("lines end in bare CR")
        raw = raw.replace(b"\r", b"\n")
    root = _part(raw, "text/plain", defects)
    count, waiting = 1, [(root, 1)]
    while waiting:
        part, depth = waiting.pop()
        bodies, default = _list_raw_children(part, defects)
        if bodies and depth >= limits.DEPTH:
            raise limits.refuse("depth", limits.DEPTH)
        for body in bodies:
            count += 1
            if count > limits.PARTS:
                raise limits.refuse("parts", limits.PARTS)
            child = _part(body, default, defects)
            part.children.append(child)
            waiting.append((child, depth + 1))
    _tell_charset(root)
    return root


def told_charset(stated: str) -> str:
    """Return a stated charset, or nothing where it says nothing about octets beyond ASCII."""
    return "" if stated.lower() in _UNTOLD else stated


def _tell_charset(root: MimePart) -> None:
    """Tell every part what raw 8-bit names and headers of the message are most likely written in.

    Programs that do not encode them write them as they write the text: in the charset that the
    first text part with other letters than ASCII states, or an encoded header does. Where all of
    these are UTF-8, the script of the text tells the region.
    """
    parts = list(root.walk())
    stated = (told_charset(part.type_parameters.get("charset", "")) for part in parts)
    charset = next((stated_type for stated_type in stated if stated_type), "")
    if not charset and any(_is_raw(value) for part in parts for _, value in part.headers):
        charset = _named_in_headers(parts) or _charset_of_text(parts)
    for part in parts:
        part.charset = charset


def _is_raw(value: bytes) -> bool:
    """Whether a header holds octets of no stated charset that are no UTF-8."""
    if value.isascii():
        return False
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _named_in_headers(parts: list[MimePart]) -> str:
    """Return the first charset that an encoded word of a header names (RFC 2047), or nothing."""
    for part in parts:
        for _, value in part.headers:
            for match in _NAMED.finditer(value):
                if charset := told_charset(match.group(1).decode("ascii", "replace")):
                    return charset
    return ""


def _charset_of_text(parts: list[MimePart]) -> str:
    """Return the charset of the region that the script of a text in UTF-8 tells, or nothing."""
    for part in parts:
        if part.content_type.startswith("text/"):
            octets = decode_transfer(part.body, part.header("content-transfer-encoding"), [])
            if charset := charset_of_script(octets[:SCRIPT_BYTES].decode("utf-8", "ignore")):
                return charset
    return ""


def _part(octets: bytes, default_type: str, defects: list[str]) -> MimePart:
    """Return one entity with its headers read and its children not yet."""
    headers, body, stray = split_headers(octets, defects)
    part = MimePart(headers=headers, body=body, content_type=default_type, preamble=stray[:AROUND])
    types = [value for name, value in headers if name == "content-type"]
    if len(types) > 1:
        defects.append("more than one Content-Type in a part")
    if types:
        declared, part.type_parameters = read_parameters(types[0], "content-type", defects)
        kind = declared.strip("\"' ").partition(",")[0].partition(" ")[0]
        if declared and kind != declared:  # `text/html charset=utf-8`, `"text/html"`
            defects.append(f"malformed Content-Type {declared[:60]!r}")
        if kind.count("/") == 1 and not kind.startswith("/"):
            part.content_type = kind
        elif declared:
            defects.append(f"malformed Content-Type {declared[:60]!r}")
            part.content_type = "text/plain"
    return part


def _list_raw_children(part: MimePart, defects: list[str]) -> tuple[list[bytes], str]:
    """Return the raw children of a part and the media type that they have by default."""
    unknown = part.content_type == "application/octet-stream"
    if part.content_type in ("message/rfc822", "message/global") or (
        unknown and _is_mail_file(part)
    ):
        part.body = _unencoded(part, defects)
        return [part.body], "text/plain"
    if part.content_type in OPAQUE or (unknown and _is_opaque_file(part)):
        opened = open_cms(
            decode_transfer(part.body, part.header("content-transfer-encoding"), defects)
        )
        part.sealed = opened.sealed
        return [opened.content] if opened.content is not None else [], "text/plain"
    if not part.content_type.startswith("multipart/"):
        return [], ""
    boundary = raw_parameter(part.header("content-type") or b"", "boundary").strip()
    if not boundary:
        defects.append("multipart without boundary")
    elif len(boundary) > limits.BOUNDARY_REGULAR:
        defects.append("boundary longer than RFC 2046 allows")
    bodies: list[bytes] = []
    if 0 < len(boundary) <= limits.BOUNDARY:
        part.body = _unencoded(part, defects)
        bodies = _between(part, boundary, defects)
    if not bodies:
        part.content_type = "text/plain"
    default = "message/rfc822" if part.content_type == "multipart/digest" else "text/plain"
    return bodies, default


def _is_opaque_file(part: MimePart) -> bool:
    """Whether a part is an S/MIME body by its name alone, as some gateways send it on."""
    return _name_of_octets(part) == b"smime.p7m"


def _is_mail_file(part: MimePart) -> bool:
    """Whether a part is a message by its name alone, as web mailers attach one; it becomes that."""
    if not _name_of_octets(part).endswith(b".eml"):
        return False
    octets = decode_transfer(part.body, part.header("content-transfer-encoding"), [])
    if _FIELD.match(octets) is None:
        return False
    part.content_type = "message/rfc822"
    return True


def _name_of_octets(part: MimePart) -> bytes:
    """Return the name of a file of which no type is stated, in small letters."""
    shown = part.header("content-disposition") or b""
    name = raw_parameter(shown, "filename") or raw_parameter(
        part.header("content-type") or b"", "name"
    )
    return name.strip().lower()


def _unencoded(part: MimePart, defects: list[str]) -> bytes:
    """Return the body of a composite part; an encoding, which RFC 2045 forbids, is undone."""
    declared = part.header("content-transfer-encoding")
    if transfer_encoding(declared) not in ("base64", "quoted-printable"):
        return part.body
    defects.append("transfer encoding of a composite part")
    part.headers = [header for header in part.headers if header[0] != "content-transfer-encoding"]
    return decode_transfer(part.body, declared, defects)


def _between(part: MimePart, boundary: bytes, defects: list[str]) -> list[bytes]:
    """Return what lies between the delimiter lines (RFC 2046 section 5.1.1)."""
    body = part.body
    delimiter = b"--" + boundary
    bodies: list[bytes] = []
    start, at, closed = -1, 0, False
    while True:
        at = body.find(delimiter, at)
        if at < 0:
            break
        after = at + len(delimiter)
        line_end = body.find(b"\n", after)
        line_end = len(body) if line_end < 0 else line_end
        tail = body[after : min(line_end, after + 200)].rstrip(b" \t\r")
        if (at and body[at - 1 : at] != b"\n") or tail not in (b"", b"--"):
            at = after
            continue
        if start >= 0:
            bodies.append(_without_line_end(body[start:at]))
            if len(bodies) > limits.PARTS:
                raise limits.refuse("parts", limits.PARTS)
        else:
            part.preamble = b"\n".join((part.preamble, body[: min(at, AROUND)])).strip()
        if tail == b"--":
            closed = True
            part.epilogue = body[after + 2 : after + 2 + AROUND].strip()
            break
        start = at = min(line_end + 1, len(body))
    if start < 0:
        defects.append("boundary of a multipart not found")
    elif not closed:
        defects.append("closing boundary missing")
        bodies.append(body[start:])
    return bodies


def _without_line_end(octets: bytes) -> bytes:
    """Return `octets` without the line end that belongs to the delimiter after it."""
    if octets.endswith(b"\r\n"):
        return octets[:-2]
    return octets[:-1] if octets.endswith(b"\n") else octets

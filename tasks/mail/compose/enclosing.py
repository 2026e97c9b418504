"""Files of our own in a message: what they are declared as, and how they are written and proved.

Every file goes in base64, so that its bytes arrive as they are. Its name stands in
Content-Disposition (RFC 2183), beyond short plain ASCII in the form of RFC 2231 sections 3 and 4.
"""

import mimetypes
from base64 import encodebytes
from collections.abc import Sequence
from email.message import Message
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote

from data.errors import UnfitError
from data.records.mail.attaching import EnclosedFile
from tasks.core.parse.parameters import clean_name
from tasks.mail.compose.headers import ComposeError, build_field

LONGEST_NAME = 150
"""Characters of a file name."""
_PLAIN_NAME = 55
"""Characters of a name that is written as it is: its line stays within 76."""
_PIECE = 48
_UNKNOWN = "application/octet-stream"
_KINDS = ("application/", "audio/", "font/", "image/", "text/", "video/")
"""What a part in base64 may be; a message or a multipart must not be encoded (RFC 2046, 5.2.1)."""
_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
_FURTHER = {
    ".docx": f"{_OFFICE}.wordprocessingml.document",
    ".xlsx": f"{_OFFICE}.spreadsheetml.sheet",
    ".pptx": f"{_OFFICE}.presentationml.presentation",
    ".odt": f"{_OPEN}.text",
    ".ods": f"{_OPEN}.spreadsheet",
    ".odp": f"{_OPEN}.presentation",
    ".md": "text/markdown",
    ".log": "text/plain",
    ".webp": "image/webp",
    ".heic": "image/heic",
}
"""Types that the standard library does not know in every release."""


class Enclosure(NamedTuple):
    """A file with its bytes, as it goes into a message."""

    file: EnclosedFile
    content: bytes


def describe_file(name: str, content: bytes) -> EnclosedFile:
    """Return what a file of this name and these bytes is attached as.

    Raises:
        UnfitError: its name cannot be written.

    """
    shown = clean_name(name)
    if not shown or not shown.isprintable():
        raise UnfitError(f"{name[:80]!r} is no name for a file; give it another one")
    if len(shown) > LONGEST_NAME:
        raise UnfitError(
            f"the name of a file may have {LONGEST_NAME} characters, and this one has "
            f"{len(shown)}; shorten it"
        )
    return EnclosedFile(
        filename=shown,
        content_type=_choose_type(shown, content),
        size_bytes=len(content),
        sha256=sha256(content).hexdigest(),
    )


def build_file_part(file: EnclosedFile, content: bytes) -> bytes:
    """Return a file as a part of a multipart message, its head included, without a line end."""
    disposition = "Content-Disposition: attachment;\r\n " + ";\r\n ".join(
        _build_filename_parameters(file.filename)
    )
    return b"".join(
        (
            build_field("Content-Type", file.content_type),
            build_field("Content-Transfer-Encoding", "base64"),
            disposition.encode("ascii") + b"\r\n\r\n",
            encodebytes(content).replace(b"\n", b"\r\n").removesuffix(b"\r\n"),
        )
    )


def build_multipart(boundary: str, parts: Sequence[bytes]) -> bytes:
    """Return the body of a multipart message (RFC 2046 section 5.1.1)."""
    mark = f"--{boundary}".encode()
    return b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts) + mark + b"--\r\n"


def choose_boundary(message_id: str, parts: Sequence[bytes]) -> str:
    """Return a boundary that no part holds; the same for the same message.

    Raises:
        ComposeError: none can be found.

    """
    for turn in range(100):
        boundary = f"part-{sha256(f'{message_id} {turn}'.encode()).hexdigest()[:32]}"
        if not any(boundary.encode() in part for part in parts):
            return boundary
    raise ComposeError("No boundary can be found for this message; it is not sent.")


def prove_enclosed(read: Sequence[Message], enclosures: Sequence[Enclosure]) -> None:
    """Refuse parts that do not read back as these very files under these very names.

    Raises:
        ComposeError: one does not.

    """
    files_read = [(part.get_filename(), part.get_payload(decode=True)) for part in read]
    if files_read != [(each.file.filename, each.content) for each in enclosures]:
        raise ComposeError("What is attached does not survive rendering; it is not sent.")
    for each in enclosures:
        if sha256(each.content).hexdigest() != each.file.sha256:
            raise ComposeError(
                f"The file {each.file.filename!r} is not the one that was attached; attach it anew."
            )


def _choose_type(name: str, content: bytes) -> str:
    """Return the type that a name stands for; text has to be UTF-8 to be declared as text."""
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    content_type = (
        _FURTHER.get(ending) or mimetypes.MimeTypes().guess_type(f"file{ending}")[0] or _UNKNOWN
    )
    if not content_type.startswith(_KINDS):
        return _UNKNOWN
    if not content_type.startswith("text/"):
        return content_type
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _UNKNOWN
    return f'{content_type}; charset="utf-8"'


def _build_filename_parameters(name: str) -> list[str]:
    """Return the parameters that say a file's name, in pieces where it is long."""
    if name.isascii() and len(name) <= _PLAIN_NAME and '"' not in name and "\\" not in name:
        return [f'filename="{name}"']
    code = quote(name, safe="")
    pieces: list[str] = [""]
    at = 0
    while at < len(code):
        step = 3 if code[at] == "%" else 1
        if len(pieces[-1]) + step > _PIECE:
            pieces.append("")
        pieces[-1] += code[at : at + step]
        at += step
    if len(pieces) == 1:
        return [f"filename*=utf-8''{code}"]
    pieces[0] = f"utf-8''{pieces[0]}"
    return [f"filename*{place}*={piece}" for place, piece in enumerate(pieces)]

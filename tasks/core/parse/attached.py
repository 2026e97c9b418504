"""The record of a part that is not body text."""

import hashlib

from data.records.core.parsed_mail import Attachment
from tasks.core.parse.attachment_signs import signs_of
from tasks.core.parse.parameters import file_names
from tasks.core.parse.part_tree import MimePart, told_charset

NAME_CHARACTERS = 200
"""Characters of a file name."""

_EXTENSIONS = {
    "application/pdf": "pdf",
    "application/zip": "zip",
    "application/ms-tnef": "dat",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/gif": "gif",
    "message/rfc822": "eml",
    "message/global": "eml",
    "text/calendar": "ics",
    "text/csv": "csv",
    "text/html": "html",
    "text/plain": "txt",
    "text/vcard": "vcf",
    "text/x-vcard": "vcf",
}


def names_of(part: MimePart) -> tuple[str, ...]:
    """Return the names that programs may show for a part, the usual one first."""
    headers = (part.header("content-disposition"), part.header("content-type"))
    charset = told_charset(part.type_parameters.get("charset", "")) or part.charset
    return file_names(tuple(value for value in headers if value), charset)


def attachment_of(
    part: MimePart, names: tuple[str, ...], disposition: str, octets: bytes, number: int
) -> Attachment:
    """Return the record of a part; without a name it gets one by its type and `number`."""
    shown = tuple(dict.fromkeys(_bounded(name) for name in names))
    if not shown:
        extension = _EXTENSIONS.get(part.content_type, "bin")
        shown = (f"attachment-{number + 1}.{extension}",)
    inline = disposition != "attachment" and part.header("content-id") is not None
    return Attachment(
        filename=shown[0],
        other_names=shown[1:],
        content_type=part.content_type[:NAME_CHARACTERS],
        size_bytes=len(octets),
        sha256=hashlib.sha256(octets).hexdigest(),
        inline=inline,
        signs=signs_of(octets),
    )


def _bounded(name: str) -> str:
    """Return a name of at most `NAME_CHARACTERS`; the end of a longer one stays, for its type."""
    if len(name) <= NAME_CHARACTERS:
        return name
    half = NAME_CHARACTERS // 2
    return f"{name[: half - 1]}…{name[-half:]}"

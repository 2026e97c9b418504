"""Getting one attachment's bytes out of a raw message, for download."""

import hashlib
from collections.abc import Iterator

from data.records.core.parsed_mail import ParsedMail
from tasks.core.parse.binhex import LEAD
from tasks.core.parse.html_files import cut_files_of_html
from tasks.core.parse.inline_files import cut_files
from tasks.core.parse.part_tree import read_tree
from tasks.core.parse.tnef import read_tnef
from tasks.core.parse.transfer import decode_transfer


def attachment_bytes(raw: bytes, mail: ParsedMail, sha256: str) -> tuple[str, bytes] | None:
    """Return file name and decoded bytes of the part with this hash, or None.

    Files that came packed in `winmail.dat` or within a text are found too.
    """
    filename_by_hash = {attachment.sha256: attachment.filename for attachment in mail.attachments}
    if sha256 not in filename_by_hash:
        return None
    for octets in _contents(raw):
        if hashlib.sha256(octets).hexdigest() == sha256:
            return filename_by_hash[sha256], octets
    return None


def _contents(raw: bytes) -> Iterator[bytes]:
    """Yield the decoded content of every part, and of the files in TNEF parts and in texts."""
    for part in read_tree(raw, []).walk():
        octets = decode_transfer(part.body, part.header("content-transfer-encoding"), [])
        yield octets
        for inner in read_tnef(octets, []).attachments:
            yield inner.data
        cut = cut_files_of_html if part.content_type == "text/html" else cut_files
        if part.content_type.startswith("text/") or LEAD in octets:
            yield from (file.data for file in cut(octets)[1])

"""Getting one attachment's bytes out of a raw message, for download."""

import hashlib

from data.records.mail import ParsedMail
from tasks.parse_transfer import decode_transfer
from tasks.parse_tree import read_tree


def attachment_bytes(raw: bytes, mail: ParsedMail, sha256: str) -> tuple[str, bytes] | None:
    """Return file name and decoded bytes of the part with this hash, or None."""
    named = {found.sha256: found.filename for found in mail.attachments}
    if sha256 not in named:
        return None
    for part in read_tree(raw, []).walk():
        octets = decode_transfer(part.body, part.header("content-transfer-encoding"), [])
        if hashlib.sha256(octets).hexdigest() == sha256:
            return named[sha256], octets
    return None

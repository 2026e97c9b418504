"""The hash of a message's content: to know a copy from another message under the same id."""

import hashlib

from data.records.core.parsed_mail import ParsedMail


def hash_content(mail: ParsedMail) -> str:
    """Return a hash over subject, text and attachments; blanks do not count."""
    digest = hashlib.sha256()
    parts = (mail.subject, mail.text, *(attachment.sha256 for attachment in mail.attachments))
    for part in parts:
        words = " ".join(part.split())
        digest.update(f"{len(words)}:{words}".encode(errors="surrogatepass"))
    return digest.hexdigest()

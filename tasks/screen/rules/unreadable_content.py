"""Messages that cannot be read, and so cannot be screened: unknown is no."""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views

_ENCRYPTED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")


def look(views: Views) -> Iterator[Find]:
    """Find encrypted messages (RFC 8551, RFC 3156); signed ones can be read."""
    declared = (views.mail.header("content-type") or "").lower()
    if declared.startswith("multipart/encrypted") or (
        declared.startswith(_ENCRYPTED) and "signed-data" not in declared
    ):
        yield Find(Place.HEADER, declared, 0.4)
        return
    for attachment in views.mail.attachments:
        if attachment.content_type in _ENCRYPTED and not views.mail.text.strip():
            yield Find(Place.ATTACHMENT_NAME, attachment.filename, 0.4)


RULE = Rule(
    name="unreadable_content",
    sentence="Is encrypted, so that nobody could look into it.",
    technique="unreadable",
    layer=Layer.METADATA,
    severity=0.4,
    look=look,
)

"""Messages that cannot be read as a whole, and so cannot be screened: unknown is no."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.parse.unread_words import CARRIED
from tasks.core.screen.message.attack_surface import MAX_PLACE_CHARACTERS
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

_ENCRYPTED = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")


_SCORE = 0.4
"""It flags by itself and stops nothing."""


def look(views: Views) -> Iterator[Find]:
    """Find messages that are encrypted, or hold more than is read."""
    yield from _encrypted(views)
    yield from _find_unread(views)


def _encrypted(views: Views) -> Iterator[Find]:
    """Find encrypted messages (RFC 8551, RFC 3156); signed ones can be read."""
    if views.mail.sealed:
        yield Find(MessagePlace.BODY, f"the body or a part of it is {views.mail.sealed}", _SCORE)
        return
    declared = (views.mail.header("content-type") or "").lower()
    unread = declared.startswith(_ENCRYPTED) and not views.mail.text.strip()
    if unread or declared.startswith("multipart/encrypted"):
        yield Find(MessagePlace.HEADER, declared, _SCORE)
        return
    for attachment in views.mail.attachments:
        if attachment.content_type in _ENCRYPTED and not views.mail.text.strip():
            yield Find(MessagePlace.ATTACHMENT_NAME, attachment.filename, _SCORE)


def _find_unread(views: Views) -> Iterator[Find]:
    """Find places that the screen reads at their head and tail only, or not at all."""
    segments = views.segments
    for place, size in (
        (MessagePlace.BODY, len(segments.new)),
        (MessagePlace.QUOTED, len(segments.quoted)),
        (MessagePlace.FORWARDED, len(segments.forwarded)),
        (MessagePlace.SIGNATURE, len(segments.signature)),
        (MessagePlace.HIDDEN, sum(len(hidden_piece.text) for hidden_piece in views.mail.hidden)),
    ):
        if size > MAX_PLACE_CHARACTERS:
            yield Find(place, f"{size} characters, of which not all are read", _SCORE)
    for defect in views.mail.defects:
        if defect.startswith("header content-") and defect.endswith(" is longer than is read"):
            yield Find(MessagePlace.HEADER, defect, _SCORE)
    if len(views.mail.carried) >= CARRIED:
        yield Find(MessagePlace.ATTACHMENT, f"{CARRIED} texts in further parts, or more", _SCORE)


RULE = ScreenRule(
    name="unreadable_content",
    sentence="Is encrypted, or holds more than is read, so that nobody could look into all of it.",
    technique="unreadable",
    layer=FilterLayer.METADATA,
    severity=_SCORE,
    look=look,
)

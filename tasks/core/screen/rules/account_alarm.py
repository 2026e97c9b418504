"""Alarm about an account beside a demand to log in, wherever the two stand in a short letter.

Letters that fish say in one sentence what has happened and in the next what to click on. What a
service sends because somebody asked for it says so, and says what to do if nobody did.
"""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.scanned import ScannedText
from tasks.core.screen.words.spotting import mask_of

_PASSWORD_FIELD = compiled(r"(?i)<input\b[^<>]{0,300}\btype\s*=\s*[\"']?password\b")
_LONGEST = 250
"""Words; a long letter meets these by chance."""
_SHORT = 60
"""Words of a letter that has room for little else than the alarm."""
_PLACES = frozenset({MessagePlace.BODY, MessagePlace.FORWARDED, MessagePlace.SUBJECT})
_SCORE = 0.45
_ASKED_FOR = 0.3
"""What the score is multiplied by when the reader is told that nothing needs to be done."""


def look(views: Views) -> Iterator[Find]:
    """Find letters that alarm about an account and demand to log in, to confirm or to scan."""
    html = views.mail.html
    if "<input" in html.lower() and _PASSWORD_FIELD.search(html) is not None:
        yield Find(MessagePlace.BODY, "a field for a password in the letter itself", 0.5)
    for scanned in views.scanned:
        source = scanned.source
        if source.place not in _PLACES or len(scanned.spotted.words) > _LONGEST:
            continue
        mask = scanned.spotted.mask
        if not mask & mask_of("signin|secrets_in"):
            continue
        alarmed = bool(mask & mask_of("alarm"))
        if not alarmed and mask & mask_of("secrets_in"):
            alarmed = _is_in_one_sentence(scanned, "served", "failing")
        elif not alarmed and len(scanned.spotted.words) <= _SHORT:
            alarmed = _is_in_one_sentence(scanned, "yours", "served", "failing")
        if alarmed:
            excerpt = scanned.spotted.excerpt(0, 30)
            yield Find(
                source.place, excerpt, _SCORE * (_ASKED_FOR if mask & mask_of("asked") else 1)
            )


def _is_in_one_sentence(scanned: ScannedText, *concepts: str) -> bool:
    """Whether one sentence holds all of these concepts."""
    parts = tuple(map(mask_of, concepts))
    return any(
        all(sentence.mask & part for part in parts) for sentence in scanned.spotted.sentences
    )


RULE = ScreenRule(
    name="account_alarm",
    sentence="Alarms about an account and demands to log in.",
    technique="phishing",
    layer=FilterLayer.CONTENT,
    severity=0.5,
    look=look,
)

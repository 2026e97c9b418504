"""Orders to move money at once and to ask nobody, in the manner of a superior."""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.rule import Find, Rule
from tasks.screen.spotting import mask_of
from tasks.screen.views import Views

_LONGEST = 150
"""Words; such letters are short, and a long one meets these words by chance."""


def look(views: Views) -> Iterator[Find]:
    """Find short letters that speak of money, hurry and secrecy together."""
    parts = ("pay|gift|bank", "hurry|pressure", "secrecy")
    for scanned in views.scanned:
        if scanned.source.place is not Place.BODY or len(scanned.spotted.words) > _LONGEST:
            continue
        if all(scanned.spotted.mask & mask_of(part) for part in parts):
            excerpt = scanned.spotted.excerpt(4, 30)
            yield Find(Place.BODY, excerpt, 0.45)


RULE = Rule(
    name="urgent_transfer",
    sentence="Wants money moved at once and nobody asked.",
    technique="payment_fraud",
    layer=Layer.CONTENT,
    severity=0.5,
    look=look,
)

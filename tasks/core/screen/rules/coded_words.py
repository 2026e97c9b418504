"""Look-alike, spaced, starred and disordered letters in words that an attack is made of."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.combinations import PLACE_WEIGHT
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.spotting import mask_of

_TELLING = "override|instruction|prompt_object|machine|secret|exfiltrate"
_CODES = frozenset({"base64", "base32", "hex", "rot13", "reversed", "tag_characters"})
_SLIPS = "respelt"
"""A form that is no disguise by itself: people misspell words, and what they say counts alone."""


def look(views: Views) -> Iterator[Find]:
    """Find codes and disguises under which an order and its object appear."""
    telling = mask_of(_TELLING)
    count_by_place: dict[MessagePlace, int] = {}
    for scanned in views.scanned:
        if not scanned.source.disguised:
            place = scanned.source.place
            count_by_place[place] = count_by_place.get(place, 0) | scanned.spotted.mask
    for scanned in views.scanned:
        if not scanned.source.disguised or scanned.source.form == _SLIPS:
            continue
        gained = scanned.spotted.mask & telling
        if scanned.source.form not in _CODES:
            gained &= ~count_by_place.get(scanned.source.place, 0)
        count = gained.bit_count()
        if count >= 2 or (count and scanned.source.form in _CODES):
            weight = min(1.0, PLACE_WEIGHT.get(scanned.source.place, 1.0))
            score = min(0.6, 0.15 + 0.15 * count) * weight
            excerpt = f"{scanned.source.form}: {scanned.source.text[:160]}"
            yield Find(scanned.source.place, excerpt, score)


RULE = ScreenRule(
    name="coded_words",
    sentence="Hides words of an order in a code, behind look-alike letters or out of order.",
    technique="encoding_evasion",
    layer=FilterLayer.SMUGGLING,
    severity=0.6,
    look=look,
)

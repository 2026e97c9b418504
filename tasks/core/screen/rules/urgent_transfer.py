"""Orders to move money at once and to ask nobody, in the manner of a superior."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.scanned import ScannedText
from tasks.core.screen.words.spotting import mask_of

_LONGEST = 150
"""Words; such letters are short, and a long one meets these words by chance."""
_THREAT = 600
"""Words of a letter that extorts; such letters explain themselves at length."""
_HURRIED = ("pay|gift|bank", "hurry|pressure", "secrecy")
_CARDS = ("gift", "secrecy")
"""Cards to buy and a reason not to ask; whoever wants their codes wants the money."""
_HANDED = ("hand_over", "codes")


def look(views: Views) -> Iterator[Find]:
    """Find short letters that speak of money, hurry and secrecy, or want the codes of cards."""
    for scanned in views.scanned:
        if _extorts(scanned):
            yield Find(scanned.source.place, scanned.spotted.excerpt(0, 30), 0.5)
        if scanned.source.place is not MessagePlace.BODY or len(scanned.spotted.words) > _LONGEST:
            continue
        mask = scanned.spotted.mask
        if all(mask & mask_of(part) for part in _HURRIED) or (
            all(mask & mask_of(part) for part in _CARDS) and _in_a_sentence(scanned, *_HANDED)
        ):
            excerpt = scanned.spotted.excerpt(4, 30)
            yield Find(MessagePlace.BODY, excerpt, 0.45)


def _extorts(scanned: ScannedText) -> bool:
    """Whether a letter claims to hold a film of its reader and wants untraceable money for it."""
    mask = scanned.spotted.mask
    return (
        scanned.source.place is MessagePlace.BODY
        and len(scanned.spotted.words) <= _THREAT
        and mask & mask_of("recorded_you") != 0
        and not mask & mask_of("called_fraud")
        and _in_a_sentence(scanned, "pay_me", "coin")
    )


def _in_a_sentence(scanned: ScannedText, *concepts: str) -> bool:
    """Whether one sentence holds all of these concepts."""
    parts = tuple(map(mask_of, concepts))
    return any(
        all(sentence.mask & part for part in parts) for sentence in scanned.spotted.sentences
    )


RULE = ScreenRule(
    name="urgent_transfer",
    sentence="Wants money moved at once and nobody asked.",
    technique="payment_fraud",
    layer=FilterLayer.CONTENT,
    severity=0.5,
    look=look,
)

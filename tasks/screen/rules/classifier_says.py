"""The trained classifier's opinion, when there is one, as a rule among others."""

from collections.abc import Iterator, Sequence

from data.records.screening import Layer, Place
from tasks.screen.classifier import InjectionClassifier, ManyTexts
from tasks.screen.combinations import PLACE_WEIGHT
from tasks.screen.rule import Find, Rule
from tasks.screen.scoring import ADVISED, CLASSIFIER
from tasks.screen.views import Text, Views

_SCANNED = frozenset(
    {Place.SUBJECT, Place.BODY, Place.FORWARDED, Place.QUOTED, Place.HIDDEN, Place.DISPLAY_NAME}
)
_WORTH_SAYING = 0.05
"""Lower ones are not worth a line; below the threshold they tell doubtful messages apart."""
_WORTH_QUOTING = 0.35
_MOST_TEXTS = 60
_SET_ASIDE = 0.7
"""What parts of pages count that programs took out."""


def rule_for(classifier: InjectionClassifier) -> Rule:
    """Return a rule that asks `classifier` about every place a sender can write prose to."""

    def look(views: Views) -> Iterator[Find]:
        texts = [text for text in views.texts if text.place in _SCANNED][:_MOST_TEXTS]
        for text, score in zip(texts, _scores(classifier, texts), strict=True):
            place = _SET_ASIDE if text.set_aside else PLACE_WEIGHT.get(text.place, 1.0)
            weighed = score * min(1.0, place)
            if weighed >= _WORTH_SAYING:
                yield Find(text.place, _excerpt(classifier, text.text, weighed), weighed)

    return Rule(
        name=CLASSIFIER,
        sentence="The trained classifier reads the text as instructions to a machine.",
        technique="direct_injection",
        layer=Layer.INJECTION,
        severity=ADVISED,
        look=look,
    )


def _scores(classifier: InjectionClassifier, texts: Sequence[Text]) -> list[float]:
    if isinstance(classifier, ManyTexts):
        return classifier.scores([text.text for text in texts])
    return [classifier.score(text.text) for text in texts]


def _excerpt(classifier: InjectionClassifier, text: str, score: float) -> str:
    """Return the words that speak most for an attack, when the classifier can tell."""
    if len(text) > 200 and score >= _WORTH_QUOTING and isinstance(classifier, ManyTexts):
        return classifier.strongest_piece(text)
    return text[:200]

"""The trained classifier's opinion, when there is one, as a rule among others."""

from collections.abc import Iterator

from data.records.screening import Layer, Place
from tasks.screen.classifier import InjectionClassifier
from tasks.screen.combinations import PLACE_WEIGHT
from tasks.screen.rule import Find, Rule
from tasks.screen.views import Views

_SCANNED = frozenset(
    {Place.SUBJECT, Place.BODY, Place.FORWARDED, Place.QUOTED, Place.HIDDEN, Place.DISPLAY_NAME}
)
_WORTH_SAYING = 0.2
_CHARACTERS = 20_000


def rule_for(classifier: InjectionClassifier) -> Rule:
    """Return a rule that asks `classifier` about every place a sender can write prose to."""

    def look(views: Views) -> Iterator[Find]:
        for text in views.texts:
            if text.place in _SCANNED:
                score = classifier.score(text.text[:_CHARACTERS])
                score *= min(1.0, PLACE_WEIGHT.get(text.place, 1.0))
                if score >= _WORTH_SAYING:
                    yield Find(text.place, text.text[:200], score)

    return Rule(
        name="classifier",
        sentence="The trained classifier reads the text as instructions to a machine.",
        technique="direct_injection",
        layer=Layer.INJECTION,
        severity=0.95,
        look=look,
    )

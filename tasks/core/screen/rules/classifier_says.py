"""The trained classifier's opinion, when there is one, as a rule among others."""

from collections.abc import Iterator, Sequence
from itertools import islice

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.classifier import InjectionClassifier, ManyTexts
from tasks.core.screen.combinations import PLACE_WEIGHT
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.rules.hidden_instruction import tells_how_to_view
from tasks.core.screen.scoring import ADVISED, CLASSIFIER, READ, WORTH_SAYING
from tasks.core.screen.words.folding import keep_visible
from tasks.core.screen.words.scanned import Text
from tasks.core.screen.words.spotting import spot

_SURE, _BEYOND = 0.6, (ADVISED - 0.6) / (1 - 0.6)
"""From where on what the classifier says counts less, so that its strongest is `ADVISED`."""
_WORTH_QUOTING = 0.35
_WORDS_ALONE = frozenset({"acrostic", "no_vowels", "moved_letters"})
"""Forms whose words say something to the rules, and whose sentences are none."""
_MOST_TEXTS = 60
_SET_ASIDE = 0.7
"""What parts of pages count that programs took out."""
_NOTE = 0.5
"""What hidden text counts that tells readers how to see the mail or to leave a list."""


class ClassifierReader:
    """Asks a classifier about messages, about several at once where it can.

    A message of ordinary length costs half as much so.
    """

    def __init__(self, classifier: InjectionClassifier) -> None:
        self._classifier = classifier
        self._read: dict[int, list[float]] = {}

    def read(self, messages: Sequence[Views]) -> None:
        """Ask about all messages; whoever calls keeps them until `look` has answered."""
        texts = [_prose(views) for views in messages]
        scores = iter(self._scores([text for own in texts for text in own]))
        for views, own in zip(messages, texts, strict=True):
            self._read[id(views)] = list(islice(scores, len(own)))

    def look(self, views: Views) -> Iterator[Find]:
        """Find what reads like instructions to a machine, in every place for prose."""
        texts = _prose(views)
        scores = self._read.pop(id(views), None) or self._scores(texts)
        for text, score in zip(texts, scores, strict=True):
            weighed = _bounded(score) * _weight(text) if score >= WORTH_SAYING else 0.0
            if weighed >= WORTH_SAYING:
                yield Find(text.place, _excerpt(self._classifier, text.text, weighed), weighed)

    def _scores(self, texts: Sequence[Text]) -> list[float]:
        if isinstance(self._classifier, ManyTexts):
            return self._classifier.scores([keep_visible(text.text) for text in texts])
        return [self._classifier.score(keep_visible(text.text)) for text in texts]


def rule_for(reader: ClassifierReader) -> ScreenRule:
    """Return the rule that says what a classifier thinks."""
    return ScreenRule(
        name=CLASSIFIER,
        sentence="The trained classifier reads the text as instructions to a machine.",
        technique="direct_injection",
        layer=FilterLayer.INJECTION,
        severity=ADVISED,
        look=reader.look,
    )


def _prose(views: Views) -> list[Text]:
    """Return the texts of every place that a sender can write prose to, what is read first first.

    What is more than `_MOST_TEXTS`, as the names of many recipients are, is read as one text: its
    silence is about all that was written.
    """
    texts = [text for text in views.texts if text.place in READ and text.form not in _WORDS_ALONE]
    if len(texts) <= _MOST_TEXTS:
        return texts
    texts.sort(key=lambda text: READ.index(text.place))
    first, rest = texts[: _MOST_TEXTS - 1], texts[_MOST_TEXTS - 1 :]
    return [*first, Text(rest[0].place, "\n\n".join(text.text for text in rest))]


def _weight(text: Text) -> float:
    """Return what the classifier's opinion of a text counts."""
    if text.place is MessagePlace.HIDDEN and tells_how_to_view(spot(text.text).mask):
        return _NOTE
    return _SET_ASIDE if text.set_aside else min(1.0, PLACE_WEIGHT.get(text.place, 1.0))


def _bounded(score: float) -> float:
    """Return what a score counts: the stronger still more, at most `ADVISED`."""
    return score if score < _SURE else _SURE + (score - _SURE) * _BEYOND


def _excerpt(classifier: InjectionClassifier, text: str, score: float) -> str:
    """Return the words that speak most for an attack, when the classifier can tell."""
    if len(text) > 200 and score >= _WORTH_QUOTING and isinstance(classifier, ManyTexts):
        return classifier.strongest_piece(text)
    return text[:200]

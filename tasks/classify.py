"""The stage *classify* on the embedded provider: category, priority, sentiment, language, intents.

Source document: step 2 and multi-intent branching. A small trained model gives calibrated
probabilities; the deterministic test for urgency goes before it and only ever raises.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.linear import LinearModel
from data.ngrams import grams, readable
from data.records.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.weights import UNDERSTANDING
from tasks.intents import WISHES, Opinion, forked, sentences
from tasks.language import LanguageTeller
from tasks.urgent import is_urgent

Floats = npt.NDArray[np.float32]

BATCH = 32
"""Messages worked on at once."""
NOTHING = 0.2
"""Confidence in a message without a word."""
INTERNAL_PRIOR = 60.0
"""How much likelier mail from the own domain is internal than the model thinks."""
SPOKEN = 4
"""Words named as reasons at most."""
HEARD, MANY = 500, 50
"""Characters and words that are weighed for the reasons."""
PRESSING = 0.7
"""Probability from which one urgent sentence makes the whole message urgent."""
PRESSED = (*WISHES, Category.INTERNAL)
"""Categories in which it can."""
LOUD = 0.5
"""Score above its mean over the categories from which a word is worth naming."""


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """What is classified."""

    text: str
    """The new text, without quotes and signature."""
    subject: str = ""
    internal: bool = False
    """Whether the sender belongs to the organization's own domain."""

    @property
    def document(self) -> str:
        """What the model reads, joined as in training."""
        return f"{self.subject}\n{self.text}" if self.subject else self.text


class LocalClassifier:
    """Classifies without network and key: the same text gives the same answer. Thread-safe."""

    def __init__(
        self, model: LinearModel | None = None, language: LanguageTeller | None = None
    ) -> None:
        self._model = model or LinearModel.load(UNDERSTANDING)
        self._language = language or LanguageTeller()

    def classify(self, text: str, *, subject: str = "", internal: bool = False) -> Classification:
        """What one message is about; never fails, whatever the text holds."""
        return self.classify_many([Incoming(text=text, subject=subject, internal=internal)])[0]

    def classify_many(self, messages: Sequence[Incoming]) -> list[Classification]:
        """What each message is about, in the order given."""
        messages = [
            Incoming(text=readable(own.text), subject=readable(own.subject), internal=own.internal)
            for own in messages
        ]
        result: list[Classification] = []
        for at in range(0, len(messages), BATCH):
            result += self._batch(messages[at : at + BATCH])
        return result

    def _batch(self, messages: Sequence[Incoming]) -> list[Classification]:
        parts = [sentences(message.text) for message in messages]
        singles = [own if len(own) > 1 else [] for own in parts]
        said = self._model.predict_all([message.document for message in messages])
        each = self._model.predict_all([part for own in singles for part in own])
        languages = self._language.tell_many([message.document for message in messages])
        spoken = self._words(messages)
        urgency = each["priority"][:, tuple(Priority).index(Priority.URGENT)]
        result, start = [], 0
        for place, message in enumerate(messages):
            own = {name: rows[place] for name, rows in said.items()}
            stop = start + len(singles[place])
            opinions = [
                Opinion(
                    category=each["category"][line],
                    intent=each["intent"][line],
                    urgent=float(urgency[line]),
                )
                for line in range(start, stop)
            ]
            start = stop
            result.append(
                self._one(message, own, parts[place], opinions, languages[place], spoken[place])
            )
        return result

    def _one(
        self,
        message: Incoming,
        said: dict[str, Floats],
        parts: Sequence[str],
        opinions: Sequence[Opinion],
        language: str,
        words: "Spoken",
    ) -> Classification:
        if not any(letter.isalnum() for letter in message.document):
            return _empty()
        category = _with_prior(said["category"]) if message.internal else said["category"]
        whole = Opinion(category=category, intent=said["intent"])
        intents = forked(whole, parts, opinions) if parts else forked(whole, [message.subject], [])
        strongest, confidence = whole.strongest()
        if len(intents) > 1:
            strongest = intents[0].category
            confidence = max(float(category[list(Category).index(strongest)]), confidence / 2)
        priority = tuple(Priority)[int(said["priority"].argmax())]
        reasons = [words.sentence(strongest)]
        alarm = None if strongest is Category.SPAM else is_urgent(message.text, message.subject)
        if alarm is not None:
            priority = Priority.URGENT
            reasons.insert(0, f"urgent because it says '{alarm}'")
        elif strongest in PRESSED and priority is not Priority.URGENT:
            pressing = max((opinion.urgent for opinion in opinions), default=0.0)
            if pressing >= PRESSING:
                priority = Priority.URGENT
                reasons.append("one of its sentences sounds urgent")
        if message.internal and strongest is Category.INTERNAL:
            reasons.append("the sender belongs to the organization")
        return Classification(
            category=strongest,
            priority=priority,
            sentiment=tuple(Sentiment)[int(said["sentiment"].argmax())],
            language=language,
            confidence=round(min(1.0, confidence), 4),
            intents=intents,
            reasons=tuple(reason for reason in reasons if reason),
        )

    def _words(self, messages: Sequence[Incoming]) -> list["Spoken"]:
        """For each message, what its words say of the categories."""
        words = [
            list(dict.fromkeys(message.document[:HEARD].split()))[:MANY] for message in messages
        ]
        head = self._model.heads["category"]
        scores = self._model.scores(grams([word for own in words for word in own]))
        scores = scores[:, head.start : head.start + len(Category)]
        scores = scores - scores.mean(axis=1, keepdims=True)
        result, start = [], 0
        for own in words:
            result.append(Spoken(words=own, worth=scores[start : start + len(own)]))
            start += len(own)
        return result


@dataclass(frozen=True, kw_only=True)
class Spoken:
    """A message's words and how much each speaks for each category."""

    words: Sequence[str]
    worth: Floats
    """Shape (words, categories)."""

    def sentence(self, category: Category) -> str:
        """The words that spoke loudest for `category`, for a reviewer; empty when none did."""
        own = self.worth[:, list(Category).index(category)]
        order = [place for place in np.argsort(-own, kind="stable") if own[place] > LOUD]
        named = [self.words[place].strip(".,;:!?()\"'") for place in order[: SPOKEN * 2]]
        named = [word for word in dict.fromkeys(named) if len(word) > 2][:SPOKEN]
        if not named:
            return ""
        quoted = ", ".join(f"'{word[:40]}'" for word in named)
        noun, verb = ("words", "speak") if len(named) > 1 else ("word", "speaks")
        return f"the {noun} {quoted} {verb} for {category.value.replace('_', ' ')}"


def _with_prior(category: Floats) -> Floats:
    """Category probabilities, given that a colleague writes."""
    weighed = category.copy()
    weighed[list(Category).index(Category.INTERNAL)] *= INTERNAL_PRIOR
    weighed[list(Category).index(Category.SPAM)] /= INTERNAL_PRIOR
    result: Floats = (weighed / weighed.sum()).astype(np.float32)
    return result


def _empty() -> Classification:
    """What is said of a message without letters and digits."""
    return Classification(
        category=Category.OTHER,
        priority=Priority.LOW,
        sentiment=Sentiment.NEUTRAL,
        language="und",
        confidence=NOTHING,
        intents=(
            Intent(intent=IntentKind.INFORMATION, category=Category.OTHER, confidence=NOTHING),
        ),
        reasons=("the message has no words",),
    )

"""The stage *classify* on the embedded provider: category, priority, sentiment, language, intents.

Source document: step 2 and multi-intent branching. A small trained model gives calibrated
probabilities; the deterministic test for urgency goes before it and only ever raises.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
from tasks.intents import Opinion, forked, sentences
from tasks.language import LanguageTeller
from tasks.standing import Standing, settled, shifted
from tasks.urgent import is_urgent, presses

Floats = npt.NDArray[np.float32]

BATCH = 32
"""Messages worked on at once."""
NOTHING = 0.2
"""Confidence in a message without a word."""
SPOKEN = 4
"""Words named as reasons at most."""
HEARD, MANY = 400, 30
"""Characters and words that are weighed for the reasons."""
PRESSING, PRESSED = 0.7, 0.4
"""Probability from which a sentence, or the whole message, is urgent, given evidence."""
HURRIED = (Category.SUPPORT, Category.BILLING, Category.INTERNAL)
"""Categories that can be urgent without saying so in so many words."""
EARLY = 400
"""Characters within which mail that is nobody's case must sound its alarm; articles do so later."""
ALONE = 0.35
"""Share in the category that belongs to single sentences."""
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
    known_sender: bool = False
    """Whether the sender is a contact that was written with before."""
    reply: bool = False
    """Whether it answers a message of a known thread."""

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
            replace(own, text=readable(own.text), subject=readable(own.subject)) for own in messages
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
        standing = Standing(
            internal=message.internal, known=message.known_sender, reply=message.reply
        )
        heard = _pooled(said["category"], opinions)
        category = settled(shifted(heard, standing, message.document))
        whole = Opinion(category=category, intent=said["intent"])
        intents = forked(whole, parts, opinions) if parts else forked(whole, [message.subject], [])
        strongest, confidence = whole.strongest()
        if len(intents) > 1:
            strongest = intents[0].category
            confidence = max(float(category[list(Category).index(strongest)]), confidence / 2)
        reasons = [words.sentence(strongest)]
        priority, why = _priority(message, strongest, said["priority"], opinions)
        if why:
            reasons.insert(0, why)
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


def _pooled(whole: Floats, opinions: Sequence[Opinion]) -> Floats:
    """What the message says as a whole, and what any one of its sentences says loudest.

    In a long message the wish is one sentence among many, so each may speak for itself.
    """
    if not opinions:
        return whole
    loudest = np.max([opinion.category for opinion in opinions], axis=0)
    mixed = np.exp((1 - ALONE) * np.log(whole + 1e-6) + ALONE * np.log(loudest + 1e-6))
    result: Floats = (mixed / mixed.sum()).astype(np.float32)
    return result


def _priority(
    message: Incoming, category: Category, said: Floats, opinions: Sequence[Opinion]
) -> tuple[Priority, str]:
    """How soon, and why if it is urgent: only on evidence, never for spam and mass mail."""
    calm = Priority.NORMAL if said[1] >= said[2] else Priority.LOW
    if category is Category.SPAM:
        return Priority.LOW, ""
    early = category is Category.OTHER and len(message.text) > EARLY
    alarm = is_urgent(message.text[:EARLY] if early else message.text, message.subject)
    if alarm is not None:
        return Priority.URGENT, f"urgent because it says '{alarm}'"
    if category not in HURRIED or not presses(message.text, message.subject):
        return calm, ""
    if said[0] >= PRESSED:
        return Priority.URGENT, "its words are those of a matter that cannot wait"
    if max((opinion.urgent for opinion in opinions), default=0.0) >= PRESSING:
        return Priority.URGENT, "one of its sentences sounds urgent"
    return calm, ""


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

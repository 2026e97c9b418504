"""The stage *classify* on the embedded provider: category, priority, sentiment, language, intents.

Source document: step 2 and multi-intent branching. A small trained model gives calibrated
probabilities; the deterministic test for urgency goes before it and only ever raises.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from data.linear import LinearModel
from data.ngrams import replace_surrogates
from data.records.core.understanding import (
    Category,
    Classification,
    Intent,
    IntentKind,
    Priority,
    Sentiment,
)
from data.weights import UNDERSTANDING
from tasks.core.language.language_identification import LanguageTeller
from tasks.mail.classify.how_soon import decide_probabilities, how_soon
from tasks.mail.classify.intents import IntentOpinion, fork_intents
from tasks.mail.classify.log_odds_shifts import (
    MailStanding,
    settle_category,
    shift_probabilities,
    weigh_outsider,
    weigh_power,
)
from tasks.mail.classify.mailbox_names import mailbox_matter
from tasks.mail.classify.taught_layer import features, shifts
from tasks.mail.classify.topic_segments import Start, cut_sentences
from tasks.mail.classify.word_evidence import Spoken, spoken_in
from tasks.mail.thread.matter import Leaning, MessageMatter, list_leanings

Floats = npt.NDArray[np.float32]

BATCH = 32
"""Messages worked on at once."""
NOTHING = 0.2
"""Confidence in a message without a word."""
ALONE = 0.35
"""Share in the category that belongs to single sentences."""


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """What is classified."""

    text: str
    """The new text, without quotes and signature."""
    subject: str = ""
    internal: bool = False
    """Whether the sender is established to belong to the organization's own domain."""
    known_sender: bool = False
    """Whether the sender is a contact that was written with before."""
    reply: bool = False
    """Whether it answers a message of a known thread."""
    addressed: tuple[str, ...] = ()
    """The organization's own addresses that it was sent to."""
    continued: Category | None = None
    """What its conversation was about before, where that was decided."""
    earlier: str = ""
    """What was said in its conversation before, looked at where nothing was decided."""

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

    def languages(self, mails: Sequence[tuple[str, str]]) -> list[str]:
        """Return the language of each mail, of subject and text; `und` where it cannot be told."""
        return self._language.tell_mails(mails) if mails else []

    def classify(self, text: str, *, subject: str = "", internal: bool = False) -> Classification:
        """What one message is about; never fails, whatever the text holds."""
        return self.classify_many([Incoming(text=text, subject=subject, internal=internal)])[0]

    def classify_many(
        self, messages: Sequence[Incoming], taught: LinearModel | None = None
    ) -> list[Classification]:
        """What each message is about, in the order given.

        `taught` is the layer that an organization's people taught, if there is (`.taught`).
        """
        result: list[Classification] = []
        for batch in _batches(messages):
            languages = self._language.tell_mails(
                [(batch_message.subject, batch_message.text) for batch_message in batch]
            )
            spoken = spoken_in(self._model, [message.document for message in batch])
            taught_all = _shifts(taught, batch)
            for place, opinion in enumerate(self._ask_general_model(batch)):
                own = {name: rows[place] for name, rows in taught_all.items()}
                result.append(_classify_message(opinion, languages[place], spoken[place], own))
        return result

    def opinions(self, messages: Sequence[Incoming]) -> list[tuple[Any, Floats]]:
        """For `.taught`: each message's features, and the logarithms of what is said of it.

        The features are distinct hashes (uint32); the logarithms those of category, priority and
        intent, one after the other (17,), without what any organization taught.
        """
        result = []
        for batch in _batches(messages):
            batch_features = features([message.document for message in batch])
            for place, heard_matter in enumerate(self._ask_general_model(batch)):
                category = shift_probabilities(
                    heard_matter.category, heard_matter.standing, heard_matter.message.document
                )
                strongest = tuple(Category)[int(category.argmax())]
                priority, _, _ = heard_matter.priority(strongest)
                parts = (category, decide_probabilities(priority), heard_matter.said["intent"])
                opinion = np.log(np.maximum(np.concatenate(parts), 1e-6)).astype(np.float32)
                result.append((batch_features.hashes[batch_features.rows == place], opinion))
        return result

    def _ask_general_model(self, messages: Sequence[Incoming]) -> list["Heard"]:
        """What the general model says of each message and of its sentences."""
        cuts = [cut_sentences(message.text) for message in messages]
        parts = [[sentence for sentence, _ in own] for own in cuts]
        singles = [own if len(own) > 1 else [] for own in parts]
        predictions = self._model.predict_all([message.document for message in messages])
        each = self._model.predict_all([part for own in singles for part in own])
        urgency = each["priority"][:, tuple(Priority).index(Priority.URGENT)]
        before = list_leanings(
            [
                MessageMatter(batch_message.text, batch_message.continued, batch_message.earlier)
                for batch_message in messages
            ],
            self._model,
        )
        result, start = [], 0
        for place, message in enumerate(messages):
            stop = start + len(singles[place])
            opinions = [
                IntentOpinion(
                    category=weigh_power(each["category"][line], singles[place][line - start]),
                    intent=each["intent"][line],
                    urgent=float(urgency[line]),
                )
                for line in range(start, stop)
            ]
            start = stop
            result.append(
                Heard(
                    message=message,
                    said={name: rows[place] for name, rows in predictions.items()},
                    parts=parts[place],
                    starts=[start for _, start in cuts[place]],
                    opinions=opinions,
                    leaning=before[place],
                )
            )
        return result


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What the general model says of one message and of each of its sentences."""

    message: Incoming
    said: dict[str, Floats]
    """Probabilities by head."""
    parts: Sequence[str]
    """Its sentences."""
    starts: Sequence[Start]
    """How loudly each begins another matter."""
    opinions: Sequence[IntentOpinion]
    """What is said of each of them, when there are several."""
    leaning: Leaning
    """What its conversation says of it."""

    @property
    def category(self) -> Floats:
        """Probabilities of the categories, sentences included."""
        return _pooled(self.said["category"], self.opinions)

    def priority(self, category: Category) -> tuple[Priority, str, bool]:
        """How soon, why if it is urgent, and whether it is so by words that always count."""
        return how_soon(
            self.message.text, self.message.subject, category, self.said["priority"], self.opinions
        )

    @property
    def standing(self) -> MailStanding:
        """How sender and message stand to the organization."""
        own, leaning = self.message, self.leaning
        thanks = tuple(IntentKind)[int(self.said["intent"].argmax())] is IntentKind.ACKNOWLEDGMENT
        if thanks and leaning.category is Category.COMPLAINT:
            leaning = Leaning()
        return MailStanding(
            internal=own.internal,
            known=own.known_sender,
            reply=own.reply,
            mailbox=mailbox_matter(own.addressed),
            continued=leaning.category,
            leaning=leaning.share,
        )


def _batches(messages: Sequence[Incoming]) -> Iterator[list[Incoming]]:
    """The messages in batches, without letters that nothing can hold."""
    for at in range(0, len(messages), BATCH):
        yield [
            replace(own, text=replace_surrogates(own.text), subject=replace_surrogates(own.subject))
            for own in messages[at : at + BATCH]
        ]


def _shifts(taught: LinearModel | None, messages: Sequence[Incoming]) -> dict[str, Floats]:
    if taught is None:
        return {}
    return shifts(taught, features([message.document for message in messages]))


def _leaning(probabilities: Floats, shift: Floats | None) -> Floats:
    """Probabilities after what the organization taught."""
    if shift is None:
        return probabilities
    logs = np.log(np.maximum(probabilities, 1e-6)) + shift
    weighed = np.exp(logs - logs.max())
    result: Floats = (weighed / weighed.sum()).astype(np.float32)
    return result


def _settle_category_of(category: Floats, message: Incoming) -> Floats:
    """Probabilities whose largest is said; internal only of a colleague."""
    return settle_category(category if message.internal else weigh_outsider(category))


def _classify_message(
    opinion: Heard, language: str, words: Spoken, taught: Mapping[str, Floats]
) -> Classification:
    """What is said of one message."""
    message, parts = opinion.message, opinion.parts
    if not any(letter.isalnum() for letter in message.document):
        return _empty()
    general = shift_probabilities(opinion.category, opinion.standing, message.document)
    category = _settle_category_of(_leaning(general, taught.get("category")), message)
    whole = IntentOpinion(
        category=category, intent=_leaning(opinion.said["intent"], taught.get("intent"))
    )
    opinions = opinion.opinions
    intents = (
        fork_intents(whole, parts, opinions, opinion.starts, opinion.said["category"])
        if parts
        else fork_intents(whole, [message.subject], [])
    )
    strongest, confidence = whole.strongest()
    if len(intents) > 1:
        strongest = intents[0].category
        confidence = max(float(category[list(Category).index(strongest)]), confidence / 2)
    reasons = [words.sentence(strongest)]
    if taught and int(_settle_category_of(general, message).argmax()) != int(category.argmax()):
        reasons.insert(0, "people here have corrected similar mail")
    priority, why, alarmed = opinion.priority(strongest)
    if taught and not alarmed:
        leaned = _leaning(decide_probabilities(priority), taught.get("priority"))
        lesson = tuple(Priority)[int(leaned.argmax())]
        if lesson is not priority:
            priority, why = lesson, "people here have corrected the priority of similar mail"
    if why:
        reasons.insert(0, why)
    if message.internal and strongest is Category.INTERNAL:
        reasons.append("the sender belongs to the organization")
    return Classification(
        category=strongest,
        priority=priority,
        sentiment=tuple(Sentiment)[int(opinion.said["sentiment"].argmax())],
        language=language,
        confidence=round(min(1.0, confidence), 4),
        intents=intents,
        reasons=tuple(reason for reason in reasons if reason),
    )


def _pooled(whole: Floats, opinions: Sequence[IntentOpinion]) -> Floats:
    """What the message says as a whole, and what any one of its sentences says loudest.

    In a long message the wish is one sentence among many, so each may speak for itself.
    """
    if not opinions:
        return whole
    loudest = np.max([opinion.category for opinion in opinions], axis=0)
    mixed = np.exp((1 - ALONE) * np.log(whole + 1e-6) + ALONE * np.log(loudest + 1e-6))
    result: Floats = (mixed / mixed.sum()).astype(np.float32)
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

"""Classifying a batch, and telling beforehand which of its mail cannot wait."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from data.linear import LinearModel
from data.records.core.understanding import Classification
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.message_parts import by_itself, words_of
from tasks.mail.classify.urgent import is_urgent


@lru_cache(maxsize=1)
def classifier() -> LocalClassifier:
    """Return the classifier, loaded once per process."""
    return LocalClassifier()


def alarms_in(_: None, mails: Sequence[tuple[str, str]]) -> list[str | None]:
    """Return the words that make each mail, a text and its subject, urgent; None where none do."""
    return [is_urgent(text, subject) for text, subject in mails]


def classify_cases(
    taught: LinearModel | None, incoming: Sequence[Incoming]
) -> list[Classification]:
    """Classify each message; `taught` is what the organization's people taught, if anything."""
    return classifier().classify_many(incoming, taught)


def each_alone(incoming: Incoming, classification: Classification) -> list[Incoming]:
    """Return each of several parts as if its words were all that was written; none for one."""
    if len(classification.intents) < 2:
        return []
    return [
        replace(incoming, text=words, subject="", continued=None, earlier="")
        for words in words_of(incoming.text, classification.intents)
    ]


def with_parts(classification: Classification, alone: Iterable[Classification]) -> Classification:
    """Return a classification with what each of several parts is about by itself.

    `alone` is what was understood of each of `each_alone`.
    """
    understood_alone = list(alone)
    if not understood_alone:
        return classification
    parts = (
        by_itself(classification, intent, own)
        for intent, own in zip(classification.intents, understood_alone, strict=True)
    )
    return classification.model_copy(update={"parts": tuple(parts)})

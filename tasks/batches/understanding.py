"""Classifying a batch."""

from collections.abc import Sequence
from functools import lru_cache

from data.linear import LinearModel
from data.records.core.understanding import Classification
from tasks.classify.classifying import Incoming, LocalClassifier


@lru_cache(maxsize=1)
def classifier() -> LocalClassifier:
    """Return the classifier, loaded once per process."""
    return LocalClassifier()


def classify_all(taught: LinearModel | None, incoming: Sequence[Incoming]) -> list[Classification]:
    """Classify each message; `taught` is what the organization's people taught, if anything."""
    return classifier().classify_many(incoming, taught)

"""The trained judge beside the rules: what it must do, and ours, which runs in this process."""

from collections.abc import Sequence
from functools import cache
from typing import Protocol, runtime_checkable

from data.screening.model import WEIGHTS, ScreeningModel

_PIECE = 200
"""Characters of an excerpt."""
_MOST_PIECES = 60


class InjectionClassifier(Protocol):
    """Says how much a text reads like instructions to a machine."""

    def score(self, text: str) -> float:
        """Return a calibrated probability of an attack, 0 to 1, for one text."""
        ...


@runtime_checkable
class Linguist(Protocol):
    """A classifier that can say which texts it understands."""

    def knows(self, text: str) -> bool:
        """Whether `text` is in a language that it has learned."""
        ...


@runtime_checkable
class ManyTexts(Protocol):
    """A classifier that is quicker with all texts of a message at once."""

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the score of each text, as `InjectionClassifier.score`."""
        ...

    def strongest_piece(self, text: str) -> str:
        """Return the part of `text`, at most 200 characters, that reads most like an attack."""
        ...


class LocalInjectionClassifier:
    """Linear over n-grams and kinds of words; deterministic, and never fails on any text.

    A score of 0.35, from which a policy flags by default, is what some 0.3 % of the
    ordinary messages held back in training exceed.
    """

    def __init__(self, model: ScreeningModel) -> None:
        self._model = model

    def score(self, text: str) -> float:
        """Return how much `text` reads like instructions to a machine, 0 to 1."""
        return self.scores([text])[0]

    def scores(self, texts: Sequence[str]) -> list[float]:
        """Return the score of each text."""
        scores_read: list[float] = self._model.scores(texts).tolist()
        return scores_read

    def knows(self, text: str) -> bool:
        """Whether `text` is in a language that it has learned."""
        return self._model.knows(text)

    def has_learned(self, word: str) -> bool:
        """Whether a folded word came often enough in training to be known."""
        return self._model.has_learned(word)

    def strongest_piece(self, text: str) -> str:
        """Return the part of `text` that the linear model suspects most."""
        step = max(_PIECE // 2, len(text) // _MOST_PIECES)
        pieces = [text[at : at + _PIECE] for at in range(0, max(1, len(text) - step), step)]
        return pieces[self._model.strongest(pieces)]


@cache
def load_classifier() -> LocalInjectionClassifier:
    """Return our classifier, loaded once per process in milliseconds.

    Raises `SettingsError` when the weights are missing or unreadable.
    """
    return LocalInjectionClassifier(ScreeningModel.load(WEIGHTS))

"""The words of a message that spoke for its category, for a reviewer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.linear import LinearModel
from data.ngrams import grams
from data.records.core.understanding import Category

Floats = npt.NDArray[np.float32]

NAMED = 4
"""Words named at most."""
READ, MANY = 400, 30
"""Characters and words that are weighed."""
LOUD = 0.5
"""Score above its mean over the categories from which a word is worth naming."""


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
        words_named = [self.words[place].strip(".,;:!?()\"'") for place in order[: NAMED * 2]]
        words_named = [word for word in dict.fromkeys(words_named) if len(word) > 2][:NAMED]
        if not words_named:
            return ""
        quoted = ", ".join(f"'{word[:40]}'" for word in words_named)
        noun, verb = ("words", "speak") if len(words_named) > 1 else ("word", "speaks")
        return f"the {noun} {quoted} {verb} for {category.value.replace('_', ' ')}"


def spoken_in(model: LinearModel, documents: Sequence[str]) -> list[Spoken]:
    """For each document, what its first words say of the categories."""
    words = [list(dict.fromkeys(document[:READ].split()))[:MANY] for document in documents]
    places: dict[str, int] = {}
    for own in words:
        for word in own:
            places.setdefault(word, len(places))
    head = model.heads["category"]
    scores = model.scores(grams(list(places)))
    scores = scores[:, head.start : head.start + len(Category)]
    scores = scores - scores.mean(axis=1, keepdims=True)
    return [Spoken(words=own, worth=scores[[places[word] for word in own]]) for own in words]

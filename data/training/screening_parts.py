"""What the screen's encoder learns from: the parts of messages as words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.ranges import ranges
from data.screening.concepts import Concepts
from data.screening.encoder import LONGEST_WINDOW
from data.screening.reading import read
from data.screening.tokens import Tokens, tokens
from data.training.screening_corpus import Part, Sample

BATCH = 64
"""Windows learned from at once."""
SORTED = 50
"""Batches among which windows of like length are put together."""

Spots = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Windows to learn from; each is a few words in a row of `tokens`."""

    tokens: Tokens
    first: Spots
    """Shape (windows,): the first word of each."""
    sizes: Spots
    """How many words each has, at most `LONGEST_WINDOW`."""
    attack: npt.NDArray[np.bool_]
    weight: npt.NDArray[np.float32]
    sort: Spots
    """Which of `sorts` each is of: the technique of an attack, or what ordinary text is."""
    sorts: int


def corpus_of(samples: Sequence[Sample], concepts: Concepts) -> Corpus:
    """Return each part of the messages once, its first `LONGEST_WINDOW` words."""
    parts = {
        part.text: (part.attack, one.weight, _sort_of(part, one))
        for one in samples
        for part in one.parts
    }
    sorts = sorted({sort for _, _, sort in parts.values()})
    found, sizes = [], []
    texts = list(parts)
    for at in range(0, len(texts), 500):
        reading = read(texts[at : at + 500], concepts)
        count = len(texts[at : at + 500])
        own = reading.words
        if own is None:
            sizes.append(np.zeros(count, dtype=np.int64))
            continue
        bounds = np.searchsorted(reading.texts[own.sentence], np.arange(count + 1))
        some = np.minimum(np.diff(bounds), LONGEST_WINDOW)
        found.append(tokens(reading, own, ranges(bounds[:-1], some)))
        sizes.append(some)
    size = np.concatenate(sizes)
    kept = size > 1
    known = [parts[text] for text in texts]
    return Corpus(
        tokens=joined(found),
        first=(np.cumsum(size) - size)[kept],
        sizes=size[kept],
        attack=np.array([attack for attack, _, _ in known])[kept],
        weight=np.array([weight for _, weight, _ in known], dtype=np.float32)[kept],
        sort=np.array([sorts.index(sort) for _, _, sort in known])[kept],
        sorts=len(sorts),
    )


def _sort_of(part: Part, message: Sample) -> str:
    if part.attack or part.family == message.family:
        return f"{part.attack} {message.technique}"
    return "surroundings"


def joined(parts: Sequence[Tokens]) -> Tokens:
    """Return the words of all parts, one behind the other."""
    offsets = np.cumsum([0, *(len(part.grams) for part in parts[:-1])])
    firsts = [part.firsts + offset for part, offset in zip(parts, offsets, strict=True)]
    return Tokens(
        words=np.concatenate([part.words for part in parts]),
        grams=np.concatenate([part.grams for part in parts]),
        firsts=np.concatenate(firsts),
        kinds=np.concatenate([part.kinds for part in parts]),
        before=np.concatenate([part.before for part in parts]),
        behind=np.concatenate([part.behind for part in parts]),
        quoted=np.concatenate([part.quoted for part in parts]),
    )


def some_of(own: Tokens, chosen: Spots) -> Tokens:
    """Return the words `chosen` by their numbers, in that order."""
    counts = np.diff(own.firsts, append=len(own.grams))[chosen]
    return Tokens(
        words=own.words[chosen],
        grams=own.grams[ranges(own.firsts[chosen], counts)],
        firsts=np.cumsum(counts) - counts,
        kinds=own.kinds[chosen],
        before=own.before[chosen],
        behind=own.behind[chosen],
        quoted=own.quoted[chosen],
    )


def batches(own: Corpus, chance: np.random.Generator) -> Iterator[Spots]:
    """Yield the windows of one epoch, those of like length together, in an order of chance."""
    order = chance.permutation(len(own.sizes))
    found = []
    for at in range(0, len(order), BATCH * SORTED):
        some = order[at : at + BATCH * SORTED]
        some = some[np.argsort(own.sizes[some], kind="stable")]
        found += [some[begin : begin + BATCH] for begin in range(0, len(some), BATCH)]
    for place in chance.permutation(len(found)):
        yield found[place]

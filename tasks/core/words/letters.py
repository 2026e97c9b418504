"""Text to vectors by letters: hashed words and letter groups, projected at random.

Every feature (a word's stem, its concept, its letter trigrams) is hashed by BLAKE2b to 256 bits,
read as a vector of +1 and -1: a dense random projection that needs no table and is the same on
every platform. Words without topic weigh little. Nothing is trained, so two words are near only
when they share letters or a concept of the lexicon: right for names and typing errors.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from math import log

import numpy as np
import numpy.typing as npt

from tasks.core.words.sentences import concept, is_stop_word, stem, words

DIMENSIONS = 256
"""Length of a vector: the bits of one hash."""

_STOP_WEIGHT = 0.1
_STEM_WEIGHT = 1.0
_CONCEPT_WEIGHT = 1.2
_LETTERS_WEIGHT = 0.6
_LONGEST_TEXT = 20_000

Vectors = npt.NDArray[np.float32]


def embed_letters(texts: Sequence[str]) -> Vectors:
    """Return one vector of unit length per text, shape (n, 256); a text without words gets zeros.

    Of a text longer than 20,000 characters the rest is not read.
    """
    vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    for row, text in enumerate(texts):
        counts: dict[str, int] = {}
        for word in words(text[:_LONGEST_TEXT]):
            counts[word] = counts.get(word, 0) + 1
        if counts:
            weights = np.array([1 + log(count) for count in counts.values()], dtype=np.float32)
            vectors[row] = weights @ np.stack([_word_vector(word) for word in counts])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    vectors /= lengths
    return vectors


@lru_cache(maxsize=16_384)
def _word_vector(word: str) -> Vectors:
    """Return the weighted sum of a word's features; memory of the cache is at most 17 MB."""
    root = stem(word)
    features: list[tuple[str, float]] = [(f"w:{root}", _STEM_WEIGHT)]
    if (meaning := concept(word)) is not None:
        features.append((f"c:{meaning}", _CONCEPT_WEIGHT))
    framed = f"^{root}$"
    letters = [framed[at : at + 3] for at in range(len(framed) - 2)]
    share = _LETTERS_WEIGHT / max(1.0, len(letters) ** 0.5)
    features += [(f"t:{group}", share) for group in letters]
    digests = b"".join([_digest(name) for name, _ in features])
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8)).reshape(len(features), DIMENSIONS)
    weights = np.array([weight for _, weight in features], dtype=np.float32)
    vector: Vectors = weights @ (bits.astype(np.float32) * 2 - 1)
    return vector * np.float32(_STOP_WEIGHT if is_stop_word(word) else 1.0)


@lru_cache(maxsize=16_384)
def _digest(name: str) -> bytes:
    """Return the bits of a feature; most words are made of letter groups that others have too."""
    return blake2b(name.encode(), digest_size=32).digest()

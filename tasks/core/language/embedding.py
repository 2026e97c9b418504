"""Text to vectors without a download: what words mean, and how they are spelled, side by side.

Meaning comes from pretrained word vectors over the text in English words
(`tasks.core.language.english_bridge`), which find paraphrases and other languages; spelling from
hashed letters (`tasks.core.words.letters`), which find names and typing errors. Their shares were
chosen by measuring (docs/quality.md).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from data import word_vectors
from data.ngrams import replace_surrogates
from data.word_vectors import LONGEST_TEXT
from tasks.core.language.english_bridge import bridge
from tasks.core.words import letters as letters

Vectors = npt.NDArray[np.float32]

DIMENSIONS = word_vectors.DIMENSIONS + letters.DIMENSIONS
"""Length of a vector."""
MEANING_SHARE = 0.7
"""Part of a likeness that meaning decides; spelling decides the rest."""


def embed(texts: Sequence[str]) -> Vectors:
    """Return one vector of unit length per text, shape (n, 512); a text without words gets zeros.

    Of a text longer than 20,000 characters the rest is not read.
    """
    clean = [replace_surrogates(text[:LONGEST_TEXT]) for text in texts]
    spelling = letters.embed_letters(clean)
    meaning = word_vectors.word_vectors().embed(bridge(clean))
    meaning[~spelling.any(axis=1)] = 0
    joined = np.hstack([meaning * MEANING_SHARE**0.5, spelling * (1 - MEANING_SHARE) ** 0.5])
    lengths = np.linalg.norm(joined, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    return np.asarray(joined / lengths, dtype=np.float32)

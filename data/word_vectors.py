"""Pretrained word vectors and their tokenizer, read from the installed package `wordllama`.

The package's own loader asks a model hub for its tokenizer although the file lies beside it; so
the two files are opened here with the libraries that it would use. Nothing is downloaded.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from math import sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from data.errors import ModelError
from data.ngrams import replace_surrogates

DIMENSIONS = 256
"""Length of a vector."""
LONGEST_TEXT = 20_000
"""Characters of a text that are read."""
_REMEMBERED = 512
"""Texts whose number of pieces is remembered: what was just embedded is often counted next."""

Vectors = npt.NDArray[np.float32]

_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_WEIGHTS = "weights/l2_supercat_256.safetensors"


class WordVectors:
    """A vector for each of 32,000 pieces of words; a text's vector is the mean of its pieces'."""

    def __init__(self, tokenizer: Tokenizer, table: npt.NDArray[np.float16]) -> None:
        self._tokenizer = tokenizer
        self._table = table
        self._sizes: dict[str, int] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector of unit length per text, shape (n, 256); an empty text gets zeros."""
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, pieces in enumerate(self.pieces(texts)):
            vectors[row] = self.of_pieces(pieces)
        return vectors

    def of_pieces(self, pieces: Sequence[int]) -> Vectors:
        """Return the vector of a text with these pieces, shape (256,); without any zeros."""
        if not pieces:
            return np.zeros(DIMENSIONS, dtype=np.float32)
        mean = np.add.reduce(self._table[list(pieces)], axis=0, dtype=np.float32) / len(pieces)
        return np.asarray(mean / (sqrt(mean.dot(mean)) or 1.0), dtype=np.float32)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of each text's pieces, in order; each below 32,000."""
        cut = [replace_surrogates(text[:LONGEST_TEXT]) for text in texts]
        encoded = self._tokenizer.encode_batch_fast(cut, add_special_tokens=False)
        ids_by_text: list[list[int]] = [encoding.ids for encoding in encoded]
        if len(self._sizes) > _REMEMBERED:
            self._sizes = {}
        self._sizes.update((text, len(ids)) for text, ids in zip(cut, ids_by_text, strict=True))
        return ids_by_text

    def count(self, text: str) -> int:
        """Return how many tokens `text` has; what was just embedded is not cut again."""
        text = replace_surrogates(text)
        if (size_known := self._sizes.get(text)) is not None:
            return size_known
        return len(self._tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)


@cache
def word_vectors() -> WordVectors:
    """Open the vectors once per process; about 0.2 s and 16 MB.

    Raises:
        ModelError: The package is not installed, or came without its files.
    """
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise ModelError("the package 'wordllama' is missing; install Postern from its lock file")
    root = Path(spec.origin).parent
    if not (root / _TOKENIZER).is_file() or not (root / _WEIGHTS).is_file():
        raise ModelError(f"the package 'wordllama' has no {_WEIGHTS!r}; install it again")
    tokenizer = Tokenizer.from_file(str(root / _TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordVectors(tokenizer, load_file(root / _WEIGHTS)["embedding.weight"])

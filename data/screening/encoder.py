"""The screen's second reader: a small transformer over the words of a window, in plain numpy.

The linear model counts; this one reads in order, so it tells *ignore what the mail says* from *the
mail says: ignore*. It is slower by far and looks only at what the linear model suspects. It learned
from the corpus of the screen alone (`training.screening.encoder`).

Pre-norm encoder layers as in "Attention Is All You Need" (Vaswani et al. 2017) and "On Layer
Normalization in the Transformer Architecture" (Xiong et al. 2020), after one convolution of three
words; the strongest and the mean of every dimension over the window give one score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from data.npz import join_gaps, split_gaps
from data.ranges import lengths
from data.screening.tokens import GRAM_BITS, Tokens, kinds_of, marks_of

LONGEST_WINDOW = 80
"""Words of a window; of a longer one the first."""
HEADS = 4
GRAMS_WEIGHT = 2.0
"""What the letters of a word count beside the word."""
BATCH = 32
"""Windows of one size worked on at once."""
TABLES = ("words", "grams")
STEPS = 3
"""Steps of a table within its spread."""
_PREFIX = "encoder_"
_EPSILON = np.float32(1e-5)

Floats = npt.NDArray[np.float32]
Spots = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class EmbeddingTable:
    """A table of numbers in steps of one size, a byte each.

    What is rounded away is less than what training hides, and small numbers pack well.
    """

    steps: npt.NDArray[np.int8]
    """Shape (rows, width)."""
    scale: np.float32
    """The size of a step."""

    @classmethod
    def of(cls, values: Floats) -> Self:
        """Return `values` in steps of a share of their spread."""
        scale = np.float32(values.std() / STEPS)
        steps = np.clip(np.rint(values / scale), -127, 127).astype(np.int8)
        return cls(steps=steps, scale=scale)

    def rows(self, chosen: Spots) -> Floats:
        """Return rows by their numbers, shape (chosen, width)."""
        scaled_rows: Floats = self.steps[chosen].astype(np.float32)
        scaled_rows *= self.scale
        return scaled_rows


class ScreeningEncoder:
    """Scores windows of words; deterministic, never fails on any text."""

    def __init__(
        self,
        vocabulary: npt.NDArray[np.uint64],
        arrays: Mapping[str, Floats],
        tables: Mapping[str, EmbeddingTable],
    ) -> None:
        self.vocabulary = vocabulary
        """The known words' `short_hashes`, rising; row 0 of their table is that of all others."""
        self.arrays = dict(arrays)
        self.tables = dict(tables)
        self.layers = sum(name.startswith("attend_bias") for name in arrays)

    @classmethod
    def rounded(cls, vocabulary: npt.NDArray[np.uint64], arrays: Mapping[str, Floats]) -> Self:
        """Return the encoder of `arrays`, `TABLES` in steps and all else in 16 bits."""
        own = dict(arrays)
        tables = {name: EmbeddingTable.of(own.pop(name)) for name in TABLES}
        halves = {name: value.astype(np.float16).astype(np.float32) for name, value in own.items()}
        return cls(vocabulary, halves, tables)

    @classmethod
    def restored(cls, stored: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Return the encoder that `stored` gave, among whatever else there is.

        Raises `KeyError` or `ValueError` when it is not there.
        """
        own = {
            name.removeprefix(_PREFIX): value
            for name, value in stored.items()
            if name.startswith(_PREFIX)
        }
        tables = {
            name: EmbeddingTable(steps=own.pop(name), scale=np.float32(stored[f"scale_of_{name}"]))
            for name in TABLES
        }
        if len(tables["grams"].steps) != 2**GRAM_BITS:
            raise ValueError("the table of runs of letters has another size")
        arrays = {name: value.astype(np.float32) for name, value in own.items()}
        return cls(join_gaps(stored["vocabulary"], np.uint64), arrays, tables)

    def stored(self) -> dict[str, npt.NDArray[Any]]:
        """Return what is kept of it by name."""
        arrays_stored: dict[str, npt.NDArray[Any]] = {"vocabulary": split_gaps(self.vocabulary)}
        for name, table in self.tables.items():
            arrays_stored[_PREFIX + name] = table.steps
            arrays_stored[f"scale_of_{name}"] = np.array(table.scale)
        for name, value in self.arrays.items():
            arrays_stored[_PREFIX + name] = value.astype(np.float16)
        return arrays_stored

    def scores(self, own: Tokens, sizes: Spots) -> Floats:
        """Return the log-odds that each window holds an order to a machine, shape (windows,).

        Windows of one size are read together, so that nothing has to be filled up and masked.

        Args:
            own: the words of all windows, window by window.
            sizes: how many words each has, 1 to `LONGEST_WINDOW`, rising; shape (windows,).

        """
        inputs = self._words(own)
        all_scores = np.empty(len(sizes), dtype=np.float32)
        window = word = 0
        while window < len(sizes):
            size = int(sizes[window])
            alike = int(sizes[window : window + BATCH].searchsorted(size, side="right"))
            some = inputs[word : word + alike * size]
            all_scores[window : window + alike] = self._read(some, size)
            window, word = window + alike, word + alike * size
        return all_scores

    def _words(self, own: Tokens) -> Floats:
        """Return what stands for each word, shape (words, width)."""
        arrays = self.arrays
        runs = lengths(own.firsts, len(own.grams)).astype(np.float32)[:, None]
        letters = np.add.reduceat(self.tables["grams"].rows(own.grams), own.firsts, axis=0) / runs
        word_rows: Floats = self.tables["words"].rows(rows_of(self.vocabulary, own.words))
        word_rows += np.float32(GRAMS_WEIGHT) * letters
        word_rows += kinds_of(own) @ arrays["kinds"]
        word_rows += marks_of(own) @ arrays["marks"]
        return word_rows

    def _read(self, inputs: Floats, size: int) -> Floats:
        """Return the log-odds of windows of `size` words each, shape (windows,).

        `inputs` is what stands for their words, shape (windows * size, width).
        """
        arrays = self.arrays
        width = inputs.shape[1]
        own = (inputs.reshape(-1, size, width) + arrays["places"][:size]).reshape(-1, width)
        own += _three(own, size, arrays["convolution"], arrays["convolution_bias"])
        for layer in range(self.layers):
            own += self._attended(own, size, layer)
            hidden = _normal(own) @ arrays[f"wide{layer}"]
            hidden += arrays[f"wide_bias{layer}"]
            np.maximum(hidden, 0, out=hidden)
            own += hidden @ arrays[f"narrow{layer}"]
            own += arrays[f"narrow_bias{layer}"]
        apart = own.reshape(-1, size, width)
        loudest = np.maximum.reduce(apart, axis=1)
        mean = np.add.reduce(apart, axis=1) / np.float32(size)
        odds: Floats = np.concatenate((loudest, mean), axis=1) @ arrays["answer"]
        return odds + arrays["answer_bias"]

    def _attended(self, own: Floats, size: int, layer: int) -> Floats:
        """Return what each word takes from the others of its window."""
        arrays = self.arrays
        width = own.shape[1]
        deep = width // HEADS
        asked = _normal(own) @ arrays[f"attend{layer}"]
        asked += arrays[f"attend_bias{layer}"]
        query, key, value = asked.reshape(-1, size, 3, HEADS, deep).transpose(2, 0, 3, 1, 4)
        weights = query @ key.swapaxes(2, 3)
        weights *= np.float32(deep**-0.5)
        weights -= np.maximum.reduce(weights, axis=3, keepdims=True)
        np.exp(weights, out=weights)
        weights /= np.add.reduce(weights, axis=3, keepdims=True)
        mixed_values = (weights @ value).swapaxes(1, 2).reshape(-1, width)
        attended: Floats = mixed_values @ arrays[f"out{layer}"]
        attended += arrays[f"out_bias{layer}"]
        return attended


def short_hashes(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the upper 48 bits of words' hashes, by which words are known.

    Of 10,000,000,000 words one is taken for another; the rest of the bits would be 62 kB.
    """
    return words >> np.uint64(16)


def rows_of(vocabulary: npt.NDArray[np.uint64], words: npt.NDArray[np.uint64]) -> Spots:
    """Return the row of each word, by its hash, in the table of words; 0 of the unknown."""
    short = short_hashes(words)
    spots = vocabulary.searchsorted(short)
    is_known = vocabulary.take(spots, mode="clip") == short
    return np.where(is_known, spots + 1, 0)


def _normal(own: Floats) -> Floats:
    """Return layer normalization (Ba et al. 2016); gain and bias are in the matrix that follows."""
    share = np.float32(1 / own.shape[1])
    mean: Floats = np.add.reduce(own, axis=1, keepdims=True) * share
    centred = own - mean
    squares: Floats = np.einsum("ij,ij->i", centred, centred)[:, None]
    np.divide(centred, np.sqrt(squares * share + _EPSILON), out=centred)
    return centred


def _three(own: Floats, size: int, weights: Floats, bias: Floats) -> Floats:
    """Return the positive part of a convolution over three words of a window.

    `weights` is of shape (width, 3 * width): for the word before, the word, and the word behind.
    """
    width = own.shape[1]
    three = (own @ weights).reshape(-1, size, 3 * width)
    before, middle, behind = (three[..., at : at + width] for at in (0, width, 2 * width))
    middle += bias
    middle[:, 1:] += before[:, :-1]
    middle[:, :-1] += behind[:, 1:]
    positive: Floats = np.maximum(middle, np.float32(0)).reshape(-1, width)
    return positive

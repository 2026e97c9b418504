"""A small linear model over hashed n-grams: several heads, calibrated, pure numpy.

The file holds a sorted vocabulary of feature hashes and one matrix whose columns belong to the
heads. Its weights are whole numbers of a small part, which need a byte or two; float16 has more
digits than a sum of hundreds of weights can use. A text's score is the sum of its known features'
weights over the root of its number of features, so that text in an unknown vocabulary stays near
the prior and its confidence low.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from data.errors import SettingsError
from data.ngrams import Grams, grams
from data.npz import join_gaps, join_octets, pack_npz, split_gaps, split_octets

Floats = npt.NDArray[np.float32]

FORMAT = 2
"""Version of the layout: weights in whole parts."""
UNROUNDED = 1
"""The layout of a model that is kept as it was learned, in float16."""
_MOST = 0x7FFF // 2
"""Parts of the largest weight that is kept, with room for the sign."""
BATCH = 32
"""Texts worked on at once: large enough to hide numpy's overhead, small enough for the cache."""


@dataclass(frozen=True, kw_only=True)
class Head:
    """One question that the model answers."""

    name: str
    labels: tuple[str, ...]
    bias: Floats
    """Shape (labels,)."""
    temperature: float
    """What scores are divided by before the softmax, so that probabilities hold."""
    start: int
    """Its first column in the weights."""

    def probabilities(self, scores: Floats) -> Floats:
        """Softmax of this head's part of `scores` (texts, columns) → (texts, labels)."""
        own = scores[:, self.start : self.start + len(self.labels)] + self.bias
        own = own / np.float32(self.temperature)
        own = np.exp(own - own.max(axis=1, keepdims=True))
        result: Floats = own / own.sum(axis=1, keepdims=True)
        return result


class LinearModel:
    """Linear heads over one vocabulary; loads in milliseconds, deterministic."""

    def __init__(
        self,
        vocabulary: npt.NDArray[np.uint32],
        weights: npt.NDArray[np.float16] | Floats,
        heads: Mapping[str, Head],
    ) -> None:
        self.vocabulary = vocabulary
        self.weights = weights.astype(np.float32)
        self.heads = dict(heads)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the .npz at `path` without unpickling.

        Raises `SettingsError` when the file is missing or is not such a model.
        """
        try:
            content = path.read_bytes()
        except OSError as error:
            raise SettingsError(
                f"The weights {str(path)!r} cannot be read; reinstall Postern or train anew."
            ) from error
        return cls.unpacked(content, str(path))

    @classmethod
    def unpacked(cls, content: bytes, name: str) -> Self:
        """Read what `packed` gave; `name` is for the error's sentence.

        Raises `SettingsError` when it is not such a model.
        """
        try:
            with np.load(BytesIO(content), allow_pickle=False) as file:
                stored = {key: file[key] for key in file.files}
            if int(stored["format"]) == FORMAT:
                vocabulary = join_gaps(stored["vocabulary"], np.uint32)
                whole = _as_signed(join_octets(stored["weights"], np.uint16))
                weights = (whole / np.float32(stored["parts"])).astype(np.float32)
            elif int(stored["format"]) == UNROUNDED:
                vocabulary, weights = stored["vocabulary"], stored["weights"]
            else:
                raise SettingsError(f"The weights {name!r} have another format; train anew.")
            heads, start = {}, 0
            for own in [str(own) for own in stored["heads"]]:
                labels = tuple(str(label) for label in stored[f"{own}_labels"])
                heads[own] = Head(
                    name=own,
                    labels=labels,
                    start=start,
                    bias=stored[f"{own}_bias"].astype(np.float32),
                    temperature=float(stored[f"{own}_temperature"]),
                )
                start += len(labels)
            return cls(vocabulary, weights, heads)
        except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
            raise SettingsError(
                f"The weights {name!r} cannot be read; reinstall Postern or train anew."
            ) from error

    def save(self, path: Path, parts: int) -> None:
        """Write the model to `path` with its weights rounded to whole `parts` of one.

        The same bytes for the same model; a rounding that is repeated changes nothing. A score is
        off by a third of such a part, about, however many weights are in its sum.
        """
        whole = np.clip(np.rint(self.weights * np.float32(parts)), -_MOST, _MOST).astype(np.int16)
        stored = self._stored() | {
            "format": np.array(FORMAT),
            "parts": np.array(parts),
            "vocabulary": split_gaps(self.vocabulary),
            "weights": split_octets(_unsigned(whole)),
        }
        path.write_bytes(pack_npz(stored))

    def packed(self) -> bytes:
        """The model as one .npz, unrounded, the same bytes for the same model."""
        file = BytesIO()
        np.savez_compressed(file, allow_pickle=False, **self._stored())
        return file.getvalue()

    def _stored(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the parts of the unrounded layout by name."""
        stored: dict[str, npt.NDArray[np.generic]] = {
            "format": np.array(UNROUNDED),
            "heads": np.array(list(self.heads)),
            "vocabulary": self.vocabulary,
            "weights": self.weights.astype(np.float16),
        }
        for name, head in self.heads.items():
            stored[f"{name}_labels"] = np.array(head.labels)
            stored[f"{name}_bias"] = head.bias
            stored[f"{name}_temperature"] = np.array(head.temperature)
        return stored

    def scores(self, features: Grams) -> Floats:
        """Raw scores of a batch, shape (texts, columns of all heads), bias not yet added."""
        count = len(features.sizes)
        result = np.zeros((count, self.weights.shape[1]), dtype=np.float32)
        spots = np.searchsorted(self.vocabulary, features.hashes)
        np.minimum(spots, len(self.vocabulary) - 1, out=spots)
        is_in_vocabulary = np.flatnonzero(self.vocabulary[spots] == features.hashes)
        if len(is_in_vocabulary):
            rows = features.rows[is_in_vocabulary]
            starts = np.flatnonzero(np.concatenate(([True], rows[1:] != rows[:-1])))
            result[rows[starts]] = np.add.reduceat(
                self.weights[spots[is_in_vocabulary]], starts, axis=0
            )
        result /= np.sqrt(np.maximum(features.sizes, 1))[:, None]
        return result

    def predict_all(self, texts: Sequence[str]) -> dict[str, Floats]:
        """Probabilities of every head by name, each of shape (texts, labels)."""
        parts = [
            self.scores(grams(texts[at : at + BATCH])) for at in range(0, len(texts), BATCH)
        ] or [np.zeros((0, self.weights.shape[1]), dtype=np.float32)]
        scores = np.concatenate(parts)
        return {name: head.probabilities(scores) for name, head in self.heads.items()}

    def predict(self, texts: Sequence[str], head: str | None = None) -> Floats:
        """Probabilities of one head (the first unless named), shape (texts, labels)."""
        return self.predict_all(texts)[head or next(iter(self.heads))]


def _unsigned(whole: npt.NDArray[np.int16]) -> npt.NDArray[np.uint16]:
    """Return 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …, so that small ones have an empty upper octet."""
    folded: npt.NDArray[np.uint16] = ((whole << 1) ^ (whole >> 15)).astype(np.uint16)
    return folded


def _as_signed(folded: npt.NDArray[np.uint16]) -> npt.NDArray[np.int16]:
    """Return what `_unsigned` was given."""
    halved = (folded >> 1).astype(np.int16)
    whole: npt.NDArray[np.int16] = halved ^ -(folded & 1).astype(np.int16)
    return whole

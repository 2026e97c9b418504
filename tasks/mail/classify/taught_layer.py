"""The taught layer of the classifier: a small one over the general model, from people's labels.

The layer adds to the general model's logarithms of probabilities (an offset that is not trained),
so that without evidence nothing changes. It is trained on words, pairs of words and marks, as
hashes; a fixed part of the examples is never trained on and decides whether it is taken.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from data.linear import Head, LinearModel
from data.ngrams import Grams, grams
from data.records.core.understanding import Category, IntentKind, Priority

Floats = npt.NDArray[np.float32]

HEADS: dict[str, type[StrEnum]] = {
    "category": Category,
    "priority": Priority,
    "intent": IntentKind,
}
NEEDED = 20
"""Corrections before the first training."""
MOST = 2_000
"""Corrections that are trained on at most, the newest."""
BESIDE = 3
"""Confirmed cases beside each correction, at most."""
HELD = 4
"""Every fourth example, by a hash of its case, is held back."""
RAREST = 2
"""Examples that a feature must stand in."""
FEATURES = 6_000
"""Features at most, the commonest."""
STRENGTH = 4.0
"""Inverse of the regularization: how far the layer may lean on single features."""
COMMON = 0.7
"""Weight of a feature that stands in every example; rarer ones weigh more."""
STEPS = 150


@dataclass(frozen=True, kw_only=True)
class Example:
    """One case with what people say of it."""

    case_id: str
    hashes: npt.NDArray[np.uint32]
    opinion: Floats
    """Logarithms of the general model's probabilities, the heads' one after the other (17,)."""
    labels: Mapping[str, str]
    """The true label by head."""

    @property
    def held(self) -> bool:
        """Whether it is never trained on."""
        return zlib.crc32(self.case_id.encode()) % HELD == 0


@dataclass(frozen=True, kw_only=True)
class LayerTrial:
    """A layer and how it did on what was held back."""

    layer: LinearModel
    held: int
    right_before: int
    """Labels that were right with the layer in use, of three for each held example."""
    right_after: int

    @property
    def better(self) -> bool:
        """Whether it may be taken: not merely as good."""
        return self.right_after > self.right_before


def features(texts: Sequence[str]) -> Grams:
    """Words, pairs of words and marks; no letters, of which few examples teach nothing."""
    return grams(texts, longest=1)


def shifts(layer: LinearModel, grams_found: Grams) -> dict[str, Floats]:
    """What `layer` adds to the logarithms of each head's probabilities, shape (texts, labels)."""
    scores = layer.scores(grams_found)
    return {
        name: scores[:, head.start : head.start + len(head.labels)] + head.bias
        for name, head in layer.heads.items()
    }


def try_layer(examples: Sequence[Example], present: LinearModel | None) -> LayerTrial:
    """Train a layer and judge it beside the `present` one on the examples held back."""
    layer = _trained([example for example in examples if not example.held])
    held_back = [example for example in examples if example.held]
    return LayerTrial(
        layer=layer,
        held=len(held_back),
        right_before=_right(held_back, present),
        right_after=_right(held_back, layer),
    )


def _join_grams(examples: Sequence[Example]) -> Grams:
    sizes = [len(example.hashes) for example in examples]
    return Grams(
        hashes=np.concatenate([example.hashes for example in examples] or [np.zeros(0, np.uint32)]),
        rows=np.repeat(np.arange(len(examples)), sizes),
        sizes=np.array(sizes, dtype=np.float32),
    )


def _offsets(examples: Sequence[Example]) -> dict[str, Floats]:
    whole = np.array([example.opinion for example in examples], dtype=np.float32)
    ends = np.cumsum([len(kind) for kind in HEADS.values()])[:-1]
    return dict(zip(HEADS, np.split(whole, ends, axis=1), strict=True))


def _right(examples: Sequence[Example], layer: LinearModel | None) -> int:
    if not examples:
        return 0
    added = shifts(layer, _join_grams(examples)) if layer else {}
    count = 0
    for name, offset in _offsets(examples).items():
        guess = (offset + added.get(name, np.float32(0))).argmax(axis=1)
        count += int((guess == _truth(examples, name)).sum())
    return count


def _truth(examples: Sequence[Example], name: str) -> npt.NDArray[np.int64]:
    labels = [kind.value for kind in HEADS[name]]
    return np.array([labels.index(example.labels[name]) for example in examples], dtype=np.int64)


def _vocabulary(grams_found: Grams, count: int) -> tuple[npt.NDArray[np.uint32], Floats]:
    hashes, often = np.unique(grams_found.hashes, return_counts=True)
    order = np.argsort(-often, kind="stable")[: min(FEATURES, int((often >= RAREST).sum()))]
    places_kept = np.sort(order)
    return hashes[places_kept], (COMMON + np.log((1 + count) / often[places_kept])).astype(
        np.float32
    )


def _trained(examples: Sequence[Example]) -> LinearModel:
    joined_features, count = _join_grams(examples), len(examples)
    vocabulary, scales = _vocabulary(joined_features, count)
    matrix = np.zeros((count, len(vocabulary)), dtype=np.float32)
    if len(vocabulary):
        spots = np.minimum(np.searchsorted(vocabulary, joined_features.hashes), len(vocabulary) - 1)
        is_learned = vocabulary[spots] == joined_features.hashes
        rows, spots = joined_features.rows[is_learned], spots[is_learned]
        matrix[rows, spots] = scales[spots] / np.sqrt(np.maximum(joined_features.sizes[rows], 1))
    heads: dict[str, Head] = {}
    columns, start = [], 0
    for name, offset in _offsets(examples).items() if examples else ():
        weight = _fitted(matrix, offset, _truth(examples, name))
        labels = tuple(kind.value for kind in HEADS[name])
        bias = np.zeros(len(labels), dtype=np.float32)
        heads[name] = Head(name=name, labels=labels, bias=bias, temperature=1.0, start=start)
        columns.append(weight * scales[:, None])
        start += len(labels)
    if not len(vocabulary):  # a model needs one feature at least: one that no text has
        vocabulary, columns = np.zeros(1, np.uint32), [np.zeros((1, start or 1), np.float32)]
    return LinearModel(vocabulary, np.hstack(columns).astype(np.float16), heads)


def _fitted(matrix: Floats, offset: Floats, truth: npt.NDArray[np.int64]) -> Floats:
    """Weights (features, labels) of a logistic regression over an offset, by Nesterov's method."""
    targets = np.eye(offset.shape[1], dtype=np.float32)[truth]
    probe = np.ones(matrix.shape[1], dtype=np.float32)
    for _ in range(8):  # power iteration: the largest curvature bounds the step
        probe = matrix.T @ (matrix @ probe)
        probe /= max(float(np.linalg.norm(probe)), 1e-9)
    curve = float(np.linalg.norm(matrix.T @ (matrix @ probe)))
    step = 1 / (1 + 0.6 * STRENGTH * curve)
    weight = np.zeros((matrix.shape[1], offset.shape[1]), dtype=np.float32)
    ahead, before = weight, weight
    for number in range(STEPS):
        scores = offset + matrix @ ahead
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        scores /= scores.sum(axis=1, keepdims=True)
        weight = ahead - np.float32(step) * (STRENGTH * (matrix.T @ (scores - targets)) + ahead)
        ahead = weight + np.float32(number / (number + 3)) * (weight - before)
        before = weight
    return weight

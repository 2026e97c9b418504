"""From texts and labels to a `LinearModel`: logistic regression, pruned, quantized, calibrated."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from data.linear import Head, LinearModel
from data.ngrams import Grams, grams

Targets = dict[str, npt.NDArray[np.int64]]
Weights = dict[str, npt.NDArray[np.float64]]


def _features(texts: Sequence[str]) -> Grams:
    parts = [grams(texts[at : at + 256]) for at in range(0, len(texts), 256)]
    return Grams(
        hashes=np.concatenate([part.hashes for part in parts]),
        rows=np.concatenate([part.rows + 256 * at for at, part in enumerate(parts)]),
        sizes=np.concatenate([part.sizes for part in parts]),
    )


def _matrix(features: Grams, vocabulary: npt.NDArray[np.uint32]) -> csr_matrix:
    spots = np.minimum(np.searchsorted(vocabulary, features.hashes), len(vocabulary) - 1)
    known = vocabulary[spots] == features.hashes
    rows = features.rows[known]
    values = 1 / np.sqrt(np.maximum(features.sizes[rows], 1))
    shape = (len(features.sizes), len(vocabulary))
    return csr_matrix((values, (rows, spots[known])), shape=shape, dtype=np.float32)


def _scales(features: Grams, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Rare features weigh more (inverse document frequency); folded into the weights later."""
    scales: npt.NDArray[np.float32] = np.log((1 + len(features.sizes)) / counts).astype(np.float32)
    return scales


def _fit(matrix: csr_matrix, target: npt.NDArray[np.int64], weights: npt.NDArray[np.float64],
         strength: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Weights (features, labels) and bias (labels,) of one head; texts of weight 0 are left out."""
    own = weights > 0
    matrix, target, weights = matrix[own], target[own], weights[own]
    model = LogisticRegression(C=strength, max_iter=250, tol=1e-3)
    model.fit(matrix, target, sample_weight=weights)
    weight, bias = model.coef_.T.astype(np.float32), model.intercept_.astype(np.float32)
    if weight.shape[1] == 1:  # two labels: scikit-learn gives one column of log-odds
        weight, bias = np.hstack((-weight / 2, weight / 2)), np.concatenate((-bias / 2, bias / 2))
    return weight, bias


def temperature(scores: npt.NDArray[np.float32], target: npt.NDArray[np.int64]) -> float:
    """The divisor of `scores` that makes held-out labels likeliest (Guo et al. 2017)."""

    def loss(log_divisor: float) -> float:
        scaled = scores.astype(np.float64) / np.exp(log_divisor)
        scaled -= scaled.max(axis=1, keepdims=True)
        own = scaled[np.arange(len(target)), target]
        return float((np.log(np.exp(scaled).sum(axis=1)) - own).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))


def fitted(
    texts: Sequence[str],
    targets: Targets,
    labels: dict[str, tuple[str, ...]],
    *,
    weights: Weights,
    held: npt.NDArray[np.bool_],
    size: int,
    rarest: int = 2,
    strength: float = 32.0,
) -> LinearModel:
    """Train one head for each of `targets` on `texts`.

    `weights` say for each head how much each text counts (texts,); `held` (texts,) marks those that a first fit
    leaves out and the temperature is measured on; `size` is how many features are kept, the most
    telling ones; `rarest` in how many texts a feature must stand.
    """
    features = _features(texts)
    vocabulary, counts = np.unique(features.hashes, return_counts=True)
    vocabulary, counts = vocabulary[counts >= rarest], counts[counts >= rarest]
    for _ in range(2):
        scales = _scales(features, counts)
        matrix = _matrix(features, vocabulary).multiply(scales).tocsr()
        fits = {name: _fit(matrix, target, weights[name], strength) for name, target in targets.items()}
        if len(vocabulary) <= size:
            break
        worth = np.max([np.abs(fit[0]).max(axis=1) for fit in fits.values()], axis=0)
        kept = np.sort(np.argsort(-worth * scales * np.sqrt(counts), kind="stable")[:size])
        vocabulary, counts = vocabulary[kept], counts[kept]
    rest = ~held
    heads, columns, start = {}, [], 0
    for name, target in targets.items():
        part = _fit(matrix[rest], target[rest], weights[name][rest], strength)
        heads[name] = Head(
            name=name, labels=labels[name], bias=fits[name][1], start=start,
            temperature=temperature(matrix[held] @ part[0] + part[1], target[held]),
        )
        columns.append(fits[name][0] * scales[:, None])
        start += len(labels[name])
    return LinearModel(vocabulary, np.hstack(columns).astype(np.float16), heads)

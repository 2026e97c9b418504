"""From texts and labels to a `LinearModel`: logistic regression, pruned, quantized, calibrated."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, hstack  # type: ignore[import-untyped]

from data.linear import Head, LinearModel
from data.ngrams import Grams, grams, mark_hashes

Targets = dict[str, npt.NDArray[np.int64]]
Weights = dict[str, npt.NDArray[np.float64]]

MARKED = 3.0
"""How much more a mark counts than an n-gram: it stands for a whole word."""
LENGTH = 0.1
"""Scale of the column that takes up the length of texts."""
SMOOTHED = 0.3
"""How much of the mean over all labels is added to each label's counts."""
RAREST = 1e-9
"""Mean of a feature that none of the texts has."""


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


def _vocabulary(
    features: Grams,
    cores: Sequence[str],
    marks: npt.NDArray[np.uint32],
    rarest: int,
    size: int,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """The features that at least `rarest` different cores share, and what each is scaled by.

    Variants of one core count once, so that what only one sentence has is not learned by heart.
    Rare features weigh more (inverse document frequency); the scale is folded into the weights.
    """
    places: dict[str, int] = {}
    groups = np.array([places.setdefault(core, len(places)) for core in cores], dtype=np.uint64)
    keys = np.unique((features.hashes.astype(np.uint64) << np.uint64(24)) | groups[features.rows])
    hashes = (keys >> np.uint64(24)).astype(np.uint32)
    vocabulary, counts = np.unique(hashes, return_counts=True)
    kept = np.sort(np.argsort(-counts, kind="stable")[: min(size, int((counts >= rarest).sum()))])
    scales = np.log((1 + len(places)) / counts[kept])
    scales[np.isin(vocabulary[kept], marks)] *= MARKED
    return vocabulary[kept], scales.astype(np.float32)


def _fit(
    matrix: csr_matrix,
    lengths: npt.NDArray[np.float64],
    target: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    strength: float,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Weights (features, labels) and bias (labels,) of one head; texts of weight 0 are left out.

    A column of `lengths` takes up what a text's mere length says in the corpus (spam here runs
    long, questions short) and is then held at its mean: elsewhere lengths mean nothing.
    """
    from sklearn.linear_model import LogisticRegression  # a second that tests seldom need

    own = weights > 0
    joined = hstack((matrix[own], csr_matrix(lengths[own][:, None])), dtype=np.float32).tocsr()
    model = LogisticRegression(C=strength, max_iter=80, tol=2e-3)
    model.fit(joined, target[own], sample_weight=weights[own])
    weight = model.coef_[:, :-1].T.astype(np.float32)
    bias = (model.intercept_ + model.coef_[:, -1] * lengths.mean()).astype(np.float32)
    if weight.shape[1] == 1:  # two labels: scikit-learn gives one column of log-odds
        weight, bias = np.hstack((-weight / 2, weight / 2)), np.concatenate((-bias / 2, bias / 2))
    return weight, bias


def _counted(
    matrix: csr_matrix,
    target: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    labels: int,
) -> npt.NDArray[np.float32]:
    """Weights (features, labels) by counting alone: naive Bayes (Rennie et al. 2003).

    Each label stands against all others, and each feature speaks for itself: what regression left
    to another feature, because here they always stood together, counts where it stands alone.
    Added to the regression's weights the model stays as linear as it was.
    """
    own = csr_matrix((weights, (target, np.arange(len(target)))), shape=(labels, len(target)))
    counts = np.asarray((own @ matrix).todense(), dtype=np.float64)
    mean = np.maximum(np.asarray(matrix.mean(axis=0)), RAREST)
    counts += SMOOTHED * mean * weights.sum() / labels
    others = counts.sum(axis=0, keepdims=True) - counts
    odds = np.log(counts / counts.sum(axis=1, keepdims=True))
    odds -= np.log(others / others.sum(axis=1, keepdims=True))
    result: npt.NDArray[np.float32] = odds.T.astype(np.float32)
    return result


def _learned(
    matrix: csr_matrix,
    lengths: npt.NDArray[np.float64],
    target: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    strength: float,
    share: float,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Regression's weights and bias of one head, with `share` of what counting gives."""
    weight, bias = _fit(matrix, lengths, target, weights, strength)
    if share:
        weight += np.float32(share) * _counted(matrix, target, weights, weight.shape[1])
    return weight, bias


def temperature(
    scores: npt.NDArray[np.float32],
    target: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
) -> float:
    """The divisor of `scores` that makes held-out labels likeliest (Guo et al. 2017)."""
    from scipy.optimize import minimize_scalar  # type: ignore[import-untyped]

    def loss(log_divisor: float) -> float:
        scaled = scores.astype(np.float64) / np.exp(log_divisor)
        scaled -= scaled.max(axis=1, keepdims=True)
        own = scaled[np.arange(len(target)), target]
        return float(np.average(np.log(np.exp(scaled).sum(axis=1)) - own, weights=weights))

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 2.0), method="bounded").x))


def fitted(
    texts: Sequence[str],
    targets: Targets,
    labels: dict[str, tuple[str, ...]],
    *,
    weights: Weights,
    cores: Sequence[str],
    held: npt.NDArray[np.bool_],
    size: int,
    rarest: int = 2,
    strength: float = 8.0,
    strengths: Mapping[str, float] | None = None,
    counted: Mapping[str, float] | None = None,
    calibrated: bool = True,
) -> LinearModel:
    """Train one head for each of `targets` on `texts`.

    `weights` say for each head how much each text counts (texts,); `cores` name what each text
    is a variant of; `held` (texts,) marks those that a second fit leaves out and the temperature
    is measured on, unless not `calibrated`; `size` is how many features are kept at most, the
    commonest; `strengths` name heads that differ from `strength`; `counted` how much of the
    counted weights is added to the regression's, by head (none unless named).
    """
    features = _features(texts)
    vocabulary, scales = _vocabulary(features, cores, mark_hashes(texts), rarest, size)
    matrix = _matrix(features, vocabulary).multiply(scales).tocsr()
    lengths = LENGTH * np.sqrt(features.sizes.astype(np.float64))
    rest = ~held
    own_strength = dict.fromkeys(targets, strength) | dict(strengths or {})
    heads: dict[str, Head] = {}
    columns, start = [], 0
    for name, target in targets.items():
        strong, share = own_strength[name], (counted or {}).get(name, 0.0)
        weight, bias = _learned(matrix, lengths, target, weights[name], strong, share)
        divisor = 1.0
        if calibrated:
            other, offset = _learned(
                matrix[rest], lengths[rest], target[rest], weights[name][rest], strong, share
            )
            divisor = temperature(matrix[held] @ other + offset, target[held], weights[name][held])
        heads[name] = Head(
            name=name,
            labels=labels[name],
            bias=bias,
            start=start,
            temperature=divisor,
        )
        columns.append(weight * scales[:, None])
        start += len(labels[name])
    return LinearModel(vocabulary, np.hstack(columns).astype(np.float16), heads)

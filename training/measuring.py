"""Figures of a classifier: accuracy, macro F1, calibration error, urgency."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Truth = npt.NDArray[np.int64]

URGENT, LOW = 0, 2
"""Places of the outer buckets in the order of `Priority`."""


def accuracy(probabilities: Floats, truth: Truth) -> float:
    """Share of texts whose likeliest label is the true one."""
    return float((probabilities.argmax(axis=1) == truth).mean())


def macro_f1(probabilities: Floats, truth: Truth) -> float:
    """Mean F1 over the labels that occur in `truth`."""
    guess, scores = probabilities.argmax(axis=1), []
    for label in np.unique(truth):
        hits = int(((guess == label) & (truth == label)).sum())
        scores.append(2 * hits / int((guess == label).sum() + (truth == label).sum()))
    return float(np.mean(scores))


def calibration_error(probabilities: Floats, truth: Truth, bins: int = 10) -> float:
    """Expected calibration error: mean gap of confidence and accuracy over equal-width bins."""
    confidence, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    places = np.minimum((confidence * bins).astype(int), bins - 1)
    gap = 0.0
    for place in range(bins):
        own = places == place
        if own.any():
            gap += float(own.mean()) * abs(float(right[own].mean() - confidence[own].mean()))
    return gap


def urgent_recall(probabilities: Floats, truth: Truth) -> float:
    """Share of the urgent texts that are called urgent."""
    own = truth == URGENT
    return float((probabilities[own].argmax(axis=1) == URGENT).mean()) if own.any() else 1.0


def within_one_bucket(probabilities: Floats, truth: Truth) -> float:
    """Share of texts whose priority is at most one step off."""
    return float((np.abs(probabilities.argmax(axis=1) - truth) <= 1).mean())


def confusions(probabilities: Floats, truth: Truth, labels: Sequence[str]) -> list[str]:
    """The commonest mistakes as `true → said: count`, worst first."""
    counts: dict[tuple[int, int], int] = {}
    for own, said in zip(truth.tolist(), probabilities.argmax(axis=1).tolist(), strict=True):
        if own != said:
            counts[own, said] = counts.get((own, said), 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{labels[own]} → {labels[said]}: {count}" for (own, said), count in ranked[:12]]

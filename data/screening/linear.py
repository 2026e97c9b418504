"""The linear half of the classifier of injected instructions: a weight for each hashed n-gram."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.screening.features import extract_features
from data.screening.reading import BatchReading
from data.screening.windows import Windows, windows_of


@dataclass(frozen=True, kw_only=True)
class Linear:
    """Scores the windows of texts by what stands in them, in no order."""

    weights: npt.NDArray[np.float32]
    """Shape (2**BITS,)."""
    bias: float
    """Added to every window's score."""

    def windows(self, reading: BatchReading, count: int) -> Windows:
        """Return the windows of `count` texts that were read."""
        features = extract_features(reading)
        weights = self.weights.take(features.places).astype(np.float64)
        sums = np.bincount(features.owners, weights, features.count).astype(np.float64)
        sizes = np.bincount(features.owners, minlength=features.count).astype(np.float64)
        return windows_of(sums, sizes, features.texts, count, self.bias)

"""The classifier of injected instructions: linear over hashed n-grams, read through windows.

Every sentence has a sum of weights and a number of features; a window of neighbouring sentences has
the sums of both, so all windows of a message cost hardly more than the message. A message is judged
by its most suspicious windows and by its mean, so that a short order in a long mail counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from data.errors import SettingsError
from data.screening_concepts import Concepts
from data.screening_text import BITS, Sentences, sentences

WEIGHTS = Path(__file__).parent / "weights" / "screening.npz"
"""The trained weights."""
FORMAT = 3
"""Version of the file's layout."""
WINDOWS = (1, 2, 3, 5)
"""Sizes of windows in sentences."""
_WIDTHS = np.array(WINDOWS)[:, None]
LONG, LONGEST = 10, 150
"""Sentences from which a text is long, and from which a longer one is no longer."""
LONG_WEIGHT = 0.8
CLUES = len(WINDOWS) + 2
"""What a text's windows tell, see `evidence_of`."""
DAMPING = 12.0
"""Added to a window's number of features, so that two words alone say little."""
FLAG_SCORE = 0.35
"""The score given to a text at the threshold: what a policy flags by default."""
_FLAG = np.log(FLAG_SCORE / (1 - FLAG_SCORE))

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How a text's windows become one score."""

    bias: float
    """Added to every window's score."""
    evidence: npt.NDArray[np.float64]
    """Weight of each of `evidence_of`, then the bias; shape (evidence + 1,)."""
    threshold: float
    """Log-odds that some 0.3 % of the ordinary texts held back in training exceed."""


class ScreeningModel:
    """Loads in milliseconds, deterministic, never fails on any text."""

    def __init__(self, weights: Floats, concepts: Concepts, tuning: Tuning) -> None:
        self.weights = weights
        """Shape (2**BITS,)."""
        self.concepts = concepts
        self.tuning = tuning

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the .npz at `path` without unpickling.

        Raises `SettingsError` when the file is missing or is not such a model.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                stored = {name: file[name] for name in file.files}
            if int(stored["format"]) != FORMAT or int(stored["bits"]) != BITS:
                raise SettingsError(f"The weights {path.name!r} have another format; train anew.")
            weights = np.zeros(2**BITS, dtype=np.float32)
            weights[stored["places"]] = stored["values"].astype(np.float32)
            concepts = Concepts(hashes=stored["concepts"], masks=stored["masks"])
            tuning = Tuning(
                bias=float(stored["bias"]),
                evidence=stored["evidence"],
                threshold=float(stored["threshold"]),
            )
        except (OSError, KeyError, ValueError, IndexError) as error:
            raise SettingsError(
                f"The weights {str(path)!r} cannot be read; reinstall Postern or train anew."
            ) from error
        return cls(weights, concepts, tuning)

    def save(self, path: Path) -> None:
        """Write the model to `path`, the same bytes for the same model."""
        places = np.flatnonzero(self.weights).astype(np.uint32)
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                allow_pickle=False,
                format=np.array(FORMAT),
                bits=np.array(BITS),
                places=places,
                values=self.weights[places].astype(np.float16),
                concepts=self.concepts.hashes,
                masks=self.concepts.masks,
                bias=np.array(self.tuning.bias),
                evidence=self.tuning.evidence,
                threshold=np.array(self.tuning.threshold),
            )

    def scores(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return for each text how much it reads like orders to a machine, 0 to 1.

        `FLAG_SCORE` is what some 0.3 % of the ordinary texts held back in training exceed.
        """
        if not texts:
            return np.zeros(0)
        found = sentences(texts, self.concepts)
        tuning = self.tuning
        clues = self.clues(found, len(texts))
        odds = clues @ tuning.evidence[:-1] + tuning.evidence[-1] - tuning.threshold
        odds -= by_chance(found, len(texts))
        bounded = np.minimum(np.maximum(odds + _FLAG, -30), 30)
        probabilities: npt.NDArray[np.float64] = 1 / (1 + np.exp(-bounded))
        return probabilities

    def clues(self, found: Sentences, count: int) -> npt.NDArray[np.float64]:
        """Return the evidence of each of `count` texts, shape (texts, evidence)."""
        weights = self.weights.take(found.places).astype(np.float64)
        sums = np.bincount(found.owners, weights, found.count).astype(np.float64)
        sizes = np.bincount(found.owners, minlength=found.count).astype(np.float64)
        return evidence_of(sums, sizes, found.texts, count, self.tuning.bias)


def by_chance(found: Sentences, count: int) -> npt.NDArray[np.float64]:
    """Return what long texts are above others because the strongest of many windows counts.

    Training has few texts so long, so this is set and not learned; it is bounded, or an order
    could hide behind a novel.
    """
    lengths = np.bincount(found.texts, minlength=count)
    bounded = np.minimum(np.maximum(lengths, LONG), LONGEST)
    own: npt.NDArray[np.float64] = LONG_WEIGHT * np.log(bounded / LONG)
    return own


def window_scores(
    sums: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64], bias: float
) -> npt.NDArray[np.float64]:
    """Return the log-odds of windows with these sums of weights and numbers of features."""
    scores: npt.NDArray[np.float64] = sums / np.sqrt(sizes + DAMPING) + bias
    return scores


def evidence_of(
    sums: npt.NDArray[np.float64],
    sizes: npt.NDArray[np.float64],
    texts: npt.NDArray[np.int64],
    count: int,
    bias: float,
) -> npt.NDArray[np.float64]:
    """Return each text's clues: strongest window of each size, two strongest sentences, mean.

    Args:
        sums: sum of weights of each sentence.
        sizes: number of features of each sentence.
        texts: which text each sentence is of, rising; every text has one at least.
        count: how many texts there are.
        bias: of a window.

    """
    bounds = np.searchsorted(texts, np.arange(count + 1))
    firsts, lengths = bounds[:-1], bounds[1:] - bounds[:-1]
    places = np.arange(len(texts))
    added = np.zeros((2, len(texts) + 1))
    np.cumsum((sums, sizes), axis=1, out=added[:, 1:])
    after = places + _WIDTHS
    last = np.minimum(after, bounds[1:][texts])
    inside = added[:, last] - added[:, None, :-1]
    scores = window_scores(inside[0], inside[1], bias)
    cut = (after > last) & (places != firsts[texts])  # a whole window has seen more than these
    scores[cut] = -np.inf
    windows = np.maximum.reduceat(scores, firsts, axis=1)
    single = window_scores(sums, sizes, bias)
    ordered = single[np.lexsort((single, texts))]
    strongest = ordered[firsts + lengths - 1]
    second = ordered[firsts + np.maximum(lengths - 2, 0)]
    evidence = np.empty((count, CLUES))
    evidence[:, :-2] = windows.T
    evidence[:, -2] = (strongest + second) / 2
    evidence[:, -1] = np.add.reduceat(single, firsts) / lengths
    return evidence

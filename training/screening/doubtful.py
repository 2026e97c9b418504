"""Attacks that look like ordinary mail to a judge who has not seen them, and what they count.

Some lines of the corpus could be written by one colleague to another; learned at full weight they
make ordinary mail suspicious. So every family is judged by a model that was fitted without it, and
the families that it finds least like attacks hardly count (trimming by held-out loss; compare C. G.
Northcutt et al., "Confident Learning", JAIR 70, 2021).
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

SHARE = 0.3
"""How many families of attacks, in every language, are doubtful."""
WEIGHT = 0.1
"""What they count."""
_FOLDS = 3

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]


def without_doubtful(
    matrix: csr_matrix,
    target: Floats,
    weight: Floats,
    families: Numbers,
    languages: Numbers,
    strength: float,
    plain: npt.NDArray[np.bool_],
) -> Floats:
    """Return the weights of windows, those of doubtful families lowered.

    Args:
        matrix: shape (windows, features).
        target: 1 for a window with an attack, else 0.
        weight: what each counts.
        families: the template of each window.
        languages: the language of each window.
        strength: of the regularization, as `LogisticRegression` has it.
        plain: of families that say to everybody what they are; nobody doubts these.

    """
    odds = _held_out(matrix, target, weight, families % _FOLDS, strength)
    lowered = weight.copy()
    for language in np.unique(languages):
        own = np.flatnonzero((target == 1) & (languages == language))
        if len(own) == 0:
            continue
        known, index = np.unique(families[own], return_inverse=True)
        best = np.full(len(known), -np.inf)
        np.maximum.at(best, index, odds[own])
        doubted = (best[index] < np.quantile(best, SHARE)) & ~plain[own]
        lowered[own[doubted]] *= WEIGHT
    return lowered


def _held_out(
    matrix: csr_matrix, target: Floats, weight: Floats, fold: Numbers, strength: float
) -> Floats:
    """Return the log-odds of each window by a model of the other folds."""
    from sklearn.linear_model import LogisticRegression  # a second that tests seldom need

    odds = np.zeros(len(target))
    for number in range(_FOLDS):
        held = fold == number
        model: Any = LogisticRegression(C=strength, max_iter=100, tol=1e-2, solver="liblinear")
        model.fit(matrix[~held], target[~held], sample_weight=weight[~held])
        odds[held] = model.decision_function(matrix[held])
    return odds

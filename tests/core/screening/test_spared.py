"""The faintest features of a model are left out, so that its file stays small."""

import numpy as np

from data.screening.features import BITS
from data.screening.linear import Linear
from data.screening.model import WEIGHTS, ScreeningModel
from data.screening.packed_weights import round_weights
from training.screening.fitting import MOST_FEATURES, spared


def test_the_faintest_go_and_those_of_one_size_go_together() -> None:
    """Of three sizes the smallest has two features, and one of them would be too many."""
    weights = np.zeros(2**BITS, dtype=np.float32)
    weights[[3, 5, 8, 13, 21]] = [0.01, -0.01, 0.5, -2.0, 1.0]
    own = spared(Linear(weights=round_weights(weights), bias=-1.5), most=4)
    assert np.flatnonzero(own.weights).tolist() == [8, 13, 21]
    assert np.sign(own.weights[[8, 13, 21]]).tolist() == [1, -1, 1]
    assert own.bias == -1.5
    assert np.array_equal(spared(own, most=4).weights, own.weights)


def test_what_ships_has_no_more_than_that() -> None:
    """And what it has is as it was packed."""
    own = ScreeningModel.load(WEIGHTS).linear
    assert 0 < np.count_nonzero(own.weights) <= MOST_FEATURES
    assert np.array_equal(round_weights(own.weights), own.weights)

"""Weights in a byte each: how near they stay, and that packing twice changes nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.screening.packed_weights import pack_weights, round_weights, unpack_weights


def sparse(seed: int, spread: float, share: float) -> np.ndarray:
    """Return weights of both signs, most of them nought."""
    chance = np.random.default_rng(seed)
    weights = chance.normal(0, spread, 4096).astype(np.float32)
    weights[chance.random(4096) > share] = 0
    weights[7] = spread
    return weights


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.01, 100), st.floats(0.01, 1))
def test_weights_stay_near_and_packing_again_changes_nothing(
    seed: int, spread: float, share: float
) -> None:
    """Signs and noughts stay, sizes move by half a step at most, twice is as once."""
    weights = sparse(seed, spread, share)
    once = round_weights(weights)
    assert (np.sign(once) == np.sign(weights)).all()
    there = weights != 0
    sizes = np.abs(weights[there])
    step = (np.log(sizes.max()) - np.log(sizes.min()) + 0.003) / 127
    moved = np.abs(np.log(np.abs(once[there])) - np.log(sizes))
    assert moved.max() <= step / 2 + 0.002
    assert round_weights(once).tobytes() == once.tobytes()
    assert [part.tobytes() for part in pack_weights(once)] == [
        part.tobytes() for part in pack_weights(weights)
    ]


def test_one_weight_alone_is_kept() -> None:
    """Where all sizes are equal there is no spread to part into steps."""
    weights = np.zeros(64, dtype=np.float32)
    weights[3] = -0.5
    assert round_weights(weights)[3] == pytest.approx(-0.5, rel=1e-3)
    assert np.count_nonzero(round_weights(weights)) == 1


def test_parts_that_do_not_belong_together_are_refused() -> None:
    """More places than sizes is no such thing."""
    present, signed, bounds = pack_weights(sparse(1, 1.0, 0.5))
    with pytest.raises(ValueError, match="assign"):
        unpack_weights(present, signed[:-1], bounds)

"""From texts and labels to weights."""

import numpy as np
import pytest

from data.linear import LinearModel
from training.fitting import fitted

TEXTS = [
    *("please refund the charge", "refund my charge", "a refund for this charge"),
    *("the door does not open", "my door will not open", "open door stuck"),
    *("refund seldomword", "door otherword"),
]
TRUTH = np.array([0, 0, 0, 1, 1, 1, 0, 1])


def _learned(share: float, *, calibrated: bool = False) -> LinearModel:
    return fitted(
        TEXTS,
        {"matter": TRUTH},
        {"matter": ("money", "door")},
        weights={"matter": np.ones(len(TEXTS))},
        cores=TEXTS,
        held=np.array([False] * 6 + [True] * 2),
        size=1000,
        rarest=1,
        strength=1.0,
        counted={"matter": share},
        calibrated=calibrated,
    )


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_what_was_learned_is_said(share: float) -> None:
    """With and without counting, each text gets its own label."""
    said = _learned(share).predict(TEXTS)
    assert said.argmax(axis=1).tolist() == TRUTH.tolist()


def test_counting_lets_each_feature_speak() -> None:
    """A word that others always stood beside speaks louder alone when counts are added."""
    without, with_counts = (_learned(share).predict(["charge"])[0, 0] for share in (0.0, 0.2))
    assert with_counts > without > 0.5


def test_features_that_a_fit_never_sees_stay_finite() -> None:
    """Words that only the held texts have do no harm to the fit that leaves those out."""
    model = _learned(0.2, calibrated=True)
    assert np.isfinite(model.weights).all()
    assert np.isfinite(model.heads["matter"].temperature)


def test_the_same_texts_give_the_same_bytes() -> None:
    """Training has no chance in it."""
    assert _learned(0.2).packed() == _learned(0.2).packed()

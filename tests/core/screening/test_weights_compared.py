"""Weights compared with what training gives: the difference is named."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from data.screening.model import WEIGHTS, ScreeningModel
from training.weights_compared import differences

Parts = dict[str, npt.NDArray[np.generic]]
PARTS: Parts = {"bias": np.array(0.5), "places": np.array([1, 2, 3], dtype=np.uint32)}


def kept(path: Path, **parts: npt.NDArray[np.generic]) -> Path:
    """Write parts to a file of weights."""
    np.savez_compressed(path, **parts)  # type: ignore[arg-type]  # none is named as an option
    return path


def test_a_model_that_is_read_and_written_has_the_same_bytes(tmp_path: Path) -> None:
    """The committed weights, read and saved, are the committed weights."""
    ScreeningModel.load(WEIGHTS).save(tmp_path / "again.npz")
    assert differences(WEIGHTS, tmp_path / "again.npz") == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"bias": np.array(0.75)}, "bias: 1 of 1 values differ, by 0.25 at most"),
        (
            {"places": np.array([1, 9, 9], dtype=np.uint32)},
            "places: 2 of 3 values differ",
        ),
        ({"places": np.array([1, 2], dtype=np.uint32)}, "places: of shape (3,), now (2,)"),
        ({"bias": np.array(1)}, "bias: of type float64, now int64"),
        ({"further": np.array(1)}, "further: only in the new file"),
    ],
)
def test_the_part_that_differs_is_named(tmp_path: Path, other: Parts, told: str) -> None:
    """Each kind of difference is said of the part that has it, and of no other."""
    before = kept(tmp_path / "before.npz", **PARTS)
    after = kept(tmp_path / "after.npz", **{**PARTS, **other})
    assert differences(before, after) == [told]


def test_other_bytes_with_equal_parts_are_a_difference(tmp_path: Path) -> None:
    """A file that was packed otherwise is told from one with other values."""
    before = kept(tmp_path / "before.npz", **PARTS)
    np.savez(tmp_path / "after.npz", **PARTS)  # type: ignore[arg-type]  # the same
    found = differences(before, tmp_path / "after.npz")
    assert found == ["every part is equal, and the files' bytes are not"]

"""Arrays are packed small, and come back as they were."""

import zipfile
from io import BytesIO

import numpy as np
import numpy.typing as npt
import pytest

from data.npz import join_gaps, join_octets, pack_npz, split_gaps, split_octets
from data.screening.model import WEIGHTS
from data.weights import LANGUAGE, UNDERSTANDING

ROOM = 6_550_000
"""Octets that all weights may have: they are seven tenths of the package."""


@pytest.mark.parametrize(
    "array",
    [
        np.array(7),
        np.array(["low", "höher"]),
        np.zeros((0, 3), np.float32),
        np.arange(-9, 9, dtype=np.int16).reshape(3, 6),
        np.random.default_rng(5).integers(0, 256, 70_000, dtype=np.uint8),
    ],
)
def test_numpy_reads_what_was_packed(array: npt.NDArray[np.generic]) -> None:
    """Values, types and shapes are the same, and so are the octets when packed again."""
    packed = pack_npz({"wool": array, "hay": np.array([1.5])})
    with np.load(BytesIO(packed), allow_pickle=False) as read:
        assert read.files == ["wool", "hay"]
        assert read["wool"].dtype == array.dtype
        assert read["wool"].shape == array.shape
        assert (read["wool"] == array).all()
    assert pack_npz({"wool": array, "hay": np.array([1.5])}) == packed


def test_any_program_reads_the_archive() -> None:
    """Names, sizes and sums of the ZIP are right."""
    packed = pack_npz({"wool": np.arange(5), "hay": np.arange(9)})
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["wool.npy", "hay.npy"]


def test_what_does_not_repeat_takes_less_room_than_numpy_gives_it() -> None:
    """Small numbers without an order, as weights are, need little more than their entropy."""
    dice = np.random.default_rng(5)
    weights = np.rint(dice.normal(0, 4, 200_000)).astype(np.int8)
    plain = BytesIO()
    np.savez_compressed(plain, allow_pickle=False, weights=weights)
    assert len(pack_npz({"weights": weights})) < 0.95 * len(plain.getvalue())


@pytest.mark.parametrize("kind", [np.uint32, np.uint64])
def test_hashes_come_back_from_their_gaps(kind: type[np.uint32 | np.uint64]) -> None:
    """The smallest and the largest numbers too."""
    largest = np.iinfo(kind).max
    hashes = np.array([0, 1, 255, 256, 70_000, largest - 1, largest], dtype=kind)
    again = join_gaps(split_gaps(hashes), kind)
    assert again.dtype == kind
    assert again.tolist() == hashes.tolist()


def test_octets_of_a_table_come_back() -> None:
    """A table of any shape is split by significance, and joined."""
    table = np.arange(24, dtype=np.uint16).reshape(2, 3, 4) * np.uint16(2_000)
    split = split_octets(table)
    assert split.shape == (2, 2, 3, 4)
    assert (join_octets(split, np.uint16) == table).all()


def test_the_weights_have_the_room_that_they_have() -> None:
    """What is trained anew is rounded and packed as it is now."""
    assert sum(path.stat().st_size for path in (WEIGHTS, UNDERSTANDING, LANGUAGE)) < ROOM

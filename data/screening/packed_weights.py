"""Sparse weights in a byte each: a bit for every place, and a sign with one of 128 sizes.

Sizes are steps of the same ratio between the smallest and the largest, as in logarithmic number
systems: what is rounded away is the same share of every weight.
"""

import numpy as np
import numpy.typing as npt

SIZES = 128
FINEST = 1024
"""Bounds of sizes are multiples of one part of so many, so that packing twice changes nothing."""

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


def pack_weights(weights: Floats) -> tuple[Bytes, Bytes, Floats]:
    """Return which of `weights` are not nought, their sizes and signs, and the bounds of sizes.

    `weights` has a multiple of eight places, and one that is not nought at least.
    """
    own = weights[weights != 0]
    logarithms = np.log(np.abs(own).astype(np.float64))
    lowest = np.floor(logarithms.min() * FINEST + 0.01) / FINEST
    highest = max(np.ceil(logarithms.max() * FINEST - 0.01) / FINEST, lowest + 1 / FINEST)
    bounds = np.array([lowest, highest], dtype=np.float32)
    scale = (SIZES - 1) / float(bounds[1] - bounds[0])
    steps = np.clip(np.rint((logarithms - bounds[0]) * scale), 0, SIZES - 1).astype(np.uint8)
    signed = steps | (np.signbit(own).astype(np.uint8) << np.uint8(7))
    return np.packbits(weights != 0), signed, bounds


def unpack_weights(present: Bytes, signed: Bytes, bounds: Floats) -> Floats:
    """Return what `pack_weights` was given, each weight rounded to its size; shape (places,).

    Raises `ValueError` when the parts do not belong together.
    """
    sizes = np.exp(np.linspace(float(bounds[0]), float(bounds[1]), SIZES)).astype(np.float32)
    table = np.concatenate((sizes, -sizes))
    weights = np.zeros(len(present) * 8, dtype=np.float32)
    weights[np.unpackbits(present).view(bool)] = table[signed]
    return weights


def round_weights(weights: Floats) -> Floats:
    """Return `weights` as they are after they were packed."""
    return unpack_weights(*pack_weights(weights))

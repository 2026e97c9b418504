"""Numbers of many ranges at once."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Spots = npt.NDArray[np.int64]
NumberT = TypeVar("NumberT", np.int64, np.uint64)


def lengths(firsts: npt.NDArray[NumberT], end: int | NumberT) -> npt.NDArray[NumberT]:
    """Return how far it is from each number to the next, and from the last to `end`."""
    lengths_found = np.empty_like(firsts)
    np.subtract(firsts[1:], firsts[:-1], out=lengths_found[:-1])
    lengths_found[-1:] = end - firsts[-1:]
    return lengths_found


def ranges(firsts: Spots, counts: Spots) -> Spots:
    """Return `counts[i]` numbers in a row from `firsts[i]` on, one range behind the other."""
    before = counts.cumsum() - counts
    numbers: Spots = np.arange(int(counts.sum())) + (firsts - before).repeat(counts)
    return numbers

"""Numbers of many ranges at once."""

import numpy as np
import numpy.typing as npt

Spots = npt.NDArray[np.int64]


def ranges(firsts: Spots, counts: Spots) -> Spots:
    """Return `counts[i]` numbers in a row from `firsts[i]` on, one range behind the other."""
    before = counts.cumsum() - counts
    numbers: Spots = np.arange(int(counts.sum())) + (firsts - before).repeat(counts)
    return numbers

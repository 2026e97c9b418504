"""What the screen's encoder reads of a suspected text: its strongest window, and what is around."""

import numpy as np
import numpy.typing as npt

from data.ranges import ranges
from data.screening.encoder import LONGEST_WINDOW, ScreeningEncoder
from data.screening.reading import Reading
from data.screening.tokens import tokens
from data.screening.windows import Windows

FURTHER = 2
"""What the encoder adds to the clues of a text: how it reads the window alone, and with more."""
SUREST = 9.0
"""Log-odds that the encoder's are bounded by."""

Odds = npt.NDArray[np.float64]
Spots = npt.NDArray[np.int64]


def read_again(encoder: ScreeningEncoder, reading: Reading, windows: Windows, texts: Spots) -> Odds:
    """Return the encoder's log-odds of texts, shape (texts, `FURTHER`).

    The first is of the window that the linear model scores highest, the second of as many sentences
    around it as `LONGEST_WINDOW` words hold. A text without words is as harmless as can be.
    """
    own = reading.words
    if own is None:
        return np.full((len(texts), FURTHER), -SUREST)
    begins = own.sentence.searchsorted(np.arange(len(reading.texts) + 1))
    spans: dict[tuple[int, int], int] = {}
    wanted = np.empty((len(texts), FURTHER), dtype=np.int64)
    for row, text in enumerate(texts.tolist()):
        whole = int(windows.bounds[text]), int(windows.bounds[text + 1])
        small = windows.strongest(text)
        large = _grown(small, whole, begins)
        for column, (first, last) in enumerate((small, large)):
            words = int(begins[first]), int(begins[last])
            wanted[row, column] = spans.setdefault(words, len(spans))
    bounds = np.array(list(spans), dtype=np.int64)
    found = np.full(len(bounds), -SUREST)
    sizes = np.minimum(bounds[:, 1] - bounds[:, 0], LONGEST_WINDOW)
    order = np.argsort(sizes, kind="stable")
    order = order[sizes[order] > 0]
    if len(order):
        chosen = ranges(bounds[order, 0], sizes[order])
        found[order] = encoder.scores(tokens(reading, own, chosen), sizes[order])
    odds: Odds = np.clip(found, -SUREST, SUREST)[wanted]
    return odds


def _grown(small: tuple[int, int], whole: tuple[int, int], begins: Spots) -> tuple[int, int]:
    """Return a window with the sentences behind and before it, in turn, that still fit."""
    first, last = small
    while True:
        behind = last < whole[1] and begins[last + 1] - begins[first] <= LONGEST_WINDOW
        last += behind
        before = first > whole[0] and begins[last] - begins[first - 1] <= LONGEST_WINDOW
        first -= before
        if not (behind or before):
            return first, last

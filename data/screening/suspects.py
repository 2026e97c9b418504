"""Windows of a suspected text that the screen's encoder reads: those suspected most."""

import numpy as np
import numpy.typing as npt

from data.ranges import ranges
from data.screening.encoder import LONGEST_WINDOW, ScreeningEncoder
from data.screening.reading import BatchReading, Words
from data.screening.tokens import tokens
from data.screening.windows import Windows

FURTHER = 2
"""What the encoder adds to the clues of a text, one for each window that it reads."""
CONTEXT = 3
"""Sentences of the second window, for an order may be told from a report by what stands beside."""
SUREST = 9.0
"""Log-odds that the encoder's are bounded by."""

Odds = npt.NDArray[np.float64]
Spots = npt.NDArray[np.int64]


def read_again(
    encoder: ScreeningEncoder, reading: BatchReading, windows: Windows, texts: Spots
) -> Odds:
    """Return the encoder's log-odds of texts, shape (texts, `FURTHER`).

    A text without words is as harmless as can be.
    """
    own = reading.words
    if own is None:
        return np.full((len(texts), FURTHER), -SUREST)
    numbers: dict[tuple[int, int], int] = {}
    span_numbers = [
        numbers.setdefault((first, size), len(numbers))
        for first, size in spans_of(own, reading, windows, texts).reshape(-1, 2).tolist()
    ]
    spans = np.array(list(numbers), dtype=np.int64)
    span_scores = np.full(len(spans), -SUREST)
    order = spans[:, 1].argsort(kind="stable")
    order = order[spans[order, 1] > 0]
    if len(order):
        firsts, sizes = spans[order].T
        span_scores[order] = encoder.scores(tokens(reading, own, ranges(firsts, sizes)), sizes)
    bounded = np.minimum(np.maximum(span_scores, -SUREST), SUREST)
    odds: Odds = bounded[span_numbers].reshape(-1, FURTHER)
    return odds


def spans_of(own: Words, reading: BatchReading, windows: Windows, texts: Spots) -> Spots:
    """Return which words the encoder reads of texts: from which on, how many.

    The shape is (texts, `FURTHER`, 2). The first are those of the window that the linear model
    scores highest, the second those of the window of `CONTEXT` sentences that it scores highest; of
    each at most `LONGEST_WINDOW`.
    """
    begins = own.sentence.searchsorted(np.arange(len(reading.texts) + 1))
    bounds = np.array(
        [(windows.strongest(text), windows.strongest(text, CONTEXT)) for text in texts.tolist()]
    )
    spans: Spots = begins[bounds]
    spans[..., 1] = np.minimum(spans[..., 1] - spans[..., 0], LONGEST_WINDOW)
    return spans

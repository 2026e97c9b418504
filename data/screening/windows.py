"""Windows of neighbouring sentences: their scores, what a text's windows tell, the strongest one.

Every sentence has a sum of weights and a number of features; a window has the sums of both, so all
windows of a message cost hardly more than the message. A message is judged by its most suspicious
windows and by its mean, so that a short order in a long mail counts.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Spots = npt.NDArray[np.int64]

WIDTHS = (1, 2, 3, 5)
"""Sizes of windows in sentences."""
CLUES = len(WIDTHS) + 2
"""What a text's windows tell, see `clues_of`."""
DAMPING = 12.0
"""Added to a window's number of features, so that two words alone say little."""
LONG, LONGEST = 10, 150
"""Sentences from which a text is long, and from which a longer one is no longer."""
LONG_WEIGHT = 0.8
_STEPS = np.array(WIDTHS)[:, None]


@dataclass(frozen=True, kw_only=True)
class Windows:
    """All windows of a batch of texts."""

    scores: Doubles
    """Shape (widths, sentences): log-odds of the window that begins with each sentence; what other
    windows of its text have seen whole is minus infinity."""
    bounds: Spots
    """Shape (texts + 1,): the first sentence of each text, and the number of sentences."""

    def strongest(self, text: int, width: int | None = None) -> tuple[int, int]:
        """Return the first sentence of a text's strongest window, and the one behind its last.

        `width`, one of `WIDTHS`, asks among windows of so many sentences; a text that has fewer is
        one window.
        """
        begin, end = int(self.bounds[text]), int(self.bounds[text + 1])
        rows = slice(None) if width is None else [WIDTHS.index(width)]
        row, place = divmod(int(self.scores[rows, begin:end].argmax()), end - begin)
        return begin + place, min(begin + place + (width or WIDTHS[row]), end)


def window_scores(sums: Doubles, sizes: Doubles, bias: float) -> Doubles:
    """Return the log-odds of windows with these sums of weights and numbers of features."""
    scores: Doubles = sums / np.sqrt(sizes + DAMPING) + bias
    return scores


def windows_of(sums: Doubles, sizes: Doubles, texts: Spots, count: int, bias: float) -> Windows:
    """Return the windows of texts.

    Args:
        sums: sum of weights of each sentence.
        sizes: number of features of each sentence.
        texts: which text each sentence is of, rising; every text has one at least.
        count: how many texts there are.
        bias: of a window.

    """
    bounds = texts.searchsorted(np.arange(count + 1))
    places = np.arange(len(texts))
    added = np.zeros((2, len(texts) + 1))
    sums.cumsum(out=added[0, 1:])
    sizes.cumsum(out=added[1, 1:])
    after = places + _STEPS
    last = np.minimum(after, bounds[1:][texts])
    inside = added[:, last] - added[:, None, :-1]
    scores = window_scores(inside[0], inside[1], bias)
    cut = (after > last) & (places != bounds[:-1][texts])  # a whole window has seen more than these
    scores[cut] = -np.inf
    return Windows(scores=scores, bounds=bounds)


def clues_of(windows: Windows, texts: Spots) -> Doubles:
    """Return each text's clues: strongest window of each size, two strongest sentences, mean.

    `texts` is which text each sentence is of; the shape is (texts, `CLUES`).
    """
    firsts, lengths = windows.bounds[:-1], windows.bounds[1:] - windows.bounds[:-1]
    single = windows.scores[0]
    ordered = single[np.lexsort((single, texts))]
    strongest = ordered[firsts + lengths - 1]
    second = ordered[firsts + np.maximum(lengths - 2, 0)]
    clues = np.empty((len(firsts), CLUES))
    clues[:, :-2] = np.maximum.reduceat(windows.scores, firsts, axis=1).T
    clues[:, -2] = (strongest + second) / 2
    clues[:, -1] = np.add.reduceat(single, firsts) / lengths
    return clues


def by_chance(windows: Windows) -> Doubles:
    """Return what long texts are above others because the strongest of many windows counts.

    Training has few texts so long, so this is set and not learned; it is bounded, or an order
    could hide behind a novel.
    """
    bounded = np.minimum(np.maximum(windows.bounds[1:] - windows.bounds[:-1], LONG), LONGEST)
    own: Doubles = LONG_WEIGHT * np.log(bounded / LONG)
    return own

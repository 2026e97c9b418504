"""What the screen's encoder learns from: windows of messages as words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from data.ranges import ranges
from data.screening.concepts import Concepts
from data.screening.encoder import LONGEST_WINDOW
from data.screening.linear import Linear
from data.screening.reading import BatchReading, read
from data.screening.suspects import FURTHER, spans_of
from data.screening.tokens import Tokens, tokens
from training.screening.messages import Sample

BATCH = 64
"""Windows learned from at once."""
SORTED = 50
"""Batches among which windows of like length are put together."""
FOUND_SHARE = 0.4
"""How many of the windows found in messages are learned from in an epoch."""
WHOLE_WEIGHT = 3.0
"""What windows of whole mails count, beside 1 of those of other messages: they are most like what
comes. `docs/screening-experiments.md` has what a weight of four brought."""
_TOGETHER = 500
"""Messages read at once."""

Spots = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """Windows to learn from; each is a few words in a row of `tokens`."""

    tokens: Tokens
    first: Spots
    """Shape (windows,): the first word of each."""
    sizes: Spots
    """How many words each has, at most `LONGEST_WINDOW`."""
    attack: npt.NDArray[np.bool_]
    weight: npt.NDArray[np.float32]
    """What each counts where it is learned from."""
    share: npt.NDArray[np.float32]
    """With what chance each is in an epoch, 0 to 1."""
    sort: Spots
    """Which of `sorts` each is of: the technique of an attack, or what ordinary text is."""
    sorts: int
    found: npt.NDArray[np.bool_]
    """Whether it is a window that the linear model found in a message."""


class _Gathered:
    """Windows while they are gathered, the same words once."""

    def __init__(self) -> None:
        self.tokens: list[Tokens] = []
        self.messages: list[tuple[Sample, bool]] = []
        """The message of each, and whether it was found there."""
        self._said: set[bytes] = set()

    def add(
        self, reading: BatchReading, spans: Spots, samples: Sequence[Sample], found: bool
    ) -> None:
        """Add windows of messages: from which word on, how many; shape (messages, 2)."""
        own = reading.words
        if own is None:
            return
        for (first, size), one in zip(spans.tolist(), samples, strict=True):
            said = own.rows[0][first : first + size].tobytes()
            if size > 1 and said not in self._said:
                self._said.add(said)
                self.tokens.append(tokens(reading, own, np.arange(first, first + size)))
                self.messages.append((one, found))


def corpus_of(samples: Sequence[Sample], linear: Linear, concepts: Concepts) -> Corpus:
    """Return what every message was made around, and what is read of it as it stands there.

    The encoder will see windows that the linear model chooses, with words of what is around an
    attack, or without some of the attack's; so it learns from such windows besides, those that
    `linear` chooses.
    """
    gathered = _Gathered()
    for at in range(0, len(samples), _TOGETHER):
        some = samples[at : at + _TOGETHER]
        hearts = read([one.heart.text for one in some], concepts)
        wholes = _words_of(hearts, len(some))
        wholes[:, 1] = np.minimum(wholes[:, 1], LONGEST_WINDOW)
        gathered.add(hearts, wholes, some, found=False)
        whole = read([one.text for one in some], concepts)
        if whole.words is None:
            continue
        windows = linear.windows(whole, len(some))
        spans = spans_of(whole.words, whole, windows, np.arange(len(some)))
        spans[_beside(spans, hearts, whole, some)] = 0
        for chosen in range(FURTHER):
            gathered.add(whole, spans[:, chosen], some, found=True)
    sizes = np.array([len(own.words) for own in gathered.tokens])
    sort = [f"{one.attack} {one.technique}" for one, _ in gathered.messages]
    sorts, numbers = np.unique(sort, return_inverse=True)
    return Corpus(
        tokens=joined(gathered.tokens),
        first=np.cumsum(sizes) - sizes,
        sizes=sizes,
        attack=np.array([one.attack for one, _ in gathered.messages]),
        weight=np.array(
            [WHOLE_WEIGHT if one.whole else 1.0 for one, _ in gathered.messages], dtype=np.float32
        ),
        share=np.array(
            [one.weight * (FOUND_SHARE if found else 1.0) for one, found in gathered.messages],
            dtype=np.float32,
        ),
        sort=numbers,
        sorts=len(sorts),
        found=np.array([found for _, found in gathered.messages]),
    )


def _words_of(reading: BatchReading, count: int) -> Spots:
    """Return the words of `count` texts: from which on, how many; shape (texts, 2)."""
    if reading.words is None:
        return np.zeros((count, 2), dtype=np.int64)
    owners = reading.texts[reading.words.sentence]
    bounds = owners.searchsorted(np.arange(count + 1))
    return np.stack((bounds[:-1], np.diff(bounds)), axis=1)


def _beside(
    spans: Spots, hearts: BatchReading, whole: BatchReading, samples: Sequence[Sample]
) -> Flags:
    """Return which windows of attacks hold no word of the attack; shape (messages, `FURTHER`).

    Ordinary words that the linear model suspected more must not be learned as an attack.
    """
    beside = np.zeros(spans.shape[:2], dtype=np.bool_)
    if hearts.words is None or whole.words is None:
        return beside
    said, words = hearts.words.rows[0], whole.words.rows[0]
    own, texts = _words_of(hearts, len(samples)), _words_of(whole, len(samples))
    for row, one in enumerate(samples):
        if not one.attack:
            continue
        heart = said[own[row, 0] : own[row].sum()].tobytes()
        at = words[texts[row, 0] : texts[row].sum()].tobytes().find(heart)
        if at >= 0:
            first = texts[row, 0] + at // words.itemsize
            last = first + own[row, 1]
            beside[row] = (spans[row, :, 0] >= last) | (spans[row].sum(axis=1) <= first)
    return beside


def joined(parts: Sequence[Tokens]) -> Tokens:
    """Return the words of all parts, one behind the other."""
    offsets = np.cumsum([0, *(len(part.grams) for part in parts[:-1])])
    firsts = [part.firsts + offset for part, offset in zip(parts, offsets, strict=True)]
    return Tokens(
        words=np.concatenate([part.words for part in parts]),
        grams=np.concatenate([part.grams for part in parts]),
        firsts=np.concatenate(firsts),
        kinds=np.concatenate([part.kinds for part in parts]),
        before=np.concatenate([part.before for part in parts]),
        behind=np.concatenate([part.behind for part in parts]),
        quoted=np.concatenate([part.quoted for part in parts]),
    )


def some_of(own: Tokens, chosen: Spots) -> Tokens:
    """Return the words `chosen` by their numbers, in that order."""
    behind = np.minimum(chosen + 1, len(own.firsts) - 1)  # at each batch, so not of all words
    ends = np.where(chosen + 1 < len(own.firsts), own.firsts[behind], len(own.grams))
    counts = ends - own.firsts[chosen]
    return Tokens(
        words=own.words[chosen],
        grams=own.grams[ranges(own.firsts[chosen], counts)],
        firsts=np.cumsum(counts) - counts,
        kinds=own.kinds[chosen],
        before=own.before[chosen],
        behind=own.behind[chosen],
        quoted=own.quoted[chosen],
    )


def batches(own: Corpus, chance: np.random.Generator) -> Iterator[Spots]:
    """Yield the windows of one epoch, those of like length together, in an order of chance.

    An epoch has each with the chance of its `share`: what counts little in training costs little.
    """
    order = chance.permutation(len(own.sizes))
    order = order[chance.random(len(order)) < own.share[order]]
    batched = []
    for at in range(0, len(order), BATCH * SORTED):
        some = order[at : at + BATCH * SORTED]
        some = some[np.argsort(own.sizes[some], kind="stable")]
        batched += [some[begin : begin + BATCH] for begin in range(0, len(some), BATCH)]
    for place in chance.permutation(len(batched)):
        yield batched[place]

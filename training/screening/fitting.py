"""From messages with known attacks to a `ScreeningModel`: logistic regression over windows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import yaml
from scipy.sparse import csr_matrix, vstack  # type: ignore[import-untyped]

from data.lexicons.screen import learned_lexicon
from data.ranges import ranges
from data.screening.concepts import Concepts, concepts_from
from data.screening.features import BITS, sentences
from data.screening.linear import Linear
from data.screening.model import Judge, Tuning
from data.screening.packed_weights import round_weights
from data.screening.windows import CLUES, DAMPING
from training.screening.doubtful import without_doubtful
from training.screening.families import LANGUAGES, plain
from training.screening.grammar import CORPUS
from training.screening.messages import Sample

RAREST = 2
"""A feature is kept when at least so many templates have it, so that none is learned by heart."""
STRENGTH = 0.3
FAINT = 0.38
"""How many of the features, those of the smallest weights, are left out of the model."""
ATTACK_SHARE = 0.3
"""What the windows of attacks weigh together, against one of ordinary text."""
WIDTHS = (1, 2, 3)
"""Windows that are learned from, in sentences."""
MOST_QUIET = 5
"""Windows without attack taken from one message."""
NEIGHBOUR_WEIGHT = 0.6
"""What a window counts that holds a sentence beside the attack."""
PIECE_WEIGHT = 0.3
"""What a window counts that holds two thirds of a long attack."""
MOST_FEATURES = 1_500_000
"""So many are kept of the larger model, or its file would be larger than 5 MB."""
FALSE_POSITIVES = 0.0072
"""Of ordinary messages held back at the threshold. A model of fewer families knows less ordinary
text: on families unknown to the whole model it is about half of that."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The sentences of many messages."""

    matrix: csr_matrix
    """Counts of features, shape (sentences, 2**BITS)."""
    sizes: Floats
    attack: npt.NDArray[np.bool_]
    families: npt.NDArray[np.int64]
    messages: npt.NDArray[np.int64]
    """Which message each sentence is of, rising."""
    weights: Floats
    """What the message of each sentence counts."""
    languages: npt.NDArray[np.int64]
    """In which language it is, as a number."""
    plain: npt.NDArray[np.bool_]
    """Whether it is of a family that says to everybody what it is."""


@cache
def concepts() -> Concepts:
    """Return the kinds of words that the model knows."""
    own = yaml.load((CORPUS / "concepts.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    return concepts_from((learned_lexicon(), own))


def cut(samples: Sequence[Sample]) -> Cut:
    """Cut messages to sentences that know whether they belong to an attack."""
    parts = [(number, part) for number, one in enumerate(samples) for part in one.parts]
    known: dict[str, int] = {}
    matrices, sizes, owners = [], [], []
    for at in range(0, len(parts), 500):
        found = sentences([part.text for _, part in parts[at : at + 500]], concepts())
        shape = (found.count, 2**BITS)
        ones = np.ones(len(found.places), dtype=np.float32)
        matrices.append(csr_matrix((ones, (found.owners, found.places)), shape=shape))
        sizes.append(np.bincount(found.owners, minlength=found.count).astype(np.float64))
        owners.append(found.texts + at)
    owner = np.concatenate(owners)
    families = np.array([known.setdefault(part.family, len(known)) for _, part in parts])
    return Cut(
        matrix=vstack(matrices).tocsr(),
        sizes=np.concatenate(sizes),
        attack=np.array([part.attack for _, part in parts])[owner],
        families=families[owner],
        messages=np.array([number for number, _ in parts])[owner],
        weights=np.array([samples[number].weight for number, _ in parts])[owner],
        languages=np.array([LANGUAGES.index(samples[number].language) for number, _ in parts])[
            owner
        ],
        plain=np.array([part.family in plain(samples[number].language) for number, part in parts])[
            owner
        ],
    )


def _around(first: int, last: int, begin: int, end: int) -> list[tuple[int, int, float, float]]:
    """Return windows with the attack of sentences `first` to `last`, and with its neighbours."""
    rows = [(first, last, 1.0, 1.0)]
    if first > begin:
        rows.append((first - 1, last, 1.0, NEIGHBOUR_WEIGHT))
    if last < end:
        rows.append((first, last + 1, 1.0, NEIGHBOUR_WEIGHT))
    width = (last - first) * 2 // 3
    if width >= 3:
        rows += [
            (at, at + width, 1.0, PIECE_WEIGHT) for at in range(first, last - width + 1, width // 2)
        ]
    return rows


def kept_places(written: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Return the features that enough written lines share, and what each is scaled by (rarity)."""
    found = sentences(written, concepts())
    keys = np.unique((found.texts[found.owners] << BITS) | found.places)
    seen = np.bincount(keys & (2**BITS - 1), minlength=2**BITS)
    places = np.flatnonzero(seen >= RAREST)
    return places, np.log((1 + len(written)) / seen[places]).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Windows:
    """Windows of sentences to learn from."""

    spans: npt.NDArray[np.int64]
    """Shape (windows, 2): first sentence, and the one after the last."""
    target: Floats
    """Whether each is an attack."""
    weight: Floats
    """How much each counts."""
    families: npt.NDArray[np.int64]
    """The template of each; of one with an attack, the attack's."""
    languages: npt.NDArray[np.int64]
    """In which language each is, as a number."""
    plain: npt.NDArray[np.bool_]
    """Whether each is of a family that says to everybody what it is."""

    def over(self, sentences: int) -> csr_matrix:
        """Return which sentences each window has, shape (windows, sentences)."""
        counts = self.spans[:, 1] - self.spans[:, 0]
        spots = ranges(self.spans[:, 0], counts)
        numbers = np.repeat(np.arange(len(counts)), counts)
        ones = np.ones(len(spots), np.float32)
        return csr_matrix((ones, (numbers, spots)), shape=(len(counts), sentences))


def windows(own: Cut, chance: np.random.Generator) -> Windows:
    """Return windows of every message: around its attack, and apart from it.

    A window with only a piece of an attack says little, for the piece may be the ordinary question
    that the attack asks; so only windows with most of it are taken.
    """
    rows: list[tuple[int, int, float, float]] = []
    ends = np.flatnonzero(np.diff(own.messages, append=-1)) + 1
    begin = 0
    for end in ends.tolist():
        loud = np.flatnonzero(own.attack[begin:end]) + begin
        quiet = [
            (first, min(first + width, end), 0.0, float(own.weights[first]))
            for width in WIDTHS
            for first in range(begin, max(begin + 1, end - width + 1))
            if not own.attack[first : min(first + width, end)].any()
        ]
        if len(quiet) > MOST_QUIET:
            picked = chance.choice(len(quiet), MOST_QUIET, replace=False)
            quiet = [quiet[place] for place in picked]
        rows += quiet
        if len(loud):
            rows += _around(int(loud[0]), int(loud[-1]) + 1, begin, end)
        begin = end
    target = np.array([row[2] for row in rows])
    weight = np.array([row[3] for row in rows])
    spans = np.array([row[:2] for row in rows], dtype=np.int64)
    hearts = [first + int(np.argmax(own.attack[first:last])) for first, last in spans.tolist()]
    languages = own.languages[spans[:, 0]]
    return Windows(
        spans=spans,
        target=target,
        weight=balanced(weight, target == 1, languages),
        families=own.families[hearts],
        languages=languages,
        plain=own.plain[hearts],
    )


def balanced(
    weight: Floats, attack: npt.NDArray[np.bool_], languages: npt.NDArray[np.int64]
) -> Floats:
    """Return weights with which no language by itself speaks for an attack.

    In every language attacks weigh the same share of what ordinary text weighs.
    """
    found = weight.copy()
    for language in np.unique(languages):
        loud = attack & (languages == language)
        quiet = ~attack & (languages == language)
        if loud.any() and quiet.any():
            found[loud] *= ATTACK_SHARE * weight[quiet].sum() / weight[loud].sum()
    return found


def fitted(samples: Sequence[Sample], written: Sequence[str]) -> Linear:
    """Return the linear model of windows.

    `written` are the lines that the messages are made from: a feature counts by how many have it.
    """
    from sklearn.linear_model import LogisticRegression  # a second that tests seldom need

    own = cut(samples)
    places, scales = kept_places(written)
    seen = windows(own, np.random.default_rng(20_260_302))
    which = seen.over(len(own.sizes))
    matrix = which @ own.matrix[:, places].multiply(scales).tocsr()
    sizes = which @ own.sizes
    matrix = matrix.multiply(1 / np.sqrt(sizes + DAMPING)[:, None]).tocsr()
    del own, which  # some gigabytes
    weight = without_doubtful(
        matrix, seen.target, seen.weight, seen.families, seen.languages, STRENGTH, seen.plain
    )
    model = LogisticRegression(C=STRENGTH, max_iter=300, tol=1e-3, solver="liblinear")
    model.fit(matrix, seen.target, sample_weight=weight)
    found = model.coef_[0] * scales
    found[np.abs(found) < np.quantile(np.abs(found), FAINT)] = 0
    weights = np.zeros(2**BITS, dtype=np.float32)
    weights[places] = found
    return Linear(weights=round_weights(weights), bias=float(model.intercept_[0]))


def spared(linear: Linear, most: int = MOST_FEATURES) -> Linear:
    """Return the model without its faintest features: at most `most`, all of one size or none."""
    sizes, counts = np.unique(np.abs(linear.weights[linear.weights != 0]), return_counts=True)
    kept = sizes[counts[::-1].cumsum()[::-1] <= most]
    weights = np.where(np.abs(linear.weights) < kept[0], np.float32(0), linear.weights)
    return Linear(weights=round_weights(weights), bias=linear.bias)


def untuned() -> Tuning:
    """Return a tuning that says nothing yet."""
    nothing = Judge(evidence=np.zeros(CLUES + 1), threshold=0.0)
    return Tuning(counted=nothing, both=nothing)


def judge_of(clues: Floats, chance: Floats, attack: npt.NDArray[np.bool_]) -> Judge:
    """Learn how clues add up, and where the threshold lies.

    Args:
        clues: of messages whose families the model that gave them never saw.
        chance: what is taken from each for its length.
        attack: whether each is one.

    """
    from sklearn.linear_model import LogisticRegression  # as above

    judge = LogisticRegression(C=0.3, max_iter=800, class_weight="balanced")
    judge.fit(clues, attack)
    evidence = np.append(judge.coef_[0], judge.intercept_[0]).astype(np.float64)
    odds = clues @ evidence[:-1] + evidence[-1] - chance
    threshold = float(np.quantile(odds[~attack], 1 - FALSE_POSITIVES))
    return Judge(evidence=evidence, threshold=threshold)

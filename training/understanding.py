"""Train the classifier: `python -m training.understanding [--check]`.

Without an option it writes `data/weights/understanding.npz` and `data/weights/language.npz`; with
`--check` it fails unless the committed weights answer as the corpus would have them. Either way it
prints the figures on the test half.
"""

import argparse
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from data.linear import LinearModel
from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from data.weights import LANGUAGE, UNDERSTANDING
from training import measuring
from training.compose import Message, messages, varied
from training.fitting import Targets, fitted
from training.gists import Gist, gists
from training.language import PARTS as LANGUAGE_PARTS
from training.language import trained_language
from training.mails import FOLDS, fold, mails

Floats = npt.NDArray[np.float32]

LABELS: dict[str, type[StrEnum]] = {
    "category": Category,
    "priority": Priority,
    "sentiment": Sentiment,
    "intent": IntentKind,
}
SIZE = 80_000
"""Features kept."""
PARTS = 136
"""Parts of one that weights are rounded to: with coarser ones single answers change."""
GIST = {"category": 1.5, "priority": 0.7, "sentiment": 1.5, "intent": 0.7}
"""How much a string of phrases counts beside a message, by head."""
COMMON = {Category.SUPPORT: 1.25, Category.OTHER: 1.4}
"""Categories that stand for more than one kind of mail and therefore count more."""
STRENGTH = {"category": 1.0, "priority": 2.0, "sentiment": 2.0, "intent": 2.0}
"""How far each head may lean on single features (inverse of the regularization)."""
COUNTED = {"category": 0.12, "priority": 0.07, "intent": 0.1}
"""How much of the weights that counting gives is added to each head's."""
LITERAL = 3.0
"""How much a whole literal message, and each variant of it, counts beside a composed one."""
VARIANTS = 2
"""Variants made of each literal message."""
TOLERANCE = 0.02
"""How far probabilities may differ between machines and still count as the same model."""


def document(text: str, subject: str) -> str:
    """What the model reads of a message; `tasks.mail.classify` joins them in the same way."""
    return f"{subject}\n{text}" if subject else text


def targets(items: Sequence[Message | Gist]) -> Targets:
    """The true labels of `items` as places in each head's list, shape (items,)."""
    return {
        name: np.array([list(kind).index(getattr(item.labels, name)) for item in items])
        for name, kind in LABELS.items()
    }


def _weights(items: Sequence[Message]) -> npt.NDArray[np.float64]:
    """Categories count alike, and so do a language's messages within a category, nearly."""
    counts: dict[tuple[str, str], int] = {}
    for item in items:
        key = (item.labels.category.value, item.language)
        counts[key] = counts.get(key, 0) + 1
    totals: dict[str, float] = {}
    for (category, _), count in counts.items():
        totals[category] = totals.get(category, 0) + count**0.85
    mean = len(items) / len(totals)
    return np.array(
        [
            mean
            / totals[item.labels.category.value]
            * COMMON.get(item.labels.category, 1.0)
            * counts[item.labels.category.value, item.language] ** -0.15
            for item in items
        ]
    )


def _held(item: Message | Gist) -> bool:
    """Whether an item is left out of the fit that calibration is measured on."""
    if isinstance(item, Gist):
        return False
    if item.family.startswith("trade/"):
        return fold(item) == 0
    return zlib.crc32(item.family.encode()) % 6 == 0


def _kin(item: Message, others: Sequence[Message]) -> list[Message]:
    """Those of `others` that are labelled as `item` is, in its language."""
    return [
        other
        for other in others
        if other is not item and other.labels == item.labels and other.language == item.language
    ]


def trained(without: int | None = None, heads: Sequence[str] = tuple(LABELS)) -> LinearModel:
    """The model that the train half, the literal messages and the lexicons give.

    `without` leaves out the trades of one fold, to measure on them; calibration then uses another.
    """
    literal = [item for item in mails() if fold(item) != without]
    whole = [own for item in literal for own in varied(item, VARIANTS, _kin(item, literal))]
    written, strung = [*messages("train"), *whole], list(gists())
    items: list[Message | Gist] = [*written, *strung]
    usual = _weights(written) * np.array(
        [LITERAL if item.family.startswith("trade/") else 1.0 for item in written]
    )
    return fitted(
        [document(item.text, item.subject) for item in written] + [item.text for item in strung],
        {name: target for name, target in targets(items).items() if name in heads},
        {name: tuple(label.value for label in kind) for name, kind in LABELS.items()},
        weights={
            name: np.concatenate((usual, [GIST[name] * (name in item.certain) for item in strung]))
            for name in LABELS
        },
        cores=[item.core for item in items],
        held=np.array([_held(item) for item in items]),
        size=SIZE,
        strengths=STRENGTH,
        counted=COUNTED,
        calibrated=without is None,
    )


def crossed(heads: Sequence[str] = tuple(LABELS)) -> tuple[list[Message], dict[str, Floats]]:
    """The literal messages and what models say of them that never saw their trades.

    The temperatures are those of the shipped weights.
    """
    items: list[Message] = []
    said: dict[str, list[Floats]] = {name: [] for name in heads}
    models = [trained(number, heads) for number in range(FOLDS)]
    shipped = LinearModel.load(UNDERSTANDING)
    for number, model in enumerate(models):
        own = [item for item in mails() if fold(item) == number]
        for name, head in model.heads.items():
            model.heads[name] = replace(head, temperature=shipped.heads[name].temperature)
        found = model.predict_all([document(item.text, item.subject) for item in own])
        items += own
        for name in heads:
            said[name].append(found[name])
    return items, {name: np.concatenate(parts) for name, parts in said.items()}


def figures(model: LinearModel, items: Sequence[Message]) -> dict[str, float]:
    """Accuracy, macro F1 and calibration error by head, urgent recall and within-one-bucket."""
    truth = targets(items)
    said = model.predict_all([document(item.text, item.subject) for item in items])
    found = {}
    for name in LABELS:
        found[f"{name}_accuracy"] = measuring.accuracy(said[name], truth[name])
        found[f"{name}_f1"] = measuring.macro_f1(said[name], truth[name])
        found[f"{name}_ece"] = measuring.calibration_error(said[name], truth[name])
    found["urgent_recall"] = measuring.urgent_recall(said["priority"], truth["priority"])
    found["priority_within_one"] = measuring.within_one_bucket(said["priority"], truth["priority"])
    return found


def report(model: LinearModel) -> None:
    """Print the figures on the test half, overall and by language."""
    items = list(messages("test"))
    groups = {"all": items} | {
        language: [item for item in items if item.language == language]
        for language in sorted({item.language for item in items})
    }
    names = list(figures(model, items[:50]))
    print(f"{'':<22}" + "".join(f"{group:>8}" for group in groups))
    print(f"{'messages':<22}" + "".join(f"{len(own):>8}" for own in groups.values()))
    columns = [figures(model, own) for own in groups.values()]
    for name in names:
        print(f"{name:<22}" + "".join(f"{column[name]:>8.3f}" for column in columns))
    said = model.predict_all([document(item.text, item.subject) for item in items])
    for name, kind in LABELS.items():
        worst = measuring.confusions(said[name], targets(items)[name], list(kind))
        print(f"{name}: " + "; ".join(worst[:8]))


def differing(one: LinearModel, other: LinearModel) -> list[str]:
    """The heads whose probabilities on the test half differ by more than the tolerance."""
    texts = [document(item.text, item.subject) for item in messages("test")]
    first, second = one.predict_all(texts), other.predict_all(texts)
    return [
        name
        for name in first
        if name not in second
        or first[name].shape != second[name].shape
        or float(np.abs(first[name] - second[name]).max()) > TOLERANCE
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write, or train and compare; the exit code is 1 when the weights are stale."""
    parser = argparse.ArgumentParser(prog="python -m training.understanding")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(arguments).check
    stale = []
    kept = ((UNDERSTANDING, trained, PARTS), (LANGUAGE, trained_language, LANGUAGE_PARTS))
    for path, train, parts in kept:
        model = train()
        if check:
            stale += [f"{path.name}: {name}" for name in differing(LinearModel.load(path), model)]
        else:
            model.save(path, parts)
            print(
                f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(model.vocabulary)} features"
            )
    report(LinearModel.load(UNDERSTANDING))
    if stale:
        print(f"stale: {', '.join(stale)}; run python -m training.understanding")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

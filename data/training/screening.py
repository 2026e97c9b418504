"""Train the screen's classifier: `python -m data.training.screening [--check]`.

Without an option it writes `data/weights/screening.npz`; with `--check` it fails unless training
gives the committed weights byte for byte, and says which part differs and whether answers do.
Either way it prints figures on the test half.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from data.screening_model import FLAG_SCORE, WEIGHTS, ScreeningModel
from data.training.screening_corpus import Sample, samples
from data.training.screening_families import Fold, Half, raw_lines
from data.training.screening_fitting import clues_of, fitted, tuned
from data.training.screening_heaps import scrambled
from data.training.screening_wordless import wordless
from data.training.weights_compared import differences

TOLERANCE = 0.05
"""How far scores may differ between machines and still count as the same model."""


def trained() -> ScreeningModel:
    """Return the model that the train half gives.

    Clues are weighed with a model that has not seen the families they are measured on: those of a
    third of the train half, as somebody wrote them, without what grew from grammars.
    """
    held = [one for one in samples("train", Fold(number=0, held=True)) if one.weight == 1]
    others = Fold(number=0, held=False)
    model = fitted(_learned(others), list(raw_lines("train", others)))
    clues, chance = clues_of(model, held)
    attack = np.array([one.attack for one in held])
    model = fitted(_learned(None), list(raw_lines("train")))
    tuning = tuned(model.tuning.bias, clues, chance, attack)
    return ScreeningModel(model.weights, model.concepts, tuning)


def _learned(fold: Fold | None) -> list[Sample]:
    return [*samples("train", fold), *scrambled("train", fold), *wordless("train", fold)]


def scored(model: ScreeningModel, items: Sequence[Sample]) -> npt.NDArray[np.float64]:
    """Return the score of each message."""
    texts = [one.text for one in items]
    return np.concatenate(
        [model.scores(texts[at : at + 200]) for at in range(0, len(texts), 200)] or [np.zeros(0)]
    )


def recall(scores: npt.NDArray[np.float64], items: Sequence[Sample]) -> tuple[float, float]:
    """Return (the score that 1 % of the ordinary messages exceed, share of attacks above it)."""
    attack = np.array([one.attack for one in items])
    limit = float(np.quantile(scores[~attack], 0.99))
    return limit, float((scores[attack] > limit).mean())


def report(model: ScreeningModel, half: Half = "test") -> None:
    """Print recall at 1 % false positives by technique and language, and what passes."""
    items = list(samples(half))
    scores = scored(model, items)
    limit, share = recall(scores, items)
    print(
        f"{half} half: {len(items)} messages;"
        f" recall {share:.3f} at 1 % false positives ({limit:.2f})"
    )
    groups: dict[str, list[float]] = defaultdict(list)
    for one, score in zip(items, scores.tolist(), strict=True):
        if one.attack:
            groups[f"attack {one.technique}"].append(score > limit)
            groups[f"attack in {one.language}"].append(score > limit)
        else:
            groups[f"passes {one.technique}"].append(score < FLAG_SCORE)
            groups[f"passes in {one.language}"].append(score < FLAG_SCORE)
            groups["passes, all hard" if one.hard else "passes, all other"].append(
                score < FLAG_SCORE
            )
    for name, own in sorted(groups.items()):
        print(f"{name:32} {len(own):5} {np.mean(own):6.3f}")


def _same(model: ScreeningModel) -> bool:
    """Whether `model` is, byte for byte, the committed one; prints what differs."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / WEIGHTS.name
        model.save(path)
        found = differences(WEIGHTS, path)
    if not found:
        print(f"{WEIGHTS.name}: byte for byte what training gives")
        return True
    items = list(samples("test"))
    gap = np.abs(scored(ScreeningModel.load(WEIGHTS), items) - scored(model, items))
    told = "other" if float(np.quantile(gap, 0.99)) > TOLERANCE else "the same"
    print(f"{WEIGHTS.name} is not what training gives; its answers are {told}:")
    print("\n".join(found))
    return False


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write, or train and compare; the exit code is 1 when the weights are stale."""
    parser = argparse.ArgumentParser(prog="python -m data.training.screening")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    given = parser.parse_args(arguments)
    check = given.check
    model = trained()
    if check:
        stale = not _same(model)
    else:
        model.save(WEIGHTS)
        print(
            f"{WEIGHTS.name}: {WEIGHTS.stat().st_size / 1e6:.2f} MB,"
            f" {np.count_nonzero(model.weights)} features"
        )
        stale = False
    report(ScreeningModel.load(WEIGHTS))
    if stale:
        print("stale: screening.npz; run python -m data.training.screening")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

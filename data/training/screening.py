"""Train the screen's classifier: `python -m data.training.screening [--check]`.

Without an option it writes `data/weights/screening.npz`; with `--check` it fails unless training
gives the committed weights byte for byte, and says which part differs and whether answers do.
Either way it prints figures on the test half.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from data.screening.encoder import ScreeningEncoder
from data.screening.model import FLAG_SCORE, WEIGHTS, ScreeningModel, Tuning
from data.screening.reading import read
from data.screening.suspects import read_again
from data.screening.windows import by_chance, clues_of
from data.training.screening_corpus import Sample, samples
from data.training.screening_families import Fold, Half, raw_lines
from data.training.screening_fitting import Counted, concepts, fitted, judge_of, untuned
from data.training.screening_heaps import scrambled
from data.training.screening_wordless import wordless
from data.training.weights_compared import differences

TOLERANCE = 0.05
"""How far scores may differ between machines and still count as the same model."""


def trained() -> ScreeningModel:
    """Return the model that the train half gives.

    Clues are weighed with a model that has not seen the families they are measured on: those of a
    third of the train half, as somebody wrote them, without what grew from grammars. Linear models
    and encoders are learned side by side, each on one core.
    """
    others = Fold(number=0, held=False)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        apart = pool.submit(_counted, others), pool.submit(_encoder, others)
        whole = pool.submit(_counted, None), pool.submit(_encoder, None)
        learner = _untuned(apart[0].result(), apart[1].result())
        held = [one for one in samples("train", Fold(number=0, held=True)) if one.weight == 1]
        tuning = _tuned(learner, held)
        model = _untuned(whole[0].result(), whole[1].result())
    return model.tuned(replace(tuning, bias=model.tuning.bias))


def _counted(fold: Fold | None) -> Counted:
    learned = [*samples("train", fold), *scrambled("train", fold), *wordless("train", fold)]
    return fitted(learned, list(raw_lines("train", fold)))


def _encoder(fold: Fold | None) -> ScreeningEncoder:
    from data.training.screening_encoder import encoder  # needs PyTorch, as only training does

    return encoder(list(samples("train", fold)), concepts())


def _untuned(counted: Counted, encoder: ScreeningEncoder) -> ScreeningModel:
    return ScreeningModel(counted.weights, concepts(), encoder, untuned(counted.bias))


def _tuned(model: ScreeningModel, items: Sequence[Sample]) -> Tuning:
    """Learn from messages unknown to `model` how what is known of a text becomes one score."""
    clues, further, chances = [], [], []
    for at in range(0, len(items), 200):
        texts = [one.text for one in items[at : at + 200]]
        reading = read(texts, model.concepts)
        windows = model.windows(reading, len(texts))
        clues.append(clues_of(windows, reading.texts))
        chances.append(by_chance(windows))
        further.append(read_again(model.encoder, reading, windows, np.arange(len(texts))))
    counted, chance = np.concatenate(clues), np.concatenate(chances)
    both = np.concatenate((counted, np.concatenate(further)), axis=1)
    attack = np.array([one.attack for one in items])
    return Tuning(
        bias=model.tuning.bias,
        counted=judge_of(counted, chance, attack),
        both=judge_of(both, chance, attack),
    )


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
            f" {np.count_nonzero(model.weights)} features,"
            f" {len(model.encoder.vocabulary)} words"
        )
        stale = False
    report(ScreeningModel.load(WEIGHTS))
    if stale:
        print("stale: screening.npz; run python -m data.training.screening")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())

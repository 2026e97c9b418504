"""From the corpus to the screen's classifier: its two models, and what joins them."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from multiprocessing.synchronize import Event

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from data.screening.concepts import Concepts
from data.screening.encoder import ScreeningEncoder
from data.screening.linear import Linear
from data.screening.model import ScreeningModel, Tuning
from data.screening.reading import read
from data.screening.suspects import read_again
from data.screening.windows import by_chance, clues_of
from training.screening.corpus import samples
from training.screening.families import Fold, raw_lines
from training.screening.fitting import concepts, fitted, judge_of, spared, untuned
from training.screening.heaps import scrambled
from training.screening.measuring import report_families
from training.screening.messages import Sample
from training.screening.wordless import wordless


def trained() -> ScreeningModel:
    """Return the model that the corpus gives; prints what it finds in families held back.

    Clues are weighed with a model that has not seen the families they are measured on: those of a
    third of the corpus, as somebody wrote them, without what grew from grammars. The two models
    are learned side by side, each on one core, but for their linear halves: one takes 15 GB. Sums
    are made by one thread, for those of several end in other bits.
    """
    context = get_context("spawn")
    pool = ProcessPoolExecutor(2, context, initializer=_share, initargs=(context.Event(),))
    with pool, threadpool_limits(1):
        whole = pool.submit(_learned, None)
        apart = pool.submit(_learned, Fold(number=0, held=False))
        parts = apart.result()
        held = [one for one in samples(Fold(number=0, held=True)) if one.weight == 1]
        tuning = _tuned(ScreeningModel(*parts, untuned()), held)
        report_families(ScreeningModel(*parts, tuning), held)
        linear, known, behind = whole.result()
        return ScreeningModel(spared(linear), known, behind, tuning)


_turn: dict[str, Event] = {}
"""Set when the larger model has its linear half, so that the other may begin."""


def _share(come: Event) -> None:
    _turn["come"] = come


def _learned(fold: Fold | None) -> tuple[Linear, Concepts, ScreeningEncoder]:
    """Return the linear model, the kinds of words, and the encoder that reads behind it."""
    from training.screening.encoder import encoder  # needs PyTorch, as only training does

    own = list(samples(fold))
    with threadpool_limits(1):
        if fold is not None:
            _turn["come"].wait()
        learned = [*own, *scrambled(fold), *wordless(fold)]
        try:
            linear = fitted(learned, list(raw_lines(fold)))
        finally:
            _turn["come"].set()
        del learned
        return linear, concepts(), encoder(own, linear, concepts())


def _tuned(model: ScreeningModel, items: Sequence[Sample]) -> Tuning:
    """Learn from messages unknown to `model` how what is known of a text becomes one score."""
    clues, further, chances = [], [], []
    for at in range(0, len(items), 200):
        texts = [one.text for one in items[at : at + 200]]
        reading = read(texts, model.concepts)
        windows = model.linear.windows(reading, len(texts))
        clues.append(clues_of(windows, reading.texts))
        chances.append(by_chance(windows))
        further.append(read_again(model.encoder, reading, windows, np.arange(len(texts))))
    counted, chance = np.concatenate(clues), np.concatenate(chances)
    both = np.concatenate((counted, np.concatenate(further)), axis=1)
    attack = np.array([one.attack for one in items])
    return Tuning(
        counted=judge_of(counted, chance, attack),
        both=judge_of(both, chance, attack),
    )

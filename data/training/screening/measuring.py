"""What the screen's classifier alone finds in a half of its corpus."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from data.screening.model import FLAG_SCORE, ScreeningModel
from data.training.screening.corpus import samples
from data.training.screening.families import Half
from data.training.screening.messages import Sample


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

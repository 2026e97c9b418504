"""What the screen's classifier alone finds in what it has not learned."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data.screening.model import FLAG_SCORE, ScreeningModel
from training.screening.families import plain, usual
from training.screening.measured import MeasuredMail, measured_mails
from training.screening.messages import Sample

_AT_ONCE = 200

Scores = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class _Kind(NamedTuple):
    """What a text is, and by which names it is counted."""

    attack: bool
    hard: bool
    names: tuple[str, ...]


def scored(model: ScreeningModel, mails: Sequence[MeasuredMail]) -> Scores:
    """Return the score of each mail, the higher one of its subject and its text."""
    subjects = _scores(model, [mail.subject for mail in mails])
    return np.maximum(subjects, _scores(model, [mail.text for mail in mails]))


def recall(scores: Scores, attack: Flags) -> tuple[float, float]:
    """Return (the score that 1 % of the ordinary texts exceed, share of attacks above it)."""
    limit = float(np.quantile(scores[~attack], 0.99))
    return limit, float((scores[attack] > limit).mean())


def report(model: ScreeningModel) -> None:
    """Print recall at 1 % false positives on the measured mails, and which ordinary ones pass."""
    mails = measured_mails()
    kinds = [_Kind(mail.attack, mail.hard, (mail.kind, f"in {mail.language}")) for mail in mails]
    _tell("measured mails", scored(model, mails), kinds)


def report_families(model: ScreeningModel, held: Sequence[Sample]) -> None:
    """Print recall at 1 % false positives on families that `model` has not learned.

    Of its clues only the few weights by which they are joined were chosen on these.
    """
    kinds = [
        _Kind(one.attack, one.hard, (one.technique, wording(one)) if one.attack else ())
        for one in held
    ]
    _tell("families held back", _scores(model, [one.text for one in held]), kinds)


def wording(one: Sample) -> str:
    """Return how a message says what it says."""
    if one.whole:
        return "of whole mails"
    if one.family in plain(one.language):
        return "of scenes"
    return "in usual words" if one.family in usual(one.language) else "in unusual words"


def _scores(model: ScreeningModel, texts: Sequence[str]) -> Scores:
    parts = (texts[at : at + _AT_ONCE] for at in range(0, len(texts), _AT_ONCE))
    return np.concatenate([np.zeros(0), *(model.scores(list(some)) for some in parts)])


def _tell(name: str, scores: Scores, kinds: Sequence[_Kind]) -> None:
    """Print what share of the attacks is found, and of ordinary texts passes, of each kind."""
    limit, share = recall(scores, np.array([kind.attack for kind in kinds]))
    print(f"{name}: {len(scores)}; recall {share:.3f} at 1 % false positives ({limit:.2f})")
    groups: dict[str, list[bool]] = defaultdict(list)
    for kind, score in zip(kinds, scores.tolist(), strict=True):
        if kind.attack:
            told, holds = "attack", score > limit
        else:
            told, holds = "passes", score < FLAG_SCORE
            groups["passes, all hard" if kind.hard else "passes, all other"].append(holds)
        for of in kind.names:
            groups[f"{told} {of}"].append(holds)
    for group, own in sorted(groups.items()):
        print(f"{group:32} {len(own):5} {np.mean(own):6.3f}")

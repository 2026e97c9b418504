"""What the screen's classifier alone finds in what it has not learned."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from data.screening.model import FLAG_SCORE, ScreeningModel
from data.training.screening.families import plain, usual
from data.training.screening.measured import MeasuredMail, measured_mails
from data.training.screening.messages import Sample

_AT_ONCE = 200

Scores = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


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
    scores = scored(model, mails)
    limit = _said("measured mails", scores, np.array([mail.attack for mail in mails]))
    groups: dict[str, list[float]] = defaultdict(list)
    for mail, score in zip(mails, scores.tolist(), strict=True):
        if mail.attack:
            groups[f"attack {mail.kind}"].append(score > limit)
            groups[f"attack in {mail.language}"].append(score > limit)
        else:
            passes = score < FLAG_SCORE
            groups[f"passes {mail.kind}"].append(passes)
            groups[f"passes in {mail.language}"].append(passes)
            groups["passes, all hard" if mail.hard else "passes, all other"].append(passes)
    _print_shares(groups)


def report_families(model: ScreeningModel, held: Sequence[Sample]) -> None:
    """Print recall at 1 % false positives on families that `model` has not learned.

    Of its clues only the few weights by which they are joined were chosen on these.
    """
    scores = _scores(model, [one.text for one in held])
    limit = _said("families held back", scores, np.array([one.attack for one in held]))
    groups: dict[str, list[float]] = defaultdict(list)
    for one, score in zip(held, scores.tolist(), strict=True):
        if one.attack:
            groups[f"attack {one.technique}"].append(score > limit)
            groups[f"attack {wording(one)}"].append(score > limit)
        else:
            passes = score < FLAG_SCORE
            groups["passes, all hard" if one.hard else "passes, all other"].append(passes)
    _print_shares(groups)


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


def _said(name: str, scores: Scores, attack: Flags) -> float:
    limit, share = recall(scores, attack)
    print(f"{name}: {len(scores)}; recall {share:.3f} at 1 % false positives ({limit:.2f})")
    return limit


def _print_shares(groups: dict[str, list[float]]) -> None:
    for name, own in sorted(groups.items()):
        print(f"{name:32} {len(own):5} {np.mean(own):6.3f}")

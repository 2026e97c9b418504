"""What the screen's classifier alone finds in the mails that are measured on."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from data.screening.model import FLAG_SCORE, ScreeningModel
from data.training.screening.measured import MeasuredMail, measured_mails

_AT_ONCE = 200

Scores = npt.NDArray[np.float64]


def scored(model: ScreeningModel, mails: Sequence[MeasuredMail]) -> Scores:
    """Return the score of each mail, the higher one of its subject and its text."""
    found = []
    for at in range(0, len(mails), _AT_ONCE):
        some = mails[at : at + _AT_ONCE]
        subjects = model.scores([mail.subject for mail in some])
        found.append(np.maximum(subjects, model.scores([mail.text for mail in some])))
    return np.concatenate(found or [np.zeros(0)])


def recall(scores: Scores, mails: Sequence[MeasuredMail]) -> tuple[float, float]:
    """Return (the score that 1 % of the ordinary mails exceed, share of attacks above it)."""
    attack = np.array([mail.attack for mail in mails])
    limit = float(np.quantile(scores[~attack], 0.99))
    return limit, float((scores[attack] > limit).mean())


def report(model: ScreeningModel) -> None:
    """Print recall at 1 % false positives by technique and language, and what passes."""
    mails = measured_mails()
    scores = scored(model, mails)
    limit, share = recall(scores, mails)
    print(f"measured mails: {len(mails)}; recall {share:.3f} at 1 % false positives ({limit:.2f})")
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
    for name, own in sorted(groups.items()):
        print(f"{name:32} {len(own):5} {np.mean(own):6.3f}")

"""How the screen does on the measured mails of the corpus: `training/corpora/screening_measured`.

`training.screening.measured` says what they are.

    python -m benchmarks.screening_measured
"""

from collections.abc import Callable, Sequence
from operator import attrgetter

from benchmarks.screening import classifier_score, injection_score, judge_all, limits, table
from data.records.core.screening import Screening, Verdict
from training.screening.measured import MeasuredMail, measured_mails

Judged = list[tuple[MeasuredMail, Screening]]


def judged(mails: Sequence[MeasuredMail]) -> Judged:
    """Screen every mail."""
    found = judge_all((mail.subject, mail.text) for mail in mails)
    return list(zip(mails, found, strict=True))


def by(found: Judged, name: Callable[[MeasuredMail], str]) -> dict[str, list[Screening]]:
    """Put what was found in groups."""
    groups: dict[str, list[Screening]] = {}
    for mail, one in found:
        groups.setdefault(name(mail), []).append(one)
    return groups


def clean(some: list[Screening]) -> float:
    """Return the share that is clean."""
    return sum(one.verdict is Verdict.CLEAN for one in some) / len(some)


def main() -> None:
    """Print the figures."""
    found = judged(measured_mails())
    attacks = [(mail, one) for mail, one in found if mail.attack]
    ordinary = [(mail, one) for mail, one in found if not mail.attack]
    hard = [one for mail, one in ordinary if mail.hard]
    other = [one for mail, one in ordinary if not mail.hard]
    print(f"{len(attacks)} attacks, {len(hard)} hard ordinary mails, {len(other)} others")
    limit = limits(one for _, one in ordinary)
    for name in ("kind", "language"):
        table(by(attacks, attrgetter(name)), limit)
    scored = [
        ([score(one) for _, one in attacks], [score(one) for _, one in ordinary])
        for score in (injection_score, classifier_score)
    ]
    for share in (0.003, 0.01, 0.03):
        both, alone = (_recall(own, others, share) for own, others in scored)
        print(f"recall at {share:.1%} false positives: {both:.3f}, classifier {alone:.3f}")
    easier = limits(other)[0]
    above = sum(score > easier for score in scored[0][0]) / len(attacks)
    print(f"recall where 1 % of the ordinary mail that is not hard scores more: {above:.3f}")
    for kind, some in sorted(by(ordinary, _called).items()):
        print(f"{kind:30} {len(some):5}  clean {clean(some):.3f}")
    print(f"hard ordinary mail {len(hard)}: clean {clean(hard):.3f}")
    print(f"other ordinary mail {len(other)}: clean {clean(other):.3f}")


def _called(mail: MeasuredMail) -> str:
    return f"{'hard' if mail.hard else 'ordinary'} {mail.kind}"


def _recall(attacks: list[float], ordinary: list[float], share: float) -> float:
    """Return how many attacks score more than all but a share of the ordinary mail."""
    limit = sorted(ordinary, reverse=True)[int(len(ordinary) * share)]
    return sum(score > limit for score in attacks) / len(attacks)


if __name__ == "__main__":
    main()

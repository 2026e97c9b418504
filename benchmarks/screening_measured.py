"""How the screen does on the measured mails of the corpus: `data/corpora/screening_measured`.

Whole mails of eight hands that had seen neither the screen nor what it learned from: attacks of
fifteen kinds, ordinary mail, and ordinary mail that looks like an attack (`hard`), in thirteen
languages. Nothing of them is learned from, and nobody looked at them to change a rule.

    python -m benchmarks.screening_measured
"""

from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

from benchmarks.screening import classifier_score, injection_score, judge_all, limits, table
from benchmarks.screening import rows as rows_of
from data.records.screening import Screening, Verdict

FOLDER = Path(__file__).parents[1] / "data" / "corpora" / "screening_measured"

Row = dict[str, Any]
"""A mail: `attack`, `hard`, `kind`, `language`, `subject`, `text`."""
Judged = list[tuple[Row, Screening]]


def rows(folder: Path = FOLDER) -> list[Row]:
    """Return all mails, in the order of the files."""
    return [row for path in sorted(folder.glob("*.jsonl")) for row in rows_of(path)]


def judged(mails: list[Row]) -> Judged:
    """Screen every mail."""
    found = judge_all((row["subject"], row["text"]) for row in mails)
    return list(zip(mails, found, strict=True))


def by(found: Judged, name: Callable[[Row], str]) -> dict[str, list[Screening]]:
    """Put what was found in groups."""
    groups: dict[str, list[Screening]] = {}
    for row, one in found:
        groups.setdefault(name(row), []).append(one)
    return groups


def clean(some: list[Screening]) -> float:
    """Return the share that is clean."""
    return sum(one.verdict is Verdict.CLEAN for one in some) / len(some)


def main() -> None:
    """Print the figures."""
    found = judged(rows())
    attacks = [(row, one) for row, one in found if row["attack"]]
    ordinary = [(row, one) for row, one in found if not row["attack"]]
    hard = [one for row, one in ordinary if row["hard"]]
    other = [one for row, one in ordinary if not row["hard"]]
    print(f"{len(attacks)} attacks, {len(hard)} hard ordinary mails, {len(other)} others")
    limit = limits(one for _, one in ordinary)
    for name in ("kind", "language"):
        table(by(attacks, itemgetter(name)), limit)
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


def _called(row: Row) -> str:
    return f"{'hard' if row['hard'] else 'ordinary'} {row['kind']}"


def _recall(attacks: list[float], ordinary: list[float], share: float) -> float:
    """Return how many attacks score more than all but a share of the ordinary mail."""
    limit = sorted(ordinary, reverse=True)[int(len(ordinary) * share)]
    return sum(score > limit for score in attacks) / len(attacks)


if __name__ == "__main__":
    main()

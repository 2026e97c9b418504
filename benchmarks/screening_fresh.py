"""How the screen does on mail that neither its rules nor its classifier were made with.

Four sets, each written by one hand that had seen neither the screen nor its corpus: attacks of
several kinds; ordinary mail, `plain` or alike to attacks in its words (`lookalike`). Nothing of
them is learned from. The first was consulted while rules were written, the others only measured.

    python -m benchmarks.screening_fresh
"""

from collections import defaultdict
from pathlib import Path

from benchmarks.screening import POLICY, classifier_score, injection_score, judge_all, limits, rows
from data.records.core.screening import Screening

SETS = Path(__file__).parent / "sets"


def judged(path: Path) -> tuple[dict[str, list[Screening]], dict[str, list[Screening]]]:
    """Return what the screen finds in the attacks and in the ordinary mail of a set, by kind."""
    own = list(rows(path))
    attacks: dict[str, list[Screening]] = defaultdict(list)
    ordinary: dict[str, list[Screening]] = defaultdict(list)
    screened = judge_all((row["subject"], row["text"]) for row in own)
    for row, one in zip(own, screened, strict=True):
        (attacks if row["attack"] else ordinary)[row["kind"]].append(one)
    return attacks, ordinary


def share(some: list[Screening], limit: float, without: str = "") -> float:
    """Return how many score more than `limit`, the rule `without` left out."""
    return sum(injection_score(one, without) > limit for one in some) / len(some)


def report(path: Path) -> None:
    """Print the recall of each kind, and how much ordinary mail is clean."""
    attacks, ordinary = judged(path)
    plain = limits(ordinary["plain"])
    whole = limits(one for some in ordinary.values() for one in some)
    print(f"\n{path.stem}\n{'attacks':16} {'n':>4} {'flagged':>8} {'rules':>7} {'classifier':>11}")
    everything = [one for some in attacks.values() for one in some]
    flag = POLICY.flag_threshold
    for kind, some in [*sorted(attacks.items()), ("all", everything)]:
        alone = sum(classifier_score(one) >= flag for one in some) / len(some)
        print(
            f"{kind:16} {len(some):4} {share(some, flag - 1e-9):8.3f}"
            f" {share(some, flag - 1e-9, 'classifier'):7.3f} {alone:11.3f}"
        )
    for name, limit in (("plain", plain), ("all ordinary", whole)):
        print(
            f"recall where 1 % of {name} mail scores more: {share(everything, limit[0]):.3f},"
            f" rules {share(everything, limit[1], 'classifier'):.3f}, classifier"
            f" {sum(classifier_score(one) > limit[2] for one in everything) / len(everything):.3f}"
        )
    for kind, some in sorted(ordinary.items()):
        print(f"ordinary {kind:10} {len(some):4} clean {1 - share(some, flag - 1e-9):.3f}")


def main() -> None:
    """Measure every set."""
    for path in sorted(SETS.glob("screening_fresh_*.jsonl")):
        report(path)


if __name__ == "__main__":
    main()

"""A hundred thousand hostile answers through the stages; prints the promises that broke.

    make bench ARGS=hostile_model                       100,000 runs
    POSTERN_HOSTILE_RUNS=5000 make bench ARGS=hostile_model

Each run is one case with a model that answers everything with the worst: guard, classify, plan,
draft, check, every gate, and the bytes that would leave. A tenth of the runs is the embedded
provider with mail that holds the same harm.
"""

import os
import random
import time

from data.records.mail.deciding import Outcome
from tests.mail.models.hostile import HARM, Hostile
from tests.mail.models.hostile_line import (
    LEAKS,
    PRICE,
    PRICE_REF,
    TEXTS,
    case_of,
    through,
    violations,
)

RUNS = int(os.environ.get("POSTERN_HOSTILE_RUNS", "100000"))
TOLD = 5


def main() -> int:
    """Run, and return how many promises broke."""
    ends = dict.fromkeys(Outcome, 0)
    broken = 0
    began = time.perf_counter()
    for seed in range(RUNS):
        case = case_of(TEXTS[seed % len(TEXTS)])
        ended = through(case, Hostile(seed, LEAKS, PRICE, PRICE_REF))
        broken += _told(seed, violations(case, ended), broken)
        ends[ended.decision.outcome] += 1
    remote = time.perf_counter() - began
    rng = random.Random(1)
    local = 0
    for number in range(RUNS // 10):
        words = f"{rng.choice(TEXTS)} {rng.choice(HARM)} {rng.choice(LEAKS)}".replace("\ud800", "?")
        case = case_of(words)
        found = violations(case, through(case, None))
        broken += _told(number, found, broken)
        local += 1
    print(f"{RUNS:,} hostile models, {remote:.0f} s, {RUNS / remote:.0f} a second")
    print("  " + ", ".join(f"{count:,} {outcome.value}" for outcome, count in ends.items()))
    print(f"{local:,} hostile mails with the embedded provider")
    print(f"violations: {broken}")
    return broken


def _told(number: int, found: list[str], before: int) -> int:
    if found and before < TOLD:
        print(f"run {number}: {'; '.join(found)}")
    return len(found)


if __name__ == "__main__":
    assert main() == 0

"""What looks secret in replies: how much of it is held, and how much else is held with it.

Two halves from different generators: *seen* made the rules, *kept* did not.

    python -m benchmarks secrets_leaving --misses     names what was decided wrongly
"""

import argparse
import time
from collections import Counter

from benchmarks import _secrets_kept, _secrets_seen
from tasks.core.leaks.secrets import find_secrets

HIDDEN, PLAIN = 200, 2_000
"""Of each of five kinds; sentences that may leave."""
HALVES = {"seen": _secrets_seen, "kept": _secrets_kept}


def held(text: str) -> list[str]:
    """Return what is held of a letter, but for the account number that the policy publishes."""
    return [
        f"{one.check}: {one.excerpt}"
        for one in find_secrets(text)
        if "".join(one.excerpt.split()) != _secrets_seen.OURS
    ]


def measure(half: str) -> tuple[float, float, list[str]]:
    """Return recall, share of false alarms, and what was decided wrongly, of one half."""
    made = HALVES[half]
    hidden = list(made.hidden(3, HIDDEN))
    plain = list(made.plain(4, PLAIN))
    missed = [f"missed {kind}: {text!r}" for kind, text in hidden if not held(text)]
    alarms = [f"held: {text!r} for {held(text)}" for text in plain if held(text)]
    return 1 - len(missed) / len(hidden), len(alarms) / len(plain), [*missed, *alarms]


def main() -> None:
    """Print both halves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--misses", choices=list(HALVES), help="name what was decided wrongly")
    told = parser.parse_args().misses
    for half, made in HALVES.items():
        began = time.perf_counter()
        recall, alarms, wrong = measure(half)
        seconds = time.perf_counter() - began
        print(
            f"{half}: {5 * HIDDEN:,} secrets, recall {recall:.2%}; {PLAIN:,} others, "
            f"{alarms:.2%} held; {(5 * HIDDEN + PLAIN) / seconds:,.0f} letters a second"
        )
        kinds = Counter(kind for kind, text in made.hidden(3, HIDDEN) if not held(text))
        print(f"  missed by kind: {dict(kinds)}")
        if told == half:
            print("\n".join(f"  {one}" for one in wrong[:80]))


if __name__ == "__main__":
    main()

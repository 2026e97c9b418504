"""Look whether the rules of the house are kept: `python -m tests.house`, a part of `make lint`."""

import sys

from tests.house import code, doors, knots, readers, slices, words


def main() -> None:
    """Print hints and faults; fail over faults alone."""
    for hint in code.HINTS:
        for sentence in hint():
            print(f"hint: {sentence}")
    faults = 0
    for rule in (
        *code.RULES,
        *words.RULES,
        *doors.RULES,
        *readers.RULES,
        *slices.RULES,
        *knots.RULES,
    ):
        found = list(rule())
        if found:
            print(rule.__doc__.splitlines()[0] if rule.__doc__ else rule.__name__)
        for sentence in found:
            print(f"  {sentence}")
        faults += len(found)
    if faults:
        sys.exit(f"{faults} faults")


main()

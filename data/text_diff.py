"""What two texts have different, for people."""

import difflib


def diff_lines(before: str, after: str) -> tuple[str, ...]:
    """Return what two texts have different, as lines of a diff without its head."""
    found = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return tuple(line for line in found if not line.startswith(("---", "+++", "@@")))

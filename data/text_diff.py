"""The difference between two texts, as lines for people."""

import difflib


def diff_lines(before: str, after: str) -> tuple[str, ...]:
    """Return what two texts have different, as lines of a diff without its head."""
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return tuple(line for line in diff if not line.startswith(("---", "+++", "@@")))

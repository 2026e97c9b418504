"""Whether a message cannot wait: a deterministic test that runs before classification.

First version of the lexicon; precise rather than complete, because it lets a message skip the quiet window.
"""

import re2

_ALARM = re2.compile(
    r"(?i)\b(emergency|asap|immediately|production is down|notfall|dringend|sofort)\b"
)


def is_urgent(text: str, subject: str) -> str | None:
    """The words that make `text` or `subject` urgent, or None."""
    found = _ALARM.search(f"{subject}\n{text}")
    return found[0] if found is not None else None

"""The part of an owner's answer that is for the customer: all of it but the letter around it.

Who is asked answers as one writes to a colleague (*Hi Maud, … Viele Grüße, Ole*). The reply greets
and signs itself, so that greeting and leave are no part of what it tells. Nothing else is cut.
"""

from collections.abc import Collection, Sequence

from tasks.core.words.sentence_rows import words
from tasks.core.words.sentence_signs import is_courtesy, is_courtesy_with_names, looks_like_names

_SHORT_LINE = 60


def answer_in(text: str, names: Collection[str] = ()) -> str:
    """Return an answer without a greeting before it, and without the leave and names below it.

    `names` are folded words of the names of who may have signed it.
    """
    lines = text.strip().splitlines()
    first, last = 0, len(lines)
    while first < last and (not lines[first].strip() or _polite(lines[first])):
        first += 1
    while last > first and (not lines[last - 1].strip() or _leaves(lines, last - 1, names)):
        last -= 1
    answer_text = "\n".join(lines[first:last]).strip() or text.strip()
    head, comma, rest = answer_text.partition(",")
    greets = comma and is_courtesy_with_names(head) and rest.strip()
    return rest.strip() if greets else answer_text


def _polite(line: str) -> bool:
    """Return whether a line only greets, thanks or takes leave, by name or without."""
    bare = line.strip()
    return len(bare) <= _SHORT_LINE and (is_courtesy(bare) or is_courtesy_with_names(bare))


def _leaves(lines: Sequence[str], at: int, names: Collection[str]) -> bool:
    """Return whether a line takes leave, or is a name below one that does, or of who signs."""
    line = lines[at].strip()
    if at == 0 or _polite(line):
        return at > 0
    above = next((line_above for line_above in reversed(lines[:at]) if line_above.strip()), "")
    own = bool(names) and set(words(line)) <= set(names) and not above.rstrip().endswith(":")
    is_name_line = line[:1].isupper() and looks_like_names(line)
    return own or (is_name_line and is_courtesy(above.strip()))

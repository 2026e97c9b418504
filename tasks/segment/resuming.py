"""Where a writer goes on below a signature, or below dashes that begin none.

People write a postscript under their card, and draw `--` or `—` between two matters. What speaks to
its reader there is new text: a request that nobody hears is worse than a motto that counts as one.
"""

from collections.abc import Sequence

import re2

from tasks.segment.cards import is_card_line, is_contact, is_name, is_notice
from tasks.words.questions import asks
from tasks.words.sentence_signs import is_order, speaks_of_self
from tasks.words.sentences import sentences

_POSTSCRIPT = re2.compile(
    r"(?i)^\W*(?:p\.?\s?p?\.?\s?s|p\.?\s?d|n\.?\s?b|post\s?scriptum)\b\s?[.:,)–—-]|^\W*PP?S\s"
)
_READ = 30
"""Lines below a delimiter that are looked at."""
EXACT = "-- "
"""The delimiter that mail programs draw (RFC 3676, section 4.3)."""


def is_postscript(line: str) -> bool:
    """Return whether a line goes on writing below a name: `PS:`, `P.S.`, `NB:`."""
    return _POSTSCRIPT.search(line) is not None


def resumes(lines: Sequence[str], start: int) -> int | None:
    """Return where own words begin again in a signature that begins at `start`, or None."""
    found = (at for at in range(start + 1, len(lines)) if is_postscript(lines[at]))
    told = next(found, None)
    if lines[start].strip() not in ("--", "—", "–", "- -", "- --"):
        return told
    first = True
    for at in range(start + 1, min(len(lines), start + _READ)):
        blank_above = not lines[at - 1].strip()
        if not lines[at].strip() or not (blank_above or at == start + 1):
            continue
        if not first and _speaks(_paragraph(lines, at)):
            return at if told is None else min(at, told)
        first = False
    return told


def is_delimiter(lines: Sequence[str], at: int) -> bool:
    """Return whether dashes at line `at` stand above a signature, and not above another matter.

    Below the delimiter of mail programs anything may stand that does not speak to its reader;
    below other dashes only what looks like a card.
    """
    below = next((n for n in range(at + 1, len(lines)) if lines[n].strip()), None)
    if below is None:
        return True
    paragraph = _paragraph(lines, below)
    if is_postscript(paragraph[0]) or _speaks(paragraph):
        return False
    if lines[at] == EXACT or is_notice(" ".join(paragraph)):
        return True
    shaped = all(map(is_card_line, paragraph))
    named = is_name(paragraph[0].strip()) or all(len(one.split()) == 1 for one in paragraph)
    return shaped and (named or any(map(is_contact, paragraph)))


def _speaks(paragraph: Sequence[str]) -> bool:
    """Return whether a paragraph speaks to its reader: it asks, orders, or tells of its writer."""
    if is_notice(" ".join(paragraph)) or paragraph[0].lstrip()[:1] in ('"', "“", "„", "«", "'"):
        return False
    found = sentences("\n".join(line for line in paragraph if not is_contact(line)))
    return any(asks(one) or is_order(one) or speaks_of_self(one) for one in found)


def _paragraph(lines: Sequence[str], at: int) -> list[str]:
    """Return the lines from `at` to the next blank one."""
    end = next((n for n in range(at, len(lines)) if not lines[n].strip()), len(lines))
    return [line.strip() for line in lines[at:end]]

"""The lines of a text in which letters are escaped; its reader reads the others as they stand.

One link with codes in it does not make a long letter a coded one. Words that were decoded are
excused by nothing, so only what holds codes, and what runs into it, is taken for such.
"""

import re2

from tasks.core.patterns import compiled

PLACES = 500
"""Places of codes that are looked at; from there on all the rest is one."""
BESIDE = 1
"""Lines above and below one with codes that are read with it: sentences are wrapped."""

_LINK = compiled(r"(?i)(?:[a-z][a-z0-9+.\-]*://|\bwww\.|\bmailto:)[^\s<>\"']+")


def places_of(text: str, pattern: "re2._Regexp") -> str:
    """Return the links and lines of `text` in which `pattern` finds something, in order.

    A link is read by itself; where codes stand elsewhere, their lines and those beside them are.
    """
    links = [match.span() for match in _LINK.finditer(text)] if ":" in text or "www" in text else []
    places_kept: list[tuple[int, int]] = []
    here = 0
    for count, match in enumerate(pattern.finditer(text)):
        if count >= PLACES:
            places_kept.append((match.start(), len(text)))
            break
        start, end = match.span()
        while here < len(links) and links[here][1] <= start:
            here += 1
        within = here < len(links) and links[here][0] <= start and end <= links[here][1]
        span = links[here] if within else _lines_around(text, start, end)
        if places_kept and span[0] <= places_kept[-1][1]:
            places_kept[-1] = places_kept[-1][0], max(places_kept[-1][1], span[1])
        else:
            places_kept.append(span)
    return "\n\n".join(text[start:end] for start, end in places_kept)


def _lines_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the lines from `start` to `end` and of those beside them."""
    start = text.rfind("\n", 0, start) + 1
    end = text.find("\n", end)
    for _ in range(BESIDE):
        start = text.rfind("\n", 0, start - 1) + 1 if start else 0
        end = text.find("\n", end + 1) if end >= 0 else end
    return start, len(text) if end < 0 else end

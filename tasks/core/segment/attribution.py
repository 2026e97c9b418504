"""Lines such as `On 3 May 2024, Ada wrote:` that stand above a quotation.

The words of each language are in `data/lexicons/reading/quotes.yaml`. A line that holds an address,
a clock time and a date and ends with a colon is one in any language.
"""

import re2

from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import COLONS, lexicon

LINES = 4
"""Lines over which an attribution may be wrapped."""
CHARACTERS = 600
"""Characters of an attribution."""


def _alternatives(key: str) -> str:
    """Return the starts or verbs of all languages as one pattern, longest first."""
    alternatives = {
        str(phrase)
        for language_part in lexicon("quotes")["attributions"].values()
        for phrase in language_part[key]
    }
    return "|".join(re2.escape(phrase) for phrase in sorted(alternatives, key=len, reverse=True))


# Lengths are bounded before these run (CHARACTERS); counted repeats would blow up RE2.
STARTS = _alternatives("starts")
"""Pattern of the words that open an attribution."""
VERBS = _alternatives("verbs")
"""Pattern of the verbs of all languages."""
_PRONOUNS = compiled(rf"(?i)[\s,](?:{'|'.join(lexicon('quotes')['pronouns'])})\s")
_PREFIX = compiled(r"^\s*((?:\pL{1,4})?>+|[^\pL\pN\s]{1,3})\s?\S")
_END = r"[:\x{FF1A}][\s*-]*$"
_OPENED = compiled(rf"(?i)^(?:[-*]+\s*)?(?:{STARTS})[\s,].*[\s>)](?:{VERBS})(?:[\s:(<].*)?{_END}")
_OPENED_BARE = compiled(rf"(?i)^(?:[-*]+\s*)?(?:{STARTS})[\s,].*\d.*[\s>)](?:{VERBS})$")
_NAMED = compiled(rf"(?i)^.+[\s>)](?:{VERBS})(?:[\s:(,].*)?{_END}")
_QUOTING = compiled(
    r"(?i)^(?:quoting|zitat von|citando|citation de|citat från|cytat z|citeren van)\s.+:$"
)
_ADDRESS = compiled(r"[<(\[\"]?(?:mailto:)?[^\s<>()\[\]\"]+@[^\s<>()\[\]\"]+[>)\]\"]?")
_CLOCK = compiled(r"\b\d{1,2}[:.h]\d{2}\b|\d{1,2}[時点시]")
_DATED = compiled(
    r"\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\d{4}[年년]"
)
_DAY = compiled(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\d{4}[年년]|\b\d{1,2}\.? \pL{3,12}\b"
)
_ADDRESSED = compiled(r"^\W*(?:\pL+[.,]*\s+)?\d+[-./ ].*<[^<>\s]+@[^<>\s]+>(?:\s*\pL*)?\s*:?$")
_JOINED = compiled(
    rf"(?i)\S(?:\s*-{{2,}}\s*|\s+)((?:{STARTS})\s(?:\pL+[.,]*\s+){{0,2}}\d.*[\s>)](?:{VERBS})[^:]{{0,60}}:)$"
)
_NAMED_FIRST = compiled(r"^\s*[^<>:]{0,80}<[^<>\s]+@[^<>\s]+>\s+hat am\s[^<>]*:$")
"""Open-Xchange in German: *Ada <a@b.example> hat am … geschrieben:*."""
_SPOKEN = compiled(rf"[\s,(](?:{'|'.join(lexicon('quotes')['spoken'])})[\s,:]")
"""Words of somebody who tells what was written, and of no program."""
_BULLETS = frozenset({"-", "*", "•", "–", "+", "--", "**"})
_ENDS = (*COLONS, ":*", ": -", ":-", ">")


_DIRECTIONS: dict[int, str | None] = {
    **dict.fromkeys([0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
    **{first + digit: str(digit) for first in (0x660, 0x6F0, 0x966) for digit in range(10)},
}
"""Marks of the direction of writing, which programs put around an address in Hebrew and Arabic; and
the digits of Arabic, Persian and Hindi, in which they write the date."""


def may_end(bare: str) -> bool:
    """Whether a stripped line can be the last one of an attribution that needs no quote below."""
    return bare.endswith(_ENDS) or (
        not bare.isascii() and bare.translate(_DIRECTIONS).endswith(_ENDS)
    )


def is_dated(line: str) -> bool:
    """Whether a line holds a date or a time."""
    return _DATED.search(line) is not None


def has_clock(text: str) -> bool:
    """Whether a text holds a time of day."""
    return _CLOCK.search(text) is not None


def split_joined(lines: list[str]) -> tuple[list[str], list[int]]:
    """Return the lines with attributions that stand behind a reply on lines of their own.

    The second value lists the index (in what is given) of a line as often as it was split.
    """
    split: list[int] = []
    for at, line in enumerate(lines):
        if line.endswith(":") and line.count(":") > 1 and _is_joined(line):
            split.append(at)
    if not split:
        return lines, split
    result: list[str] = []
    for at, line in enumerate(lines):
        if at in split:
            match = _JOINED.search(line)
            result += [line[: match.start(1)].rstrip(" -"), line[match.start(1) :]]
        else:
            result.append(line)
    return result, split


def _is_joined(line: str) -> bool:
    """Whether a dated attribution begins inside the line."""
    if len(line) > CHARACTERS or line.startswith(">") or _OPENED.search(line.strip()):
        return False
    if _NAMED_FIRST.search(line) is not None:
        return False
    match = _JOINED.search(line)
    return match is not None and _CLOCK.search(match.group(1)) is not None


def attribution_start(lines: list[str], at: int, *, earliest: int, quoted_next: bool) -> int | None:
    """Return the first line of the attribution that ends at line `at`, or None.

    `quoted_next` says whether quoted lines follow; without them the attribution must hold a date,
    since everything after it will count as quoted.
    """
    last = lines[at].translate(_DIRECTIONS).rstrip("*- \xa0")
    if not quoted_next and not last.endswith(COLONS):
        return None
    joined = ""
    for start in range(at, max(earliest, at - LINES + 1) - 1, -1):
        line = lines[start].strip()
        if not line or line.startswith(">") or len(joined) + len(line) > CHARACTERS:
            return None
        joined = f"{line} {joined}".replace("\xa0", " ").replace("\u202f", " ")
        joined = joined.replace("< ", "<").translate(_DIRECTIONS).rstrip()
        dated = _DATED.search(joined) is not None
        if not dated and not quoted_next:
            continue
        if quoted_next and _QUOTING.search(joined):
            return start
        if _OPENED.search(joined) and (quoted_next or (dated and _is_exact(joined, lines, start))):
            return start
        if quoted_next and _OPENED_BARE.search(joined):
            return start
        if dated and _is_anonymous(joined, quoted_next=quoted_next):
            return _earlier_start(lines, start, at, earliest)
        if start == at and quoted_next and _NAMED.search(joined):
            return _earlier_start(lines, start, at, earliest)
    return None


def _is_exact(joined: str, lines: list[str], start: int) -> bool:
    """Whether a line is no prose about a letter.

    It gives a clock time or an address, or begins a paragraph and names somebody.
    """
    if _ADDRESS.search(joined) is not None:
        return True
    if _CLOCK.search(joined) is not None:
        return _SPOKEN.search(joined) is None
    begins = start == 0 or not lines[start - 1].strip()
    return begins and _PRONOUNS.search(joined) is None


def own_prefix(lines: list[str], at: int) -> str:
    """Return what marks the quoted lines after line `at`, when it is not `>`; else nothing.

    Such as `|`, `}` or the initials in `AL> ` (Supercite).
    """
    below = [line for line in lines[at + 1 : at + 5] if line.strip()][:2]
    match = _PREFIX.search(below[0]) if below else None
    if match is None or match.group(1).startswith(">"):
        return ""
    prefix: str = match.group(1)
    again = len(below) > 1 and below[1].lstrip().startswith(prefix)
    if prefix[-1] in ">|]}":
        return prefix
    return prefix if again and prefix not in _BULLETS and prefix[0] in "|:%#}=+" else ""


def _is_anonymous(joined: str, *, quoted_next: bool) -> bool:
    """Whether date and address alone make an attribution, in whatever language it is."""
    if _ADDRESSED.search(joined):
        return True
    if not joined.endswith(COLONS) or len(joined) > CHARACTERS // 2:
        return False
    if _CLOCK.search(joined) is None or _DAY.search(joined) is None:
        return False
    if _ADDRESS.search(joined):
        return True
    return len(joined) < CHARACTERS // 3 and _NAMED.search(joined) is not None and quoted_next


def _earlier_start(lines: list[str], start_found: int, at: int, earliest: int) -> int:
    """Return where an attribution begins whose end was recognized before its beginning was read.

    A line above that opens one (`On Monday, 3 May`), or a name above its address, belongs to it.
    """
    for start in range(start_found - 1, max(earliest, at - LINES + 1) - 1, -1):
        if not lines[start].strip() or lines[start].startswith(">"):
            break
        joined = " ".join(line.strip() for line in lines[start : at + 1]).replace("\xa0", " ")
        if _OPENED.search(joined):
            return start
    above = lines[start_found - 1].strip() if start_found > earliest else ""
    line = lines[start_found].lstrip()
    if line.count(">") > line.count("<") and "<" in above:
        return start_found - 1
    if line.startswith(("<", "(")) and 0 < len(above.split()) <= 5:
        return start_found - 1
    return start_found

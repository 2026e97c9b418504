"""Lines that have run together: what stood on lines of its own stands behind other words.

Phones and web mail drop line ends when they turn HTML into text. So the head of an earlier message
becomes one line (`Original messageFrom: … Sent: … To: … Subject: …`), behind the words of a reply.
Such a line is parted where its pieces begin, and the rules over lines see it as it was.
"""

import re2

from tasks.core.patterns import compiled
from tasks.core.segment.attribution import is_dated
from tasks.core.segment.lexicon import lexicon

CHARACTERS = 4_000
"""Characters of a line that is looked at."""


def _any(phrases: list[str]) -> str:
    """Return a pattern of the phrases, longest first."""
    return "|".join(
        re2.escape(phrase) for phrase in sorted(map(str, phrases), key=len, reverse=True)
    )


_QUOTES = lexicon("quotes")
_LABELS = _QUOTES["header_labels"]
_MARKERS = _any([*_QUOTES["original_markers"], *_QUOTES["forward_markers"]])
_FOOTERS = _any(lexicon("signatures")["footers"])
_MARKER = compiled(
    rf"(?i)(?:-{{2,}}|_{{5,}}|={{3,}})\s*(?:{_MARKERS})\s*:?\s*(?:-{{2,}}|_{{5,}}|={{3,}})"
)
_HEAD = compiled(rf"(?:^|[^\pL])((?:{_any(_LABELS['from'])})\s?[:\x{{ff1a}}]\s?\S)")
_INNER = [
    compiled(rf"[\s>\])\d\pL]((?:{_any(_LABELS[kind])})\s?[:\x{{ff1a}}]\s)")
    for kind in ("date", "to", "cc", "subject")
]
_RULE = compiled(r"^(.*?)([-_=*]{5,})\s*$")
_FOOTER = compiled(rf"(?im)[.!?)]((?:{_FOOTERS})\b.*)$")
_AT = compiled(r"\S@\S")
_SENT_AT = compiled(
    rf"^\s?(?:{_any(_LABELS['date'])})\s?[:\x{{ff1a}}]\s"
    r".*\b(?:19|20)\d\d\b.*\d{1,2}[:.h]\d{2}"
)
_LABELS_OF_A_HEAD = 3
_LABELS_OF_OUTLOOK = 4
_SENTENCE_ENDS = (".", "!", "?", ")", "…", "。")


def part_glued(lines: list[str], text: str) -> tuple[list[str], list[int]]:
    """Return the lines of `text` with what has run together parted.

    The second value lists the index (in what is given) of a line as often as it was parted.
    """
    footers = _FOOTER.search(text) is not None
    if not footers and not any(map(_may_be_glued, lines)):
        return lines, []
    result: list[str] = []
    split: list[int] = []
    for at, line in enumerate(lines):
        pieces = _pieces(line) if _may_be_glued(line) else [line]
        if footers and _FOOTER.search(pieces[0]) is not None:
            pieces = [*_with_footer(pieces[0]), *pieces[1:]]
        result += pieces
        split += [at] * (len(pieces) - 1)
    return (result, split) if split else (lines, split)


def _may_be_glued(line: str) -> bool:
    """Whether a line holds enough for a head or a marker beside other words."""
    colons = line.count(":") + (0 if line.isascii() else line.count("\uff1a"))
    return colons >= _LABELS_OF_A_HEAD or ("--" in line and any(map(str.isalpha, line)))


def _pieces(line: str) -> list[str]:
    """Return a line, parted before the marker and the head of an earlier message."""
    if len(line) > CHARACTERS or line.startswith(">"):
        return [line]
    marker = _MARKER.search(line) if "--" in line or "__" in line or "==" in line else None
    if marker is not None:
        before, after = line[: marker.start()].rstrip(), line[marker.end() :].strip()
        if not before and not after:
            return [line]
        own = [before] if before else []
        return [*own, marker.group().strip(), *(_head(after) or ([after] if after else []))]
    match = _HEAD.search(line)
    head = _head(line[match.start(1) :]) if match is not None else []
    if not head or match is None:
        return [line]
    before = line[: match.start(1)].rstrip()
    rule = _RULE.search(before)
    if rule is not None:
        return [*filter(str.strip, (rule.group(1).rstrip(), rule.group(2))), *head]
    if not before:
        return head
    # A sentence may tell what a label says; a head stands behind a whole one, or is Outlook's.
    whole = before.endswith(_SENTENCE_ENDS) and _AT.search(line) is not None
    return [before, *head] if whole or _is_of_outlook(head) else [line]


def _is_of_outlook(head: list[str]) -> bool:
    """Whether a head is Outlook's, which names people without their addresses.

    It has all in its order: From, Sent with a time, To, Subject.
    """
    return len(head) >= _LABELS_OF_OUTLOOK and all(
        pattern.search(f" {line} ") is not None
        for pattern, line in ((_SENT_AT, head[1]), (_INNER[1], head[2]), (_INNER[3], head[-1]))
    )


def _head(text: str) -> list[str]:
    """Return the header lines that one line holds, or nothing when it is no whole head.

    A whole one names From, and two others of date, To, Cc and subject after it; it holds a date or
    an address.
    """
    if _HEAD.match(text) is None:
        return []
    heads = (pattern.search(text) for pattern in _INNER)
    places = sorted({match.start(1) for match in heads if match is not None})
    if len(places) < 2 or not (is_dated(text) or _AT.search(text)):
        return []
    ends = [*places[1:], len(text)]
    rest = [text[start:end].rstrip() for start, end in zip(places, ends, strict=True)]
    return [text[: places[0]].rstrip(), *rest]


def _with_footer(line: str) -> list[str]:
    """Return a line, parted before the footer of a phone that follows a sentence at once."""
    match = _FOOTER.search(line)
    if match is None:
        return [line]
    return [line[: match.start(1)], match.group(1)]

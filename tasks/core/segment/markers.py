"""Lines that begin an earlier or a passed-on message (`data/lexicons/reading/quotes.yaml`)."""

import re2

from tasks.core.patterns import compiled
from tasks.core.segment.attribution import VERBS, is_dated
from tasks.core.segment.lexicon import COLONS, lexicon, phrases

HEADER_LINES = 12
"""Header lines in which a header block must show itself."""
NOTES_LINES = 8
"""Filled lines in which a block of Notes must show itself."""

_FORWARD = phrases("quotes", "forward_markers")
_ORIGINAL = phrases("quotes", "original_markers")
_REPLY_LINES = tuple(phrases("quotes", "reply_lines"))
_FORWARD_STARTS, _ORIGINAL_STARTS = tuple(_FORWARD), tuple(_ORIGINAL)
_MARKERS = _FORWARD | _ORIGINAL
_DRAWING = frozenset("-_=*— >#([])|}\xa0")
"""What stands around a marker, and is no letter."""
_MARKER_FIRST = frozenset(phrase[0] for phrase in _MARKERS)
_LABELS = {
    str(label).casefold(): kind
    for kind, labels in lexicon("quotes")["header_labels"].items()
    for label in labels
}
_TO_OR_CC = frozenset(label for label, kind in _LABELS.items() if kind in ("to", "cc"))
_INNER_LABELS = "|".join(
    re2.escape(str(label))
    for kind in ("date", "to", "subject")
    for label in lexicon("quotes")["header_labels"][kind]
    if len(str(label)) > 2
)
_DATE_ALONE = phrases("quotes", "dates_alone")
_RULE = frozenset("-_=*— ")
_DASHED = compiled(rf"(?i)^-{{2,}}\s*\S.*\s(?:{VERBS}):?\s*-{{2,}}$")
_ONE_LINE = compiled(rf"(?i)^[^:]*:.*@.*\s(?:{_INNER_LABELS})\s?:")
_AT = compiled(r"\S@\S")
_AT_HOUR = compiled(r"\b\d{1,2}[:h]\d{2}\b|(?:^|[^.\d])\d{1,2}\.\d{2}(?:[^.\d]|$)|[時点시]")


def may_mark(bare: str) -> bool:
    """Whether a stripped line without a colon may be what the functions below look for."""
    if bare[0] in _DRAWING or bare[-1] in _DRAWING:
        return True
    folded = bare.casefold()
    return folded in _MARKERS or folded.split(None, 1)[0] in _TO_OR_CC


def is_forward_marker(line: str) -> bool:
    """Whether the line says that a passed-on message follows."""
    return _is_marker(line, _FORWARD, _FORWARD_STARTS)


def is_original_marker(line: str) -> bool:
    """Whether the line says that an earlier message of the conversation follows."""
    if line[:1] in "-_—=*#":
        if _is_marker(line, _ORIGINAL, _ORIGINAL_STARTS):
            return True
        if line.startswith("--") and len(line) < 200 and _DASHED.search(line):
            return True
    return _is_reply_line(line)


def _is_reply_line(line: str) -> bool:
    """Whether the line is a help desk's, above which one shall answer."""
    if len(line) > 150 or not (line[0] in "#-=_*[(" or line[-1] in "#-=_*])"):
        return False
    folded = line.casefold()
    return any(phrase in folded for phrase in _REPLY_LINES)


def _is_marker(line: str, markers: frozenset[str], starts: tuple[str, ...]) -> bool:
    """Whether the line is one of `markers`, maybe between dashes; `starts` are the same ones."""
    if len(line) > 120:
        return False
    bare = line.strip("-_=*— >\t:\xa0").casefold()
    if not bare or bare[0] not in _MARKER_FIRST:
        return False
    return bare in markers or (line.lstrip("> ").startswith("--") and bare.startswith(starts))


def is_rule(line: str) -> bool:
    """Whether the line is drawn, such as the underscores above a header block."""
    line = line.strip()
    return len(line) >= 5 and line[0] in _RULE and not set(line) - _RULE


def header_label(line: str) -> str:
    """Return which header a line such as `*Von:* Ada` names, or an empty string."""
    name, colon, _ = line[:60].replace(COLONS[1], ":").partition(":")
    if not colon:
        return ""
    kind: str = _LABELS.get(name.strip("* \t>\xa0").casefold(), "")
    return kind


def is_header_block(lines: list[str], at: int) -> bool:
    """Whether the header lines of an earlier message begin at `at`, in any client's language."""
    first = header_label(lines[at])
    if first not in ("from", "date", "subject"):
        return False
    labels_seen = {first}
    block, ruled = [lines[at]], at > 0 and is_rule(lines[at - 1])
    for line in lines[at + 1 : at + HEADER_LINES]:
        if not line.strip("> \t"):
            break
        block.append(line)
        label = header_label(line)
        if label:
            labels_seen.add(label)
    if "from" in labels_seen and (
        (len(labels_seen) >= 3 and (ruled or _is_of_letter(labels_seen, block)))
        or (len(labels_seen) == 2 and _is_pair(lines, at, "from"))
    ):
        return True
    if first == "date" and "to" in labels_seen:
        return _is_pair(lines, at, "to") and _AT.search(" ".join(lines[at : at + 2])) is not None
    return first == "from" and is_dated(lines[at]) and _ONE_LINE.search(lines[at]) is not None


def _is_of_letter(labels_seen: set[str], block: list[str]) -> bool:
    """Whether From, To and Date are a letter's, and not a journey's or a parcel's."""
    if "subject" in labels_seen or any(map(_AT.search, block)):
        return True
    hours = [line for line in block if _AT_HOUR.search(line)]
    kinds = [header_label(line) for line in hours]
    return "from" not in kinds and any(map(_is_sent, hours))


def _is_sent(line: str) -> bool:
    """Whether a line tells when a letter was sent; *Date* alone may be that of a journey."""
    name = line.replace(COLONS[1], ":").partition(":")[0].strip("* \t>\xa0").casefold()
    return header_label(line) == "date" and name not in _DATE_ALONE


def _is_pair(lines: list[str], at: int, other: str) -> bool:
    """Whether the line at `at` and the next are Date with a date and header `other`."""
    pair = lines[at : at + 2]
    labels = {header_label(line) for line in pair}
    return labels == {other, "date"} and any(is_dated(line) for line in pair)


def quoted_after_head(lines: list[str], at: int) -> int | None:
    """Return the first marked line of an earlier message whose marker or headers stand at `at`.

    None when its text is not marked with `>`: then nobody can tell where it ends.
    """
    filled = 0
    for below in range(at + 1, min(at + 2 * HEADER_LINES, len(lines))):
        line = lines[below].strip()
        if line.startswith(">"):
            return below if filled <= HEADER_LINES else None
        if line and not header_label(line):
            return None
        filled += bool(line)
    return None


def notes_block_start(lines: list[str], at: int, earliest: int) -> int | None:
    """Return where a header block of Notes begins whose `To` stands alone on line `at`, or None.

    Such a block is a name, a date, and labels without a colon above or beside their values.
    """
    if lines[at].split(None, 1)[0].rstrip(":").casefold() not in _TO_OR_CC:
        return None
    if _LABELS.get(_first_cell(lines[at])) not in ("to", "cc"):
        return None
    labels_seen = set()
    for line in lines[at : at + 2 * NOTES_LINES]:
        labels_seen.add(_LABELS.get(_first_cell(line), ""))
    if "subject" not in labels_seen:
        return None
    filled = [n for n in range(max(earliest, at - 6), at) if lines[n].strip()][-3:]
    dated = next((n for n in filled if is_dated(lines[n])), None)
    if dated is None:
        return None
    above = [n for n in filled if n < dated and lines[n].strip() and dated - n <= 2]
    return above[-1] if above else dated


def _first_cell(line: str) -> str:
    """Return what stands before the first wide gap or cell separator, case-folded."""
    bare = line.strip()
    for gap in ("  ", "\t", "|"):
        bare = bare.partition(gap)[0]
    return bare.rstrip(": ").casefold() if len(bare) < 20 else ""

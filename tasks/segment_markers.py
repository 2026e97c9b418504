"""Which lines begin a quotation or a forward (phrases in `data/lexicons/reading/quotes.yaml`)."""

import re2

from tasks.segment_lexicon import lexicon, phrases

ATTRIBUTION_LINES = 4
"""Lines over which an attribution may be wrapped."""
ATTRIBUTION_CHARACTERS = 600
"""Characters of an attribution."""
HEADER_LINES = 12
"""Lines in which a header block must show itself."""

_FORWARD = phrases("quotes", "forward_markers")
_ORIGINAL = phrases("quotes", "original_markers")
_MARKER_FIRST = frozenset(phrase[0] for phrase in _FORWARD | _ORIGINAL)
_LABELS = {
    str(label).casefold(): kind
    for kind, labels in lexicon("quotes")["header_labels"].items()
    for label in labels
}
_RULE = frozenset("-_=*— ")


def _alternatives(key: str) -> str:
    """Return the starts or verbs of all languages as one pattern, longest first."""
    found = {
        str(phrase) for one in lexicon("quotes")["attributions"].values() for phrase in one[key]
    }
    return "|".join(re2.escape(phrase) for phrase in sorted(found, key=len, reverse=True))


# Lengths are bounded before these run (ATTRIBUTION_CHARACTERS); counted repeats would blow up RE2.
_VERBS = _alternatives("verbs")
_OPENED = re2.compile(
    rf"(?i)^(?:[-*]+\s*)?(?:{_alternatives('starts')})[\s,].*[\s>](?:{_VERBS})(?:[\s:(<].*)?:[\s*-]*$"
)
_NAMED = re2.compile(rf"(?i)^.+[\s>](?:{_VERBS})(?:[\s:(].*)?:$")
_ADDRESSED = re2.compile(r"^\W*(?:\pL+[.,]*\s+)?\d+[-./ ].*<[^<>\s]+@[^<>\s]+>(?:\s*\pL*)?\s*:?$")
_DASHED = re2.compile(rf"(?i)^-{{2,}}\s*\S.*\s(?:{_VERBS}):?\s*-{{2,}}$")
_QUOTING = re2.compile(r"(?i)^(?:quoting|zitat von|citando|citation de|citat från)\s.+:$")
_DATED = re2.compile(r"\b\d{1,2}[:.]\d{2}\b|\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")


def is_forward_marker(line: str) -> bool:
    """Whether the line says that a passed-on message follows."""
    return _marked(line, _FORWARD)


def is_original_marker(line: str) -> bool:
    """Whether the line says that an earlier message of the conversation follows."""
    if line[:1] not in "-_—=*":
        return False
    return _marked(line, _ORIGINAL) or (len(line) < 200 and _DASHED.search(line) is not None)


def _marked(line: str, markers: frozenset[str]) -> bool:
    """Whether the line is one of `markers`, maybe between dashes."""
    if len(line) > 120:
        return False
    bare = line.strip("-_=*— >\t:\xa0").casefold()
    if not bare or bare[0] not in _MARKER_FIRST:
        return False
    return bare in markers or (
        line.lstrip("> ").startswith("--") and any(bare.startswith(marker) for marker in markers)
    )


def is_rule(line: str) -> bool:
    """Whether the line is drawn, such as the underscores above a header block."""
    line = line.strip()
    return len(line) >= 5 and line[0] in _RULE and not set(line) - _RULE


def header_label(line: str) -> str:
    """Return which header a line such as `*Von:* Ada` names, or an empty string."""
    name, colon, _ = line[:60].partition(":")
    if not colon:
        return ""
    kind: str = _LABELS.get(name.strip("* \t>\xa0").casefold(), "")
    return kind


def is_header_block(lines: list[str], at: int) -> bool:
    """Whether the header lines of an earlier message begin at `at`, in any client's language."""
    first = header_label(lines[at])
    if first not in ("from", "date", "subject"):
        return False
    seen = {first}
    for line in lines[at + 1 : at + HEADER_LINES]:
        if not line.strip("> \t"):
            break
        label = header_label(line)
        if label:
            seen.add(label)
    return "from" in seen and (len(seen) >= 3 or (len(seen) == 2 and _is_pair(lines, at)))


def _is_pair(lines: list[str], at: int) -> bool:
    """Whether the line at `at` and the next are From with an address and Date with a date."""
    pair = lines[at : at + 2]
    labels = {header_label(line) for line in pair}
    return labels == {"from", "date"} and any(_DATED.search(line) for line in pair)


def attribution_start(lines: list[str], at: int, *, earliest: int, quoted_next: bool) -> int | None:
    """Return the first line of the attribution that ends at line `at`, or None.

    `quoted_next` says whether quoted lines follow; without them the attribution must hold a date,
    since everything after it will count as quoted.
    """
    last = lines[at].rstrip("*- \xa0")
    if not (last.endswith(":") or (quoted_next and last.endswith(">"))):
        return None
    joined = ""
    for start in range(at, max(earliest, at - ATTRIBUTION_LINES + 1) - 1, -1):
        line = lines[start].strip()
        if not line or line.startswith(">") or len(joined) > ATTRIBUTION_CHARACTERS:
            return None
        joined = f"{line} {joined}".replace("\xa0", " ").replace("< ", "<").rstrip()
        if len(joined) > ATTRIBUTION_CHARACTERS:
            return None
        if _QUOTING.search(joined) and quoted_next:
            return start
        dated = _DATED.search(joined) is not None
        if _OPENED.search(joined) and (dated or quoted_next):
            return start
        if dated and _ADDRESSED.search(joined):
            return start
        if start == at and quoted_next and _NAMED.search(joined):
            return _named_start(lines, at, earliest)
    return None


def _named_start(lines: list[str], at: int, earliest: int) -> int:
    """Return where an attribution begins that opens with a name: at its own line.

    A line above that opens one (`On Monday, 3 May`) belongs to it.
    """
    for start in range(at - 1, max(earliest, at - ATTRIBUTION_LINES + 1) - 1, -1):
        if not lines[start].strip() or lines[start].startswith(">"):
            break
        joined = " ".join(line.strip() for line in lines[start : at + 1]).replace("\xa0", " ")
        if _OPENED.search(joined):
            return start
    return at

"""Where the sender's own words end: signature, sign-off, phone footer, disclaimer, list footer."""

from tasks.segment_lexicon import phrases
from tasks.segment_markers import is_rule

SIGNATURE_LINES = 25
"""Filled lines that a signature after `-- ` may have."""
SIGN_OFF_LINES = 12
"""Filled lines that may follow a sign-off."""
FOOTER_LINES = 8
"""Filled lines that may follow a phone's footer."""
NAME_WORDS = 4
"""Words of a name on the line of a sign-off."""
LINE_CHARACTERS = 90
"""Characters of a line of a signature; disclaimers have longer ones."""

_SIGN_OFFS = phrases("signatures", "sign_offs")
_FOOTERS = tuple(phrases("signatures", "footers"))
_DISCLAIMERS = tuple(phrases("signatures", "disclaimers"))
_LIST_FOOTERS = tuple(phrases("signatures", "list_footers"))
_PUNCTUATION = " \t,.;!*_-–—\xa0"


def ending_start(lines: list[str]) -> int:
    """Return the index from which `lines`, one run of own words, are signature; `len` for none."""
    end = len(lines)
    filled_after = 0
    found = end
    for at in range(end - 1, -1, -1):
        line = lines[at].strip()
        if not line:
            continue
        if _begins_ending(line, lines, at, filled_after):
            found = at
        filled_after += 1
        if filled_after > SIGNATURE_LINES + 20:
            break
    return found


def _begins_ending(line: str, lines: list[str], at: int, filled_after: int) -> bool:
    """Whether the ending begins at this line, with `filled_after` filled lines below it."""
    if line in ("--", "—"):
        return filled_after <= SIGNATURE_LINES
    folded = line.casefold()
    if filled_after <= FOOTER_LINES and len(line) < LINE_CHARACTERS and folded.startswith(_FOOTERS):
        return True
    if folded.lstrip("*_ ").startswith(_DISCLAIMERS) and _is_notice(lines[at:]):
        return _above_is_blank(lines, at)
    if is_rule(line) and len(line) >= 20:
        rest = " ".join(lines[at : at + 12]).casefold()
        return filled_after <= SIGN_OFF_LINES and any(word in rest for word in _LIST_FOOTERS)
    if not filled_after and _is_dashed_name(line) and _above_is_blank(lines, at):
        return True
    return filled_after <= SIGN_OFF_LINES and _is_sign_off(folded, lines, at)


def _is_dashed_name(line: str) -> bool:
    """Whether a last line such as `-Ada Lovelace` or `— Ada` signs; `- gear` is an item."""
    name = line[1:] if line[0] == "-" else line[1:].lstrip()
    words = name.split()
    return (
        line[0] in "-–—"
        and 0 < len(words) <= NAME_WORDS
        and name[:1].isalpha()
        and all(word[0].isupper() for word in words)
    )


def _is_notice(rest: list[str]) -> bool:
    """Whether what follows is one legal notice rather than a message about its subject."""
    return sum(len(line) for line in rest) >= 120 or len(rest) <= 3


def _above_is_blank(lines: list[str], at: int) -> bool:
    """Whether a blank or drawn line, or nothing, stands above."""
    return at > 0 and (not lines[at - 1].strip() or is_rule(lines[at - 1]))


def _is_sign_off(folded: str, lines: list[str], at: int) -> bool:
    """Whether a line takes leave and what follows has the shape of a signature."""
    if len(folded) > LINE_CHARACTERS or not any(line.strip() for line in lines[:at]):
        return False
    bare = folded.strip(_PUNCTUATION)
    if bare not in _SIGN_OFFS and not _named_sign_off(folded):
        return False
    if folded.rstrip().endswith(("?", ":")):
        return False
    return all(len(line) <= LINE_CHARACTERS for line in lines[at + 1 :][:5] if line.strip())


def _named_sign_off(folded: str) -> bool:
    """Whether a line such as `best regards, ada lovelace` takes leave and names."""
    for mark in (",", " - ", " – "):
        phrase, found, name = folded.partition(mark)
        if found and phrase.strip(_PUNCTUATION) in _SIGN_OFFS:
            words = name.strip(_PUNCTUATION).split()
            return 0 < len(words) <= NAME_WORDS and not any(word[-1:] in "?:" for word in words)
    return False

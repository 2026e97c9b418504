"""The end of the sender's own words: signature, card, phone footer, legal notice, list footer.

A closing with a bare name (`Best regards, Ada`) is written by its sender and stays with the new
words; with a card below it (title, company, telephone) it belongs to the signature.
"""

from dataclasses import dataclass, field

from tasks.core.segment.cards import LINE_CHARACTERS, is_card_line, is_contact, is_name, is_notice
from tasks.core.segment.lexicon import phrases
from tasks.core.segment.markers import is_rule
from tasks.core.segment.resuming import is_delimiter, is_postscript, resumes

SIGNATURE_LINES = 25
"""Filled lines that a signature after `-- ` may have."""
CARD_LINES = 18
"""Filled lines that may follow a sign-off, or that a card without one may have."""
FOOTER_LINES = 8
"""Filled lines that may follow a phone's footer."""
NOTICE_LINES = 25
"""Lines of one notice."""
LOOK_LINES = 80
"""Filled lines at the end that are looked at."""
UNKNOWN_LINES = 30
"""Filled lines of which nothing is known, above which nothing more is looked for."""
REMARK_LINES = 3
"""Filled lines under a notice that need not be one, such as a company's registration."""
NOTICE_SHORT = 60
"""Characters below which a line under a notice is no notice."""

_SIGN_OFFS = phrases("signatures", "sign_offs")
_FOOTERS = tuple(phrases("signatures", "footers"))
_GREETINGS = tuple(f"{greeting} " for greeting in sorted(phrases("signatures", "greetings")))
_REMARKS = tuple(phrases("signatures", "remarks"))
_DEVICES = tuple(phrases("signatures", "devices"))
_DISCLAIMERS = tuple(phrases("signatures", "disclaimers"))
_LIST_FOOTERS = tuple(phrases("signatures", "list_footers"))
_PUNCTUATION = " \t,.;!*_-–—\xa0"
_DELIMITERS = frozenset({"--", "—", "- -", "- --", "–"})
_DRAWN = frozenset("-_=*~#+")
_MOST_ENDINGS = 4
"""Signatures with own words between them that one run of lines may have."""


def endings(lines: list[str], sender: str = "") -> list[tuple[int, int]]:
    """Return where signatures begin and end in `lines`, one run of own words, in order.

    There are several where the writer goes on below one: a postscript under a card.
    """
    spans: list[tuple[int, int]] = []
    base = 0
    while base < len(lines) and len(spans) < _MOST_ENDINGS:
        start = base + ending_start(lines[base:], sender)
        again = resumes(lines, start) if start < len(lines) else None
        if again is not None and _is_letterhead(lines, start):
            break
        if start < len(lines):
            spans.append((start, again or len(lines)))
        base = again or len(lines)
    return spans


def _is_letterhead(lines: list[str], start: int) -> bool:
    """Whether a letter greets below line `start` and not above it: that is its head, no card."""
    return any(map(_greets, lines[start:])) and not any(map(_greets, lines[:start]))


def _greets(line: str) -> bool:
    """Whether a line is the greeting of a letter."""
    bare = line.strip()
    return bare.endswith((",", "!", ":")) and bare.casefold().startswith(_GREETINGS)


def ending_start(lines: list[str], sender: str = "") -> int:
    """Return the index from which `lines`, one run of own words, are signature; `len` for none.

    `sender` is the sender's display name, which may begin a card.
    """
    first_line = len(lines)
    filled = 0
    below = _Below()
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at].strip()
        if not line:
            continue
        begins = _above_is_blank(lines, at)
        folded = line.casefold().lstrip("*_ ")
        if _is_firm_ending(line, folded, lines, at, filled, below, begins=begins):
            first_line = at
            below = _Below()
        else:
            if 0 < len(below.lines) <= CARD_LINES and (
                (begins and _is_card(line, lines, at, below, sender))
                or _is_sign_off(folded, lines, at, below)
            ):
                first_line = at
            below.lines.append(line)
        filled += 1
        if filled > LOOK_LINES or len(below.lines) > UNKNOWN_LINES:
            break
    return first_line


@dataclass(slots=True)
class _Below:
    """The lines below, last first, of which nothing is known yet."""

    lines: list[str] = field(default_factory=list)
    _cards: int = 0
    """How many of the first ones could be part of a card."""
    _other: bool = False
    """Whether the one after them could not."""

    def is_card(self) -> bool:
        """Whether all of them could be part of a card; each line is looked at once."""
        while not self._other and self._cards < len(self.lines):
            line = self.lines[self._cards]
            if is_card_line(line) or line.casefold().lstrip("*_ ").startswith(_REMARKS):
                self._cards += 1
            else:
                self._other = True
        return not self._other


def _is_firm_ending(
    line: str, folded: str, lines: list[str], at: int, filled: int, below: _Below, *, begins: bool
) -> bool:
    """Whether a line itself says that the ending begins here.

    `filled` is the number of filled lines below; `begins` says that a blank or drawn line stands
    above.
    """
    if line in _DELIMITERS:
        fits = filled <= SIGNATURE_LINES and (filled > 0 or at > 0)
        return fits and (not below.lines or is_delimiter(lines, at))
    if line[0] in _DRAWN and not set(line) - _DRAWN:
        return _is_drawn_ending(line, lines, at, below, filled)
    if filled <= FOOTER_LINES and len(line) < LINE_CHARACTERS and _is_footer(folded, lines, at):
        return True
    if not begins:
        return False
    if len(below.lines) <= 2 and folded.startswith(_REMARKS):
        return True
    if _is_legal(folded, lines, at, below.lines):
        return True
    return not below.lines and _is_dashed_name(line)


def _is_footer(folded: str, lines: list[str], at: int) -> bool:
    """Whether a phone or a program added the line."""
    if not folded.startswith(_FOOTERS):
        return False
    if folded.endswith("?"):
        return False
    mine, apart = folded.startswith("sent from my"), _above_is_blank(lines, at)
    if mine and apart:
        return True
    if not any(word in folded for word in _DEVICES) or len(folded.split()) > 12:
        return False
    return mine or apart or at == 0 or "phone" in folded or "outlook" in folded


def _is_legal(folded: str, lines: list[str], at: int, below: list[str]) -> bool:
    """Whether the paragraph that begins here is a legal notice with nothing but such below."""
    own = _paragraph(lines, at)
    rest = below[: max(0, len(below) - len(own) + 1)]
    if len(rest) > NOTICE_LINES or (len(own) == 1 and len(own[0]) < NOTICE_SHORT):
        return False
    paragraph = " ".join(line.strip() for line in own)
    is_disclaimer = folded.startswith(_DISCLAIMERS) and len(paragraph) + sum(map(len, rest)) >= 100
    if not is_disclaimer and not is_notice(paragraph):
        return False
    return len(rest) <= REMARK_LINES or is_notice(" ".join(rest))


def _paragraph(lines: list[str], at: int) -> list[str]:
    """Return the lines from `at` to the next blank one."""
    paragraph_lines: list[str] = []
    for line in lines[at : at + NOTICE_LINES]:
        if not line.strip():
            break
        paragraph_lines.append(line)
    return paragraph_lines


def _is_drawn_ending(line: str, lines: list[str], at: int, below: _Below, filled: int) -> bool:
    """Whether a drawn line stands above a card or the footer of a mailing list."""
    if len(line) >= 2 and filled <= CARD_LINES and is_rule(line):
        rest = " ".join(lines[at : at + 14]).casefold()
        if len(line) >= 20 and any(word in rest for word in _LIST_FOOTERS):
            return True
    own = below.lines
    if not own:
        return filled > 0 or at > 0
    shaped = len(line) >= 2 and len(own) <= 8 and below.is_card()
    return shaped and (any(map(is_contact, own)) or (len(own) <= 3 and is_name(own[-1])))


def _is_dashed_name(line: str) -> bool:
    """Whether a last line such as `-Ada Lovelace` or `— Ada` signs; `- gear` is an item."""
    name = line.lstrip("-") if line[0] == "-" else line[1:].lstrip()
    if line.startswith("--"):
        name = name.lstrip()
    return line[0] in "-–—" and name[:1].isalpha() and is_name(name) and len(name.split()) <= 4


def _above_is_blank(lines: list[str], at: int) -> bool:
    """Whether a blank or drawn line stands above."""
    return at > 0 and (not lines[at - 1].strip() or is_rule(lines[at - 1]))


def _is_card(line: str, lines: list[str], at: int, below: _Below, sender: str) -> bool:
    """Whether a name begins a card here: short lines, of which one tells how to reach somebody."""
    if not is_name(line) or not below.is_card():
        return False
    above = next(
        (line_before.strip() for line_before in reversed(lines[:at]) if line_before.strip()), ""
    )
    if not above or above.endswith(":"):
        return False
    has_name = bool(sender) and line.casefold().startswith(sender.casefold().split()[0])
    return has_name or any(map(is_contact, below.lines))


def _is_sign_off(folded: str, lines: list[str], at: int, below: _Below) -> bool:
    """Whether a line takes leave and a card follows; a bare name below it is no card."""
    if len(folded) > LINE_CHARACTERS or folded.endswith(("?", ":")):
        return False
    is_unlisted = folded.strip(_PUNCTUATION) not in _SIGN_OFFS
    if is_unlisted and not _named_sign_off(folded):
        return False
    if not any(line.strip() for line in lines[:at]) or any(map(is_postscript, below.lines)):
        return False
    return below.is_card() and len(below.lines) >= (1 if is_unlisted else 2)


def _named_sign_off(folded: str) -> bool:
    """Whether a line such as `best regards, ada lovelace` takes leave and names."""
    for mark in (",", " - ", " – "):
        phrase, mark_read, name = folded.partition(mark)
        if mark_read and phrase.strip(_PUNCTUATION) in _SIGN_OFFS:
            words = name.strip(_PUNCTUATION).split()
            return 0 < len(words) <= 4 and not any(word[-1:] in "?:" for word in words)
    return False

"""Words in other signs: look-alike letters, digits for letters, letters apart, tag characters.

Undone is what `fold` leaves. All functions are linear in the text.
"""

from operator import ne

import re2

from data.tag_characters import spell_tags
from tasks.core.patterns import compiled
from tasks.core.screen.disguises.run_together import part_run
from tasks.core.screen.words.folding import fold, skeleton
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.vocabulary import vocabulary

_LEET = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"}
)
_LEET_WORD = compiled(r"[^\s]*[A-Za-z@$][013457@$]+[A-Za-z][^\s]*|\b[013457@$][A-Za-z]{3,}")
_DIGITS_IN_WORD = compiled(r"[A-Za-z@$][013457@$]+[A-Za-z]")
_WITH_DIGITS = compiled(r"\b(?:[A-Za-z]{1,12}[013457$]+|[013457$]+[A-Za-z])[A-Za-z013457$]{0,12}\b")
_FEWEST_LEET_WORDS = 2
"""Words of a line with digits for letters from which on it is written so."""
_MOST_LEET_WORDS = 2_000
"""Per line; a bound, so that a line of nothing else does not cost a second."""
_SHORTEST_WORD, _LONGEST_WORD = 3, 24
_AROUND = ".,;:?()[]{}<>\"'"
_SPACED = compiled(r"(?:[\pL013457@$][ \t._*\-]{1,3}){5,}[\pL013457@$]")
_MARKS = r"[.,;:?()\[\]{}<>\"']*"
_LETTERLIKE = r"[\pL013457@$!]*"
_UNLEETABLE = compiled(
    rf"(?m)(?:^|[ \t\f\r]){_MARKS}{_LETTERLIKE}{_DIGITS_IN_WORD.pattern}{_LETTERLIKE}{_MARKS}"
    r"(?:$|[ \t\f\r])|(?:^|[^A-Za-z@$\n])[013457@$][A-Za-z]{3}"
)
"""What `_unleet` changes is among this: of addresses and links, which every mail has, little is."""
_DISGUISED_LINE = compiled(rf"(?m)^.*(?:{_UNLEETABLE.pattern}|{_SPACED.pattern}).*$")
SPACED = GATE.watch(compiled(r"(?:[\pL013457@$][ \t._*\-]{1,3}){5}[\pL013457@$]"), kind="runs")
"""Sign of a text that may have letters apart."""
MASKED = SPACED | GATE.watch(_UNLEETABLE, kind="words")
"""Sign of a text that may be disguised in digits or spaces."""
_TAG = compiled(r"[\x{E0020}-\x{E007E}]")
_GAPS = " \t._*-"
_CUT_GAPS: dict[int, str | None] = dict.fromkeys(map(ord, _GAPS))
_LETTERS_AT_END, _LETTERS_AT_START = compiled(r"\pL+$"), compiled(r"^\pL+")
LONG_WORD = 14
"""Letters from which a word may be several in any disguise."""
_SHORTEST_FEW = 6
"""Letters from which a word with its letters apart may be several."""


def tag_text(text: str) -> str:
    """Return what tag characters (U+E0020 to U+E007E) spell in ASCII, or an empty string."""
    if text.isascii() or _TAG.search(text) is None:
        return ""
    return spell_tags(text)


def unmask(text: str, look_alikes: bool = True) -> str | None:
    """Return `text` without look-alikes, leetspeak and spaced letters; None when it has none.

    Of a text where only some lines are disguised in digits or spaces, these lines are returned.
    Without `look_alikes` letters of other scripts stay, for a text may be written in these.
    """
    plain = skeleton(fold(text)) if look_alikes and not text.isascii() else text
    whole = plain != text and plain.lower() != fold(text)
    lines = plain.split("\n") if whole else _disguised_lines(plain)
    undone = [
        now
        for line, now in zip(lines, _undisguised(lines), strict=True)
        if now and (whole or now != line)
    ]
    return "\n".join(undone) if undone else None


def _disguised_lines(text: str) -> list[str]:
    """Return the lines with letters spaced out or digits in words."""
    return [match.group() for match in _DISGUISED_LINE.finditer(text)]


def _undisguised(lines: list[str]) -> list[str]:
    """Return each line with leetspeak and spaced letters undone.

    No pattern of these reaches over the end of a line, so all are searched together.
    """
    text = "\n".join(lines)
    if _SPACED.search(text) is not None:
        text = str(_SPACED.sub(_join, text))
    undone = text.split("\n") if lines else []
    return undone if _DIGITS_IN_WORD.search(text) is None else list(map(_unleeted, undone))


def _unleeted(line: str) -> str:
    """Return the line with the digits in its words as letters.

    Where several words are so, the others are that begin, end, or nearly consist of digits.
    """
    if _DIGITS_IN_WORD.search(line) is None:
        return line
    undone = str(_LEET_WORD.sub(lambda item: _unleet(item.group()), line, _MOST_LEET_WORDS))
    before, after = line.split(), undone.split()
    if sum(map(ne, before, after)) >= _FEWEST_LEET_WORDS:
        undone = str(_WITH_DIGITS.sub(lambda item: item.group().translate(_LEET), undone))
    return undone


def _unleet(word: str) -> str:
    """Return the word with digits as letters; addresses, links, numbers and codes stay."""
    bare = word.strip(_AROUND)
    if "." in bare or "/" in bare or not _SHORTEST_WORD <= len(bare) <= _LONGEST_WORD:
        return word
    letters = bare.translate(_LEET)
    return letters if letters.isalpha() else word


def _join(match: "re2._Match") -> str:
    """Join single letters to words; where words were set apart by wider gaps, keep those.

    A run begins with the last letter of the word before it, and ends with the first of the next:
    they stay with these words, unless they are the rest of the one that is spaced.
    """
    spaced, text = str(match.group()), str(match.string)
    if 4 * sum(map(str.isalpha, spaced)) < len(spaced.translate(_CUT_GAPS)):
        return spaced  # numbers of a table
    start, end = match.span()
    before = _LETTERS_AT_END.search(text[max(0, start - _LONGEST_WORD) : start])
    after = _LETTERS_AT_START.search(text[end : end + _LONGEST_WORD])
    head, tail = before.group() if before else "", after.group() if after else ""
    letters = spaced.translate(_CUT_GAPS).translate(_LEET)
    for lead, rear in ((head, tail), ("", tail), (head, ""), ("", "")):
        inner = letters[head != lead : len(letters) - (tail != rear)]
        if f"{lead}{inner}{rear}".lower() in vocabulary().words:
            break
    if head != lead:
        spaced = f"{spaced[0]}  {spaced[1:].lstrip(_GAPS)}"
    if tail != rear:
        spaced = f"{spaced[:-1].rstrip(_GAPS)}  {spaced[-1]}"
    words = [word for word in spaced.replace("\t", "  ").split("  ") if word]
    if len(words) > 1 and max(map(len, words)) > 1:
        return " ".join(_word(word) for word in words)
    return _word(spaced)


def _word(spaced: str) -> str:
    """Return the word of single letters, or a few words, where it is made of known ones."""
    letters = spaced.translate(_CUT_GAPS).translate(_LEET)
    small = letters.lower()
    if not _SHORTEST_FEW <= len(letters) < LONG_WORD or small in vocabulary().words:
        return letters
    words, outside = part_run(small)
    return letters if outside else " ".join(words)

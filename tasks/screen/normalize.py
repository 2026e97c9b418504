"""Making look-alike texts alike, so that one vocabulary finds them all.

`fold` is what words are compared in: NFKC (UAX 15), lower case, no accents, nothing invisible.
`unmask` undoes disguises that a fold leaves: look-alike letters of other scripts (UTS 39), digits
for letters, letters with spaces between them. All functions are linear in the text.
"""

import unicodedata
from functools import cache, lru_cache
from operator import ne

from data.mapped import mapped
from data.tag_characters import spelled
from tasks.patterns import compiled
from tasks.screen.gate import GATE

#: Letters that draw nothing: zero-width, bidi controls, soft hyphen, fillers, variation selectors.
INVISIBLE = frozenset(
    (
        *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xFFF9, 0xFFFC),
        *range(0xE0000, 0xE0080),
        *range(0xE0100, 0xE01F0),
    )
)
_CUT_INVISIBLE: dict[int, str | None] = dict.fromkeys(INVISIBLE)
_CUT_ACCENTS: dict[int, str | None] = dict.fromkeys(
    (
        *range(0x0300, 0x0370),
        *range(0x0483, 0x0488),
        0x0640,
        *range(0x064B, 0x0656),
        0x3099,
        0x309A,
        *range(0x1AB0, 0x1B00),
        *range(0x1DC0, 0x1E00),
        *range(0x20D0, 0x2100),
        *range(0xFE20, 0xFE30),
    )
)
_STROKES = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ß": "ss", "ة": "ه", "ى": "ي"}
)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "‐": "-", "‑": "-", "–": "-"})

_PLAIN_DIGITS: dict[int, str | None] = {
    first + place: digit
    for first in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50)  # Arabic, Persian, Indian, Thai
    for place, digit in enumerate("0123456789")
} | {0x20E3: None}
"""Digits of other scripts, and the frame of a key that is drawn around one."""
_DRAWN_LETTERS = (
    {
        first + place: letter
        for first in (0x1F150, 0x1F170, 0x1F1E6)  # in black circles, in black squares, of flags
        for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
    }
    | dict(zip(map(ord, "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ"), "abcdefghijklmnopqrstuvwyz", strict=True))
    | dict(zip(map(ord, "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"), "abcdefghijklmnopqrstuvwxyz", strict=True))
)
"""Letters drawn as pictures, small capitals, and Braille."""
TURNED_LETTERS = dict(zip("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ", "acefghijkmrtvwy", strict=True))
"""Letters that stand on their heads."""
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
_CUT_GAPS: dict[int, str | None] = dict.fromkeys(map(ord, " \t._*-"))
_TAG = compiled(r"[\x{E0020}-\x{E007E}]")


def visible(text: str) -> str:
    """Return `text` without characters that draw nothing."""
    return mapped(text, _CUT_INVISIBLE)


def tag_text(text: str) -> str:
    """Return what tag characters (U+E0020 to U+E007E) spell in ASCII, or an empty string."""
    if text.isascii() or _TAG.search(text) is None:
        return ""
    return spelled(text)


def unpresented(text: str) -> str:
    """Return `text` with other shapes of letters and digits written plainly, case kept."""
    if text.isascii():
        return text
    text = mapped(text, _PLAIN_DIGITS)
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=16)
def fold(text: str) -> str:
    """Return the form in which words are compared (see the module's docstring)."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", mapped(text, _CUT_INVISIBLE))
    marked = unicodedata.normalize("NFKD", mapped(plain, _QUOTES).lower())
    return mapped(mapped(marked, _CUT_ACCENTS), _STROKES)


@cache
def skeleton_table() -> dict[int, str]:
    """Return look-alike letter to ASCII letter or digit (UTS 39 section 4), once per process."""
    from confusable_homoglyphs.utils import load  # the table alone, and only when met: 20 ms

    table: dict[int, str] = {}
    for letter, others in load("confusables.json").items():
        if len(letter) != 1 or letter.isascii():
            continue
        for other in others:
            if len(other["c"]) == 1 and other["c"].isascii() and other["c"].isalnum():
                table[ord(letter)] = other["c"]
                break
    return table | _DRAWN_LETTERS


def skeleton(text: str) -> str:
    """Return `text` with letters that look like ASCII ones written in ASCII."""
    return text if text.isascii() else mapped(text, skeleton_table())


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
    return [found.group() for found in _DISGUISED_LINE.finditer(text)]


def _undisguised(lines: list[str]) -> list[str]:
    """Return each line with leetspeak and spaced letters undone.

    No pattern of these reaches over the end of a line, so all are searched together.
    """
    text = "\n".join(lines)
    if _SPACED.search(text) is not None:
        text = str(_SPACED.sub(lambda found: _join(found.group()), text))
    undone = text.split("\n") if lines else []
    return undone if _DIGITS_IN_WORD.search(text) is None else list(map(_unleeted, undone))


def _unleeted(line: str) -> str:
    """Return the line with the digits in its words as letters.

    Where several words are so, the others are that begin, end, or nearly consist of digits.
    """
    if _DIGITS_IN_WORD.search(line) is None:
        return line
    undone = str(_LEET_WORD.sub(lambda found: _unleet(found.group()), line, _MOST_LEET_WORDS))
    before, after = line.split(), undone.split()
    if sum(map(ne, before, after)) >= _FEWEST_LEET_WORDS:
        undone = str(_WITH_DIGITS.sub(lambda found: found.group().translate(_LEET), undone))
    return undone


def _unleet(word: str) -> str:
    """Return the word with digits as letters; addresses, links, numbers and codes stay."""
    bare = word.strip(_AROUND)
    if "." in bare or "/" in bare or not _SHORTEST_WORD <= len(bare) <= _LONGEST_WORD:
        return word
    letters = bare.translate(_LEET)
    return letters if letters.isalpha() else word


def _join(spaced: str) -> str:
    """Join single letters to words; where words were set apart by wider gaps, keep those."""
    if 4 * sum(map(str.isalpha, spaced)) < len(spaced.translate(_CUT_GAPS)):
        return spaced  # numbers of a table
    words = [word for word in spaced.replace("\t", "  ").split("  ") if word]
    if len(words) > 1 and max(map(len, words)) > 1:
        return " ".join(word.translate(_CUT_GAPS).translate(_LEET) for word in words)
    return spaced.translate(_CUT_GAPS).translate(_LEET)

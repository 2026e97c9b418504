"""Making look-alike texts alike, so that one vocabulary finds them all.

`fold` is what words are compared in: NFKC (UAX 15), lower case, no accents, nothing invisible.
`skeleton` writes look-alike letters of other scripts as what they look like (UTS 39). All functions
are linear in the text.
"""

import unicodedata
from functools import cache, lru_cache

from data.mapped import translate_text

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


def keep_visible(text: str) -> str:
    """Return `text` without characters that draw nothing."""
    return translate_text(text, _CUT_INVISIBLE)


def undo_presentation(text: str) -> str:
    """Return `text` with other shapes of letters and digits written plainly, case kept."""
    if text.isascii():
        return text
    text = translate_text(text, _PLAIN_DIGITS)
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=16)
def fold(text: str) -> str:
    """Return the form in which words are compared (see the module's docstring)."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", translate_text(text, _CUT_INVISIBLE))
    marked = unicodedata.normalize("NFKD", translate_text(plain, _QUOTES).lower())
    return translate_text(translate_text(marked, _CUT_ACCENTS), _STROKES)


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
    return text if text.isascii() else translate_text(text, skeleton_table())

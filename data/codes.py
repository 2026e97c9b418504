"""Codes of things in one form, however they are written: part numbers, error codes, paragraphs.

`BK-40`, `BK 40` and `bk40` are one code, and so are `§ 312 g` and `§312g`. A code is a name: what
holds for one says nothing of the next.
"""

from functools import lru_cache

import re2

_NUMBER = r"\d{1,8}(?:[.\-]\d{1,6})*"
_JOINED = re2.compile(rf"(?:^|[^\pL\pN])(\pL{{1,5}})-?({_NUMBER}\pL?)(?:$|[^\pL\pN])")
_APART = re2.compile(rf"(?:^|[^\pL\pN])(\p{{Lu}}{{2,5}}|[B-HJ-Z]) ({_NUMBER}\pL?)(?:$|[^\pL\pN])")
_PARAGRAPH = re2.compile(r"(§)§? ?(\d{1,4}(?: ?\pL)?)(?:$|[^\pL\pN])")
_MONEY = frozenset({"eur", "usd", "gbp", "chf", "pln", "h"})
_LONGEST = 20_000


@lru_cache(maxsize=4096)
def codes(text: str) -> tuple[str, ...]:
    """Return the codes of `text` in order, each once: letters, `_` and the rest, lower-case.

    Letters apart from their number count in capitals only; amounts and times are no codes.
    """
    text = text[:_LONGEST]
    if not any(letter.isdigit() for letter in text):
        return ()
    codes_read: dict[str, None] = {}
    for pattern in (_JOINED, _APART, _PARAGRAPH):
        for letters, rest in pattern.findall(text):
            if letters.lower() not in _MONEY:
                codes_read[f"{letters}_{rest.replace(' ', '')}".lower()] = None
    return tuple(codes_read)


def is_code(word: str) -> bool:
    """Return whether a folded word is a code: letters and digits together."""
    return any(letter.isdigit() for letter in word) and not all(letter.isdigit() for letter in word)

"""Canary tokens: a mark in private context that nothing outgoing may hold.

Each organization has one, made from its own secret. It stands in internal knowledge and in what
models are told; a text that repeats it shows that private context has leaked. Cut up, turned round,
in other cases or letters, spelled by the beginnings of words, or encoded it is found as well: two
pieces of six characters are enough.
"""

import base64
import codecs
import hmac
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from data.records.core.briefing import INTERNAL, Briefing
from tasks.core.leaks.disguises import bare_letters, bare_numerals, list_readings
from tasks.core.patterns import compiled

if TYPE_CHECKING:
    import re2

LENGTH = 24
"""Characters of a canary, 5 bits each."""
_PIECE, _ENOUGH = 6, 12
"""Characters of a piece, and characters in pieces that are no accident: one in 2^60."""


def make_canary(secret: str) -> str:
    """Return the organization's canary: lower-case letters and digits, the same for a secret."""
    digest = hmac.new(secret.encode(), b"postern canary 1", sha256).digest()
    return base64.b32encode(digest).decode().lower()[:LENGTH]


def mark_briefing(briefing: Briefing, canary: str) -> Briefing:
    """Return a briefing whose internal knowledge bears the canary in a line of its own."""
    return briefing.model_copy(
        update={
            "snippets": tuple(
                snippet.model_copy(update={"text": f"{snippet.text}\n[{canary}]"})
                if snippet.ref.startswith(INTERNAL)
                else snippet
                for snippet in briefing.snippets
            )
        }
    )


def echoes(text: str, canary: str) -> bool:
    """Return whether `text` repeats a canary or enough of it, in whatever disguise is undone."""
    if not canary:
        return False
    needles = _needles(canary)
    # All readings at once, a line each: in nearly every letter no piece stands in any of them.
    lines = "\n".join(list_readings(text))
    if needles.any_word.search(lines) and any(
        _covered(reading, row) for reading in lines.split("\n") for row in needles.words
    ):
        return True
    digits, codes = bare_numerals(text)
    return any(_covered(digits, row) for row in needles.digits) or _covered(codes, needles.hex)


class _Needles(NamedTuple):
    """Pieces of a canary to look for; a row has one for each place in it."""

    words: tuple[tuple[str, ...], ...]
    """As it is, turned round, and with the alphabet turned by half (ROT13)."""
    digits: tuple[tuple[str, ...], ...]
    """As decimal and as binary numbers of its letters."""
    hex: tuple[str, ...]
    any_word: "re2._Regexp"
    """Finds a piece of `words`, whichever it is."""


@lru_cache(maxsize=64)
def _needles(canary: str) -> _Needles:
    pieces = _pieces(canary)
    words = (
        pieces,
        _pieces(canary[::-1]),
        _pieces(codecs.encode(canary, "rot13")),
        *(_pieces(code) for code in _encoded(canary)),
    )
    return _Needles(
        words=words,
        any_word=compiled("|".join(sorted({piece for row in words for piece in row}))),
        digits=(
            tuple("".join(str(ord(letter)) for letter in piece) for piece in pieces),
            tuple("".join(f"{ord(letter):08b}" for letter in piece) for piece in pieces),
        ),
        hex=tuple(piece.encode().hex() for piece in pieces),
    )


def _covered(text_seen: str, pieces: tuple[str, ...]) -> bool:
    """Return whether pieces that stand in `text_seen` hold enough of the canary's letters."""
    if len(text_seen) < _PIECE:
        return False
    covered: set[int] = set()
    for at, piece in enumerate(pieces):
        if piece in text_seen:
            covered.update(range(at, at + _PIECE))
    return len(covered) >= _ENOUGH


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + _PIECE] for at in range(len(text) - _PIECE + 1))


def _encoded(canary: str) -> list[str]:
    """Return what base64 makes of a canary wherever it stands, without the changing ends."""
    decoded = []
    for before in range(3):
        code = base64.b64encode(b"\0" * before + canary.encode()).decode().rstrip("=")
        decoded.append(bare_letters(code[4 if before else 0 : -2]))
    return decoded

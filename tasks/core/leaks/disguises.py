"""The disguises of a short secret in a text that is to give it away: every reading of the text.

First version: what is undone is listed here. A cipher with a key of its own, or a picture drawn
of letters, is not read.
"""

import base64
import binascii
import html
from collections.abc import Iterator
from urllib.parse import unquote

from tasks.core.leaks.links import undo_disguises
from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import skeleton

_PACKED = compiled(r"[A-Za-z0-9+/_\-]{16,}={0,6}")
_MOST_PACKED = 64
"""Packed runs of a text that are opened; a letter has none."""
_KEPT_BELOW = 0x3000
"""Letters whose answer is remembered: the alphabets."""
_DEPTH = 2
"""How often what was packed is opened again."""


def list_readings(text: str, depth: int = _DEPTH) -> Iterator[str]:
    """Yield every reading of `text` in small letters and digits alone, the plainest first."""
    plain_text = undo_disguises(text)
    yield bare_letters(plain_text)
    if not plain_text.isascii():
        yield bare_letters(skeleton(plain_text))
    open_ = html.unescape(unquote(plain_text))
    if open_ != plain_text:
        yield bare_letters(open_)
    yield "".join(word[0] for word in plain_text.lower().split())
    yield "".join(line.strip()[:1] for line in plain_text.lower().splitlines())
    if depth:
        for run in _PACKED.findall(plain_text)[:_MOST_PACKED]:
            for opened in _decode_bases(run):
                yield from list_readings(opened, depth - 1)


def bare_numerals(text: str) -> tuple[str, str]:
    """Return the digits of `text`, and its letters and digits without what marks numbers as hex."""
    plain_text = undo_disguises(text)
    digits = "".join(filter(str.isdigit, plain_text))
    return digits, bare_letters(plain_text.replace("0x", "")).replace("x", "")


class _OnlyLetters(dict[int, int | None]):
    """A table for `str.translate` that leaves letters and digits; no mail can make it large."""

    def __missing__(self, code: int) -> int | None:
        """Return what a letter becomes: itself, or nothing for what is no letter and no digit."""
        mapped = code if chr(code).isalnum() else None
        if code < _KEPT_BELOW:
            self[code] = mapped
        return mapped


_ONLY_LETTERS = _OnlyLetters()


def bare_letters(text: str) -> str:
    """Return the letters and digits of `text`, small."""
    return text.lower().translate(_ONLY_LETTERS)


def _decode_bases(run: str) -> Iterator[str]:
    """Yield what a run of letters gives as base64 and as base32 (RFC 4648)."""
    bare = run.rstrip("=")
    if len(bare) % 4 != 1:
        code = bare.replace("-", "+").replace("_", "/")
        yield base64.b64decode(code + "=" * (-len(code) % 4)).decode("latin-1")
    try:
        small = base64.b32decode(bare.upper() + "=" * (-len(bare) % 8))
    except (binascii.Error, ValueError):
        return
    yield small.decode("latin-1")

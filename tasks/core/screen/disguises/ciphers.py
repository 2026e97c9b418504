"""Texts turned as a whole: letters shifted or mirrored, read backwards, words in reversed order.

Any text can be turned into something, so each way is tried only where a telling word shows in it.
The words are short and known, and the patterns of them are part of `GATE`. Two ciphers over each
other are told by the same words: one is undone here, the other when the result is read again.
"""

import codecs
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import re2

from tasks.core.patterns import compiled
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE
from tasks.core.screen.words.vocabulary import vocabulary

CHARACTERS = 32_000
"""Characters of a text that are turned, at its two ends: a third more than a model is shown."""
_LETTERS = 26
_ROT47_FIRST, _ROT47_SIZE, _ROT47_SHIFT = 33, 94, 47
_SHORTEST = 6
"""Letters of a word that tells of a shift; five letters are met by chance."""
TELLING = (
    "ignore", "instructions", "instruction", "previous", "prompt", "system", "disregard",
    "ignoriere", "anweisungen", "vorherigen", "instruccion", "instrucciones", "anteriores",
    "precedentes", "istruzioni", "precedenti", "dimentica", "instrucoes", "instrukcje",
    "poprzednie", "password", "passwords", "passwort", "contrasena", "assistant", "restrictions",
)  # fmt: skip
"""Words by which a shift is told, few, because each has a hundred shapes."""
_REORDERED = compiled(
    r"(?i)\b(?:instructions?|rules|guidelines|directives|orders|directions|prompts)"
    r" (?:previous|prior|earlier|preceding|former|initial)\b"
    r"|\b(?:prompts?|message|instructions) system\b"
    r"|\b(?:previous|prior|earlier|preceding) (?:all|any|the|your)\b"
    r"|\bthe (?:of|to|from|send|ignore|forward|reveal|disregard|into|with|and)\b"
    r"|(?:anweisungen|regeln|vorgaben|instruktionen) (?:vorherigen|bisherigen|fr.heren|obigen)"
    r"|\b(?:vorherigen|bisherigen) (?:alle|deine|die)\b"
    r"|\b(?:instrucciones|reglas) (?:las|tus)\b|\banteriores (?:instrucciones|reglas)\b"
    r"|\bpr.c.dentes (?:instructions|consignes|r.gles)\b|\b(?:instructions|consignes) (?:les|tes)\b"
    r"|\b(?:istruzioni|regole) (?:le|tue)\b|\banteriores (?:instru|regras|ordens)"
    r"|instrukcje poprzednie|инструкции предыдущие|предыдущие все"
)
_TURNED = dict(zip("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ", "acefghijkmrtvwy", strict=True))
"""Letters that stand on their heads."""
_UPSIDE = compiled(f"[{''.join(_TURNED)}][a-z]*(?:[{''.join(_TURNED)}][a-z ]*){{3}}")


class _Signs(NamedTuple):
    """What `GATE` finds where a text is turned."""

    rot13: int
    backwards: int
    shifted: int
    rot47: int
    reordered: int
    upside: int

    @property
    def any(self) -> int:
        """Any of them."""
        return (
            self.rot13 | self.backwards | self.shifted | self.rot47 | self.reordered | self.upside
        )


@cache
def cipher_signs() -> _Signs:
    """Register the patterns with the gate; to be asked before any signs are."""
    telling = vocabulary().telling
    plain = {word for word in telling if word.isascii()}
    backwards = {word[::-1] for word in telling}
    return _Signs(
        rot13=_watched(_any_of({codecs.encode(word, "rot13") for word in plain})),
        backwards=GATE.watch(
            _any_of(
                {word for word in backwards if word.isascii()},
                {word for word in backwards if not word.isascii()},
            ),
            kind="reversed",
        ),
        shifted=_watched(_build_shifted_pattern()),
        rot47=_watched(_any_of(set(), {re2.escape(word) for word in _rot47_shapes()})),
        reordered=_watched(_REORDERED),
        upside=GATE.watch(_UPSIDE, kind="runs"),
    )


def _watched(pattern: "re2._Regexp") -> int:
    return GATE.watch(pattern, kind="ciphers")


def turned(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, plain text) for each way in which a telling word shows in `text`.

    `signs` is what `GATE` found in it.
    """
    ours = cipher_signs()
    if not signs & ours.any:
        return
    text = ends(text, CHARACTERS)
    if signs & ours.rot13:
        yield "rot13", codecs.encode(text, "rot13")
    if signs & ours.backwards:
        backwards = text[::-1]
        yield "reversed", backwards
        yield "reversed", _words_reversed(backwards)  # each word by itself
    if signs & ours.shifted:
        for way in sorted({_ways()[shift] for shift in _shifts_in(text)}):
            yield ("mirrored" if way.mirrored else "shifted"), text.translate(_letters(way))
    if signs & ours.rot47:
        yield "rot47", _rot47(text)
    if signs & ours.reordered:
        yield "reordered", "\n\n".join(_reordered_lines(text))
    if signs & ours.upside:
        yield "upside_down", text[::-1].translate(_UPSIDE_TABLE)


def _reordered_lines(text: str) -> Iterator[str]:
    """Yield lines whose words seem to stand in reversed order, each with its neighbours."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if _REORDERED.search(line) is not None:
            yield _words_reversed(" ".join(lines[max(0, at - 2) : at + 3]))


def _words_reversed(text: str) -> str:
    return " ".join(word.strip(".,;:!?") for word in reversed(text.split()))


def _any_of(words: set[str], inside: Iterable[str] = ()) -> "re2._Regexp":
    """Return a pattern of whole `words`, and of `inside`, which have no boundaries of words."""
    whole = [rf"\b(?:{'|'.join(sorted(words))})\b"] if words else []
    pieces = [*whole, *sorted(inside)]
    return compiled(("(?i)" if words else "") + "|".join(pieces) if pieces else "$^")


class _Way(NamedTuple):
    """How letters move along the alphabet: mirrored or not, and how far."""

    mirrored: bool
    distance: int


@cache
def _ways() -> dict[str, _Way]:
    """Return each moved shape of a telling word, and read backwards, with how to move it back.

    Shifts and mirroring over each other are one of these ways again (affine ciphers).
    """
    ways: dict[str, _Way] = {}
    for way in (_Way(mirrored, far) for mirrored in (False, True) for far in range(_LETTERS)):
        back = way if way.mirrored else _Way(False, -way.distance % _LETTERS)
        for word in TELLING:
            shape = word.translate(_letters(way))
            if way.mirrored or way.distance not in (0, _LETTERS // 2):
                ways[shape] = back  # rot13 has a pattern of its own, of all telling words
            if way != _Way(False, 0):
                ways[shape[::-1]] = back
    return ways


@cache
def _build_shifted_pattern() -> "re2._Regexp":
    return _any_of(set(_ways()))


def _shifts_in(text: str) -> Iterator[str]:
    for match, _ in zip(_build_shifted_pattern().finditer(text), range(_SHORTEST), strict=False):
        yield match.group().lower()


@cache
def _letters(way: _Way) -> dict[int, int]:
    """Return a table that moves ASCII letters (Caesar's cipher, atbash, and both)."""
    sign = -1 if way.mirrored else 1
    return {
        first + place: first + (sign * place + way.distance) % _LETTERS
        for first in (ord("a"), ord("A"))
        for place in range(_LETTERS)
    }


_ROT47 = {
    _ROT47_FIRST + place: _ROT47_FIRST + (place + _ROT47_SHIFT) % _ROT47_SIZE
    for place in range(_ROT47_SIZE)
}
_UPSIDE_TABLE = str.maketrans(
    _TURNED | {"n": "u", "u": "n", "p": "d", "d": "p", "q": "b", "b": "q"}
)


def _rot47_shapes() -> set[str]:
    """Return the shapes of telling words in rot47, of rot13 and of words backwards too."""
    words = {*TELLING, *(codecs.encode(word, "rot13") for word in TELLING)}
    return {_rot47(shape) for word in words for shape in (word, word[::-1])}


def _rot47(text: str) -> str:
    return text.translate(_ROT47)

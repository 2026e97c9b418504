"""Codes that spell letter by letter: numbers, bits, Morse, places in the alphabet.

Each is found by its shape and given back as text; what is no text is not given. All are linear.
"""

from collections.abc import Callable, Iterator

import re2

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.joining import parted_words
from tasks.core.screen.disguises.packed_bytes import read_packed
from tasks.core.screen.words.pattern_gate import GATE

_BYTES = 20_000
_PLACES = 40
"""Runs of each code that may spell something."""
_TRIED = 100_000
"""Characters of runs of each code that are tried."""
_BETWEEN = r"[ ,;.\-+/|_\n]{1,3}"
_DECIMALS = compiled(rf"(?:\b[0-9]{{2,3}}{_BETWEEN}){{11,}}[0-9]{{2,3}}\b")
_TRIPLES = compiled(r"(?:0[3-9][0-9]|1[0-9][0-9]|2[0-4][0-9]){16,}")
_OCTALS = compiled(
    r"(?:\\[0-3]?[0-7]{2}[ ,]?){8,}|(?:\b[01][0-7]{2}\b[ ,]{1,2}){11,}[01][0-7]{2}"
    r"|(?:\b0o[0-7]{2,3}[ ,;]{0,2}){8,}"
)
_BITS = compiled(r"[01]{64,}")
_BIT_GROUPS = compiled(r"(?:\b(?:0b)?[01]{7,8}(?:[ ,;|/\-]{1,2}|\s)){7,}(?:0b)?[01]{7,8}\b")
_DOTS_AND_DASHES = r"[.\-–—−_·•∙●]"
_MORSE = compiled(rf"(?:{_DOTS_AND_DASHES}+(?: {{1,3}}| ?[/|] ?|\n)){{12,}}{_DOTS_AND_DASHES}+")
_ALPHABET = compiled(r"(?:(?:[1-9]|1[0-9]|2[0-6])[\- .,/]{1,3}){11,}(?:2[0-6]|1[0-9]|[1-9])")
_DECIMAL_SIGN = GATE.watch(compiled(rf"(?:\b[0-9]{{2,3}}{_BETWEEN}){{6}}"), kind="numbers")
_TRIPLES_SIGN = GATE.watch(compiled(r"[0-9]{40}"), kind="numbers")
_OCTAL_SIGN = GATE.watch(
    compiled(r"(?:\\[0-7]{2,3}){4}|(?:0o[0-7]{2,3}[ ,;]{0,2}){4}"), kind="numbers"
)
_BIT_SIGN = GATE.watch(compiled(r"[01]{32}"), kind="numbers")
_GROUP_SIGN = GATE.watch(compiled(r"(?:\b(?:0b)?[01]{7,8}[ ,;|/\-\n]{1,2}){3}"), kind="numbers")
_MORSE_SIGN = GATE.watch(compiled(rf"(?:{_DOTS_AND_DASHES}+[ /|]+){{6}}"), kind="runs")
_ALPHABET_SIGN = GATE.watch(compiled(r"(?:\b[0-9]{1,2}[\- .,/]{1,3}){8}"), kind="numbers")
LETTERED = (
    _DECIMAL_SIGN | _TRIPLES_SIGN | _OCTAL_SIGN | _BIT_SIGN | _GROUP_SIGN | _MORSE_SIGN
    | _ALPHABET_SIGN
)  # fmt: skip
"""Sign of a text that may spell something letter by letter."""

_NUMBER = compiled("[0-9]+")
_MORSE_SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .--"
    " -..- -.-- --.. .--.-. .-.-.- ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
)
_MORSE_LETTERS = dict(
    zip(_MORSE_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz@.0123456789", strict=True)
)
_DASHES = str.maketrans(dict.fromkeys("–—−_", "-") | dict.fromkeys("·•∙●", "."))
_LOWEST_PRINTED = 32
_ENDS = frozenset((9, 10, 13))


def lettered(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, plain text) for what `text` spells letter by letter.

    `signs` is what `GATE` found in it.
    """
    if not signs & LETTERED:
        return
    for sign, code, pattern, read in _CODES:
        if signs & sign:
            yield from ((code, plain) for plain in _spell_runs(text, pattern, read))


def _spell_runs(text: str, pattern: "re2._Regexp", read: Callable[[str], str]) -> Iterator[str]:
    """Yield what the runs of a pattern spell; those that spell nothing hide no others."""
    places, left = _PLACES, _TRIED
    for match in pattern.finditer(text):
        run = match.group()[:_BYTES]
        left -= len(run)
        if plain := read(run):
            places -= 1
            yield plain
        if places <= 0 or left <= 0:
            return


def text_of(raw: bytes) -> str:
    """Return UTF-8 as text, and what can be read of bytes that are none."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return read_packed(raw)


def _numbers(run: str, base: int) -> str:
    """Return the bytes that numbers stand for, as text."""
    values = [int(number, base) for number in _NUMBER.findall(run)]
    if any(value < _LOWEST_PRINTED and value not in _ENDS for value in values):
        return ""
    return text_of(bytes(value for value in values if value < 256))


def _octals(run: str) -> str:
    return _numbers(run.replace("0o", " ").replace("\\", " "), 8)


def _decimals(run: str) -> str:
    return _numbers(run, 10)


def _triples(run: str) -> str:
    return _decimals(" ".join(run[at : at + 3] for at in range(0, len(run) // 3 * 3, 3)))


def _bit_groups(run: str) -> str:
    return text_of(bytes(int(group, 2) for group in _NUMBER.findall(run.replace("0b", " "))))


def _bits(run: str) -> str:
    return text_of(int(run[: len(run) // 8 * 8], 2).to_bytes(len(run) // 8, "big"))


def _morse(run: str) -> str:
    """Return Morse code (ITU-R M.1677) as text; words are parted by a stroke or a wide gap."""
    plain = run.translate(_DASHES).replace("\n", " / ").replace("|", "/").replace("   ", " / ")
    words = [
        "".join(_MORSE_LETTERS.get(sign, "") for sign in word.split()) for word in plain.split("/")
    ]
    return " ".join(parted_words(word) for word in words)


def _alphabet(run: str) -> str:
    """Return places in the alphabet as letters; words are parted by what parts no letters."""
    gaps = " " if "-" in run or "." in run or "," in run else "\n"
    words = [
        "".join(chr(96 + int(number)) for number in _NUMBER.findall(word) if 0 < int(number) <= 26)
        for word in run.replace("/", gaps).split(gaps)
    ]
    return " ".join(parted_words(word) for word in words)


_CODES: tuple[tuple[int, str, "re2._Regexp", Callable[[str], str]], ...] = (
    (_DECIMAL_SIGN, "decimal", _DECIMALS, _decimals),
    (_TRIPLES_SIGN, "decimal", _TRIPLES, _triples),
    (_GROUP_SIGN, "binary", _BIT_GROUPS, _bit_groups),
    (_OCTAL_SIGN | _DECIMAL_SIGN, "octal", _OCTALS, _octals),
    (_BIT_SIGN, "binary", _BITS, _bits),
    (_MORSE_SIGN, "morse", _MORSE, _morse),
    (_ALPHABET_SIGN, "alphabet", _ALPHABET, _alphabet),
)

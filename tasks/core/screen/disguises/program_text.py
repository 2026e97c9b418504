"""Words cut in pieces as programs write them: strings joined, lists of letters, character codes."""

from collections.abc import Iterator

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.joining import parted_words
from tasks.core.screen.disguises.letter_codes import text_of
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE

_CHARACTERS = 50_000
"""Characters of a text that are looked at, at its two ends."""
_PLACES = 200
"""Rows of character codes that are read."""
_FEWEST = 3
"""Pieces from which a row of strings is read."""
_CUT_AT = 6
"""Letters of a piece, at most on the average, where a text was cut."""
_STRING = r"(?:\"[^\"\n]{0,40}\"|'[^'\n]{0,40}'|`[^`\n]{0,40}`)"
_JOINED = compiled(rf"{_STRING}(?:[ \t\n]*(?:[+.&,]|\|\||\.\.|<>)?[ \t\n]*{_STRING})+")
_PIECE = compiled(r"([^\"'`]*)(?:\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`)")
"""What stands before a string, and the string."""
_BRACKETS = compiled(r"(?:[\[({<]\pL{1,3}[\])}>][ ]?){4,}")
_BRACKET = compiled(r"[\[\](){}<>]")
_CHR = compiled(
    r"(?i)(?:\bchrw?\$?[ ]?\([ ]?(?:0x[0-9a-f]{2,4}|[0-9]{2,4})[ ]?\)[ \t\n+.&,|]*){4,}"
)
_NUMBERS = compiled(r"(?i)0x[0-9a-f]+|[0-9]+")
_STRING_SIGN = GATE.watch(
    compiled(r"[\w\pL][\"'`][ \t\n]*(?:[+.&,]|\|\||\.\.|<>)?[ \t\n]*[\"'`][\w\pL]"), kind="signs"
)
_OTHER_SIGN = GATE.watch(
    compiled(r"(?:[\[({<]\pL{1,3}[\])}>][ ]?){4}"), compiled(r"(?i)\bchrw?\$?[ ]?\("), kind="signs"
)
WRITTEN = _STRING_SIGN | _OTHER_SIGN
"""Sign of a text that may hold strings of a program."""


def program_text(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for words that `text` cuts in pieces; `signs` are `GATE`'s."""
    if not signs & WRITTEN:
        return
    text = ends(text, _CHARACTERS)
    if signs & _STRING_SIGN:
        whole = _JOINED.sub(lambda item: _put_together(item.group()), text)
        yield from _changed(text, whole)
    if signs & _OTHER_SIGN:
        whole = _BRACKETS.sub(lambda item: f" {_BRACKET.sub('', item.group())} ", text)
        yield from _changed(text, whole)
        for match, _ in zip(_CHR.finditer(text), range(_PLACES), strict=False):
            yield "characters", _characters(match.group())


def _changed(text: str, whole: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of `whole` that `text` has not."""
    if whole != text:
        before = set(text.split("\n"))
        yield "pieces", "\n".join(line for line in whole.split("\n") if line not in before)


def _put_together(run: str) -> str:
    """Return the strings of a row as one, or the row when it is two without a sign between.

    Where a sign stands between some of them only, the others are words apart.
    """
    concatenated = [
        (before.strip(), "".join(filter(None, own))) for before, *own in _PIECE.findall(run)
    ]
    pieces = [piece for _, piece in concatenated]
    if len(pieces) < _FEWEST and concatenated[-1][0] in ("", ","):
        return run
    if len(pieces) >= _FEWEST and max(map(len, pieces)) == 1:
        return " ".join(parted_words(word) for word in "".join(pieces).split(" "))
    if "," in (before for before, _ in concatenated[1:]) and not _is_cut(pieces):
        return run
    if (
        len({before for before, _ in concatenated[1:]}) > 1
    ):  # words apart, pieces with a sign between
        return "".join(f" {piece}" if not before else piece for before, piece in concatenated)
    return "".join(pieces)


def _is_cut(pieces: list[str]) -> bool:
    """Whether pieces are of a text that was cut anywhere, and no list of words."""
    return (
        len(pieces) > _FEWEST
        and sum(map(len, pieces)) <= _CUT_AT * len(pieces)
        and any(" " in piece for piece in pieces)
    )


def _characters(run: str) -> str:
    """Return what codes of characters stand for; bytes of UTF-8 as text."""
    values = [
        int(number, 16 if number[:2].lower() == "0x" else 10) for number in _NUMBERS.findall(run)
    ]
    if all(value < 256 for value in values) and (plain := text_of(bytes(values))):
        return plain
    return "".join(
        chr(value) for value in values if value < 0x110000 and not 0xD800 <= value < 0xE000
    )

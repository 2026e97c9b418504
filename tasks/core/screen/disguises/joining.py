"""Letters written apart, words written together, and what is written into words.

Undone only for the rules, so it may be wrong about an abbreviation; what it makes of ordinary text
says nothing. `GATE` tells which texts are worth the look. All functions are linear in the text.
"""

from collections.abc import Iterator

import re2

from tasks.core.patterns import compiled
from tasks.core.screen.disguises.disguise_names import ALL, Disguises
from tasks.core.screen.disguises.masked_words import LONG_WORD, MASKED, SPACED, tag_text, unmask
from tasks.core.screen.disguises.mixed_alphabets import unmixed
from tasks.core.screen.disguises.run_together import RUN_TOGETHER, any_word, parted_runs
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.pattern_gate import GATE

_LETTER = r"[\pL013457@$]"
_MARK = r"[._*\-|/,+~·•]"
_APART = compiled(rf"(?:^|[\s>(\"'])(?:{_LETTER}{_MARK})+{_LETTER}")
_TOGETHER = compiled(r"(?:^|[\s>(\"'=])(?:(?:\pL+[.*+|~]){4,}\pL+|(?:\pL+[\-_]){5,}\pL+)")
_CAPITALS = compiled(r"(?:\p{Lu}\p{Ll}+){4,}")
_CAPITAL = compiled(r"\p{Lu}")
_LINE = compiled(
    rf"(?m)^.*(?:{_APART.pattern}{_MARK}{_LETTER}|{_TOGETHER.pattern}|{_CAPITALS.pattern}).*$"
)
_BROKEN = compiled(r"(\pL)-\r?\n[ \t>]*(\pL)")
_INSIDE = compiled(r"(\pL)(?:\*\*|__|<[/!A-Za-z][^<>\n]*>|&[A-Za-z]{3,6};)+(\pL)")
_DRAWN_OUT = compiled(r"[aA]{3,}|[eE]{3,}|[iI]{3,}|[oO]{3,}|[uU]{3,}")
_APART_SIGN = GATE.watch(
    compiled(rf"(?:^|[\s>(\"']){_LETTER}{_MARK}\pL{_MARK}{_LETTER}{_MARK}{_LETTER}"), kind="runs"
)
_TOGETHER_SIGN = GATE.watch(_TOGETHER, kind="lines") | GATE.watch(_CAPITALS, kind="runs")
_INSIDE_SIGN = GATE.watch(
    compiled(r"\pL-\r?\n[ \t>]*\pL"),
    compiled(r"\pL(?:\*\*|__|<[/!A-Za-z][^<>\n]*>|&[A-Za-z]{3,6};)+\pL"),
    _DRAWN_OUT,
    kind="lines",
)
_COLUMN_SIGN = GATE.watch(compiled(rf"(?:\n[ \t>]*{_LETTER}[ \t]*\r?){{4}}"), kind="lines")
_STEPS_SIGN = GATE.watch(compiled(r"(?:\n[ \t>]*[^\s>]+[ \t]*\r?\n[ \t>]*\r?){4}"), kind="lines")
JOINED = _APART_SIGN | _TOGETHER_SIGN | RUN_TOGETHER | _INSIDE_SIGN | _COLUMN_SIGN | _STEPS_SIGN
"""Sign of a text with letters or words that are not where they belong."""
_CUT_MARKS: dict[int, str | None] = dict.fromkeys(map(ord, "._*-|/,+~·•"))
_SPACES = str.maketrans(dict.fromkeys(".*+|~-_", " "))
_MOST = 50_000
"""Characters of a text that are put together, at its two ends."""
_UNMASKED_AT_MOST = 200_000
"""Characters of a text that are read without their disguise, at its two ends: more than a model is
shown, and a megabyte in which every line is disguised is not read three times."""
_LONG = compiled(r"\pL{14}\pL*")
_LONG_TAG = 3
_FEWEST_LINES = 5
_LONGEST_LONE = 20
"""Letters of a word that stands alone; ideographs do not part their words."""


def undisguised(text: str, signs: int, undone: Disguises = ALL) -> Iterator[tuple[str, str]]:
    """Yield (form, text) for each way in which `text` is disguised: the text without it."""
    spelled = tag_text(text) if "tag_characters" in undone else ""
    if len(spelled) > _LONG_TAG:
        yield "tag_characters", spelled
    shown = ends(text, _MOST)
    mixed = unmixed(shown) if "mixed_alphabets" in undone else None
    if mixed is not None:
        yield "unmasked", list_changed(shown, mixed)
    if "masked_words" in undone and (not text.isascii() or signs & MASKED):
        shown = ends(text, _UNMASKED_AT_MOST)
        unmasked = unmask(shown)
        if unmasked is not None:
            if signs & SPACED:
                unmasked = _LONG.sub(lambda item: parted_words(item.group()), unmasked)
            yield "unmasked", list_changed(shown, unmasked)
        if signs & SPACED and not text.isascii():
            apart = unmask(shown, look_alikes=False)
            if apart is not None:
                yield "unmasked", _LONG.sub(lambda item: parted_words(item.group()), apart)
    if signs & JOINED:
        yield from (("unmasked", plain) for plain in rejoined(text, signs, undone))


def list_changed(text: str, other: str) -> str:
    """Return the paragraphs of `other` that are not as in `text`, with those beside them.

    One word that is cut at the end of a line is no reason to read a long letter twice.
    """
    before, after = text.split("\n\n"), other.split("\n\n")
    if len(before) != len(after):
        return other
    own = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    near = sorted({place + step for place in own for step in (-1, 0, 1)})
    return "\n\n".join(after[place] for place in near if 0 <= place < len(after))


def rejoined(text: str, signs: int, undone: Disguises = ALL) -> Iterator[str]:
    """Yield what `text` says with its letters and words put together as words are.

    `signs` are those of `GATE`; what has none of `JOINED` yields nothing.
    """
    text = ends(text, _MOST)
    if "letters_apart" in undone and signs & (_APART_SIGN | _TOGETHER_SIGN):
        lines = [_line(match.group()) for match in _LINE.finditer(text)]
        if lines:
            yield "\n".join(lines)
    if (
        "run_together" in undone
        and signs & RUN_TOGETHER
        and (parted := "\n".join(parted_runs(text)))
    ):
        yield parted
    if "torn_words" in undone and signs & _INSIDE_SIGN:
        whole = _BROKEN.sub(r"\1\2", text)
        whole = _INSIDE.sub(r"\1\2", _INSIDE.sub(r"\1\2", whole)).replace("**", "")
        whole = str(_DRAWN_OUT.sub(lambda item: item.group()[0], whole))
        if whole != text:
            yield list_changed(text, whole)
    if "columns" in undone and signs & (_COLUMN_SIGN | _STEPS_SIGN):
        yield from _columns(text)


def _line(line: str) -> str:
    """Return a line without the marks that part letters, and with spaces where marks part words."""
    line = _APART.sub(lambda item: parted_words(item.group().translate(_CUT_MARKS)), line)
    line = _TOGETHER.sub(lambda item: item.group().translate(_SPACES), line)
    return str(_CAPITALS.sub(lambda item: _CAPITAL.sub(_spaced, item.group()), line))


def _spaced(match: "re2._Match") -> str:
    return f" {match.group()}"


def _columns(text: str) -> Iterator[str]:
    """Yield what stands one letter a line or one word a paragraph."""
    letters: list[str] = []
    words: list[str] = []
    for line in (*text.splitlines(), "the end"):
        bare = line.strip(" \t>")
        if len(bare) <= 1:
            letters.append(bare or " ")
        else:
            if sum(map(str.isalpha, letters)) > _FEWEST_LINES:
                yield " ".join(map(parted_words, "".join(letters).split()))
            letters = []
        if bare and " " not in bare and len(bare) <= _LONGEST_LONE and max(bare) < "\u2e80":
            words.append(bare)
        elif bare:
            if len(words) >= _FEWEST_LINES:
                yield " ".join(words)
            words = []


def parted_words(letters: str) -> str:
    """Return `letters` with spaces around the words of the vocabulary, when they are many."""
    if len(letters) < LONG_WORD:
        return letters
    return str(any_word().sub(lambda item: f" {item.group()} ", letters.lower())).strip()

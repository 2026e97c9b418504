"""Words and letters at the beginnings and ends of lines, where they are words of an order.

Every text has beginnings of lines, so they are given back only where one of them overrides and
another is an instruction, or where their letters spell a word that tells of an order to a machine.
"""

from collections.abc import Iterator

from tasks.core.screen.disguises.ciphers import TELLING
from tasks.core.screen.disguises.joining import parted_words
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.spotting import mask_of
from tasks.core.screen.words.vocabulary import vocabulary

_OVERRIDE, _THING = "override", "instruction|prompt_object|machine"
_CHARACTERS = 32_000
"""Characters of a text whose lines are looked at, at its two ends."""
_FEWEST_LINES = 4
_AROUND = ".,;:!?()[]<>\"'*-_#>|0123456789 \t"
_NEAR = 6
"""Lines from the word that overrides to the word that says what."""
_BEFORE, _AFTER = 3, 20
"""Lines whose words are given back."""


def acrostics(text: str, mask: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) for what stands at the beginnings and ends of the lines of `text`.

    `mask` has the concepts of all its words.
    """
    if text.count("\n") < _FEWEST_LINES - 1:
        return
    lines = [line for line in map(str.strip, ends(text, _CHARACTERS).split("\n")) if line]
    if len(lines) < _FEWEST_LINES:
        return
    first = [line.split(None, 1)[0].strip(_AROUND) for line in lines]
    if mask & mask_of(_OVERRIDE) and mask & mask_of(_THING):
        last = [line.rsplit(None, 1)[-1].strip(_AROUND) for line in lines]
        for words in (first, last):
            for at in _orders([word.lower() for word in words]):
                yield "acrostic", " ".join(words[max(0, at - _BEFORE) : at + _AFTER])
    letters = "".join(word[:1] for word in first).lower()
    if any(word in letters for word in TELLING):
        yield "acrostic", parted_words(letters)


def _orders(words: list[str]) -> Iterator[int]:
    """Yield where a word overrides and one of the next tells what; the first such place."""
    override, thing = mask_of(_OVERRIDE), mask_of(_THING)
    words_known = vocabulary().look_up(words)
    things = [at for at, entry in words_known if entry[0] & thing]
    for at, entry in words_known:
        if entry[0] & override and any(at < other <= at + _NEAR for other in things):
            yield at
            return

"""Words of which some letters are stars, as swear words are written: *ign*re all pr*v**us ones*.

Undone only for words of orders, and only where several are so.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tasks.core.patterns import compiled
from tasks.core.screen.words.folding import fold
from tasks.core.screen.words.head_and_tail import ends
from tasks.core.screen.words.order_words import order_words
from tasks.core.screen.words.pattern_gate import GATE

_CHARACTERS = 32_000
"""Characters of a text that are looked at, at its two ends."""
_FEWEST, _SHORTEST = 2, 5
"""Different words that must be found, and letters that they have."""
_STAR = "[*#•·]"
_WORD = compiled(rf"(?:\pL|{_STAR})*\pL{_STAR}+\pL(?:\pL|{_STAR})*")
STARRED = GATE.watch(compiled(rf"\pL{_STAR}{{1,4}}\pL"), kind="lines")
"""Sign of a text that may hold such words."""
_AS_STARS = str.maketrans("#•·", "***")


def unstarred(text: str, signs: int) -> Iterator[tuple[str, str]]:
    """Yield (code, text) with the letters instead of stars; `signs` are `GATE`'s."""
    if not signs & STARRED:
        return
    text = ends(text, _CHARACTERS)
    words = {match.group() for match in _WORD.finditer(text)}
    whole = {word: meant for word in words if (meant := _find_meant(word))}
    if len(set(whole.values())) >= _FEWEST:
        yield "stars", str(_WORD.sub(lambda item: whole.get(item.group(), item.group()), text))


def _find_meant(word: str) -> str:
    """Return the word of orders that has the letters of `word` and any where stars are."""
    shown = fold(word).translate(_AS_STARS)
    if len(shown) < _SHORTEST or 2 * shown.count("*") > len(shown):
        return ""
    places = [(at, letter) for at, letter in enumerate(shown) if letter != "*"]
    fitting = (
        other
        for other in _by_letter().get((len(shown), *places[0]), ())
        if all(other[at] == letter for at, letter in places)
    )
    return next(fitting, "")


@cache
def _by_letter() -> Mapping[tuple[int, int, str], Sequence[str]]:
    """Return the words of orders by how long they are, and each of their places and its letter."""
    places_by_letters: dict[tuple[int, int, str], list[str]] = {}
    for word in order_words():
        for at, letter in enumerate(word):
            places_by_letters.setdefault((len(word), at, letter), []).append(word)
    return places_by_letters

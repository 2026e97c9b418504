"""The places in a draft's body where the words of findings stand, so that they can be underlined.

Excerpts come from folded or joined text (no case, no accents, single spaces); the body is read in
the same way, and every folded letter remembers its place.
"""

from functools import cached_property, lru_cache

from tasks.core.words.sentences import fold

_fold_letter = lru_cache(maxsize=4096)(fold)
Place = tuple[int, int]
NOWHERE: Place = (-1, -1)


class Places:
    """Finds excerpts in one body."""

    def __init__(self, body: str) -> None:
        self._body = body

    @cached_property
    def _read(self) -> tuple[str, list[int], list[int]]:
        """Return the folded body, and where each of its letters begins and ends; made when asked.

        Most drafts have nothing to be underlined.
        """
        letters: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        for at, letter in enumerate(self._body):
            if letter.isspace():
                if letters and letters[-1] == " ":
                    ends[-1] = at + 1
                    continue
                letter = " "
            for piece in _fold_letter(letter):
                letters.append(piece)
                begins.append(at)
                ends.append(at + 1)
        return "".join(letters), begins, ends

    def find(self, excerpt: str, within: str = "") -> Place:
        """Return where `excerpt` begins and ends in the body, inside the sentence `within`."""
        folded_excerpt = _folded(excerpt)
        if not folded_excerpt:
            return NOWHERE
        text, begins, ends = self._read
        start, end = 0, len(text)
        if within and (at := text.find(_folded(within))) >= 0:
            start, end = at, at + len(_folded(within))
        place = _whole_word(text, folded_excerpt, start, end)
        if place < 0:
            return NOWHERE
        return begins[place], ends[place + len(folded_excerpt) - 1]


def _whole_word(text: str, sought: str, start: int, end: int) -> int:
    """Return where `sought` stands by itself, else where it stands at all, else -1."""
    first = at = text.find(sought, start, end)
    while at >= 0:
        before = text[at - 1 : at] if at else ""
        after = text[at + len(sought) : at + len(sought) + 1]
        joined = (before.isalnum() and sought[0].isalnum()) or (
            after.isalnum() and sought[-1].isalnum()
        )
        if not joined:
            return at
        at = text.find(sought, at + 1, end)
    return first


def _folded(text: str) -> str:
    return " ".join("".join(map(_fold_letter, text)).split())

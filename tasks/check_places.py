"""Where in a draft's body the words of a finding stand, so that they can be underlined.

Excerpts come from folded or joined text (no case, no accents, single spaces); the body is read in
the same way, and every folded letter remembers its place.
"""

from tasks.draft_words import fold

Place = tuple[int, int]
NOWHERE: Place = (-1, -1)


class Places:
    """Finds excerpts in one body."""

    def __init__(self, body: str) -> None:
        letters: list[str] = []
        self._from: list[int] = []
        self._to: list[int] = []
        for at, letter in enumerate(body):
            if letter.isspace():
                if letters and letters[-1] == " ":
                    self._to[-1] = at + 1
                    continue
                letter = " "
            for piece in fold(letter):
                letters.append(piece)
                self._from.append(at)
                self._to.append(at + 1)
        self._text = "".join(letters)

    def find(self, excerpt: str, within: str = "") -> Place:
        """Return where `excerpt` begins and ends in the body, inside the sentence `within`."""
        wanted = _folded(excerpt)
        if not wanted:
            return NOWHERE
        start, end = 0, len(self._text)
        if within and (at := self._text.find(_folded(within))) >= 0:
            start, end = at, at + len(_folded(within))
        found = self._whole_word(wanted, start, end)
        if found < 0:
            return NOWHERE
        return self._from[found], self._to[found + len(wanted) - 1]

    def _whole_word(self, wanted: str, start: int, end: int) -> int:
        """Return where `wanted` stands by itself, else where it stands at all, else -1."""
        first = at = self._text.find(wanted, start, end)
        while at >= 0:
            before = self._text[at - 1 : at] if at else ""
            after = self._text[at + len(wanted) : at + len(wanted) + 1]
            joined = (before.isalnum() and wanted[0].isalnum()) or (
                after.isalnum() and wanted[-1].isalnum()
            )
            if not joined:
                return at
            at = self._text.find(wanted, at + 1, end)
        return first


def _folded(text: str) -> str:
    return " ".join("".join(map(fold, text)).split())

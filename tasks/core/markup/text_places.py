"""Places in a text that are known by the words before them.

Hidden text is placed while the HTML is read. Where the plain alternative is read in its stead, and
for words of the source that no parser keeps, the shown words before it tell the place.
"""

from dataclasses import dataclass, field

from tasks.core.patterns import compiled

NOWHERE = -1
CHARACTERS = 200_000
"""Of a text, in which places are looked for."""
CONTEXT = 200
"""Characters before a place whose words are compared."""
_WORDS = 6
_CANDIDATES = 100
_ENDS = ".,;:!?)]}»”’\"'。，！？"
_WORD = compiled(r"[\pL\pN]+")


@dataclass
class TextPlaces:
    """The words of one text with the places behind them; looked up when first asked for."""

    text: str
    _words: list[str] = field(default_factory=list)
    _ends: list[int] = field(default_factory=list)
    _places: dict[str, list[int]] = field(default_factory=dict)

    def after(self, context: str) -> int:
        """Return the index after the words with which `context` ends, or `NOWHERE`.

        Without any word before it a place is the beginning. Of several that are alike the first
        counts when three words or more agree.
        """
        words_before = [word.casefold() for word in _WORD.findall(context)]
        if not words_before:
            return 0
        if not self._words:
            self._read()
        while words_before and words_before[-1] not in self._places:
            words_before.pop()  # shown there, and not in this text
        if not words_before:
            return NOWHERE
        words_before = words_before[-_WORDS:]
        best, places = 0, [NOWHERE]
        for place in self._places[words_before[-1]][:_CANDIDATES]:
            agreeing = self._agreeing(place, words_before)
            if agreeing > best:
                best, places = agreeing, [place]
            elif agreeing == best:
                places.append(place)
        if not best or (len(places) > 1 and best < 3):
            return NOWHERE
        return self._past_signs(self._ends[places[0]])

    def _read(self) -> None:
        for match in _WORD.finditer(self.text[:CHARACTERS]):
            word = match.group().casefold()
            self._places.setdefault(word, []).append(len(self._words))
            self._words.append(word)
            self._ends.append(match.end())

    def _agreeing(self, place: int, wanted_words: list[str]) -> int:
        """Return how many of the wanted words stand at a place and right before it."""
        count = 0
        while (
            count < len(wanted_words)
            and place >= count
            and self._words[place - count] == wanted_words[-1 - count]
        ):
            count += 1
        return count

    def _past_signs(self, place: int) -> int:
        """Return the index after the punctuation that ends the word before it."""
        while place < len(self.text) and self.text[place] in _ENDS:
            place += 1
        return place

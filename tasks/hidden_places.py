"""Where in the text that a reader sees each hidden text of the HTML stood, for showing it there.

Found by the words around it, not by the layout: first version. What cannot be placed for certain is
said to be nowhere, and is shown above the text instead.
"""

import html

from data.records.mail import ParsedMail
from tasks.patterns import compiled

NOWHERE = -1
MOST = 40
"""Hidden texts that are placed."""
CHARACTERS = 60_000
"""Of HTML and of text that are looked at."""
_CONTEXT = 6
_ENDS = ".,;:!?)]}»”’\"'。，！？"
_PROBE = 4
_TRIES = 2_000
_MARKUP = compiled(r"(?s)<!--(.*?)(?:-->|$)|<([^>]*)>")
_SAID = compiled(r"""(?s)\b(?:alt|title|value|aria-label)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_WORD = compiled(r"[\pL\pN]+")


def hidden_places(mail: ParsedMail) -> tuple[int, ...]:
    """Return for each hidden text the index in `mail.text` that it stood before, or `NOWHERE`."""
    if not mail.hidden or not mail.html:
        return (NOWHERE,) * len(mail.hidden)
    words = _words(_flat(mail.html[:CHARACTERS]))
    seen = [
        (found.group().casefold(), found.end()) for found in _WORD.finditer(mail.text[:CHARACTERS])
    ]
    positions: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        positions.setdefault(word, []).append(place)
    own: set[int] = set()
    places = []
    for hidden in mail.hidden[:MOST]:
        start = _find(_words(hidden.text[:400]), words, positions, own)
        place = _after(words, start, own, seen) if start is not None else NOWHERE
        places.append(_past_marks(mail.text, place) if place > 0 else place)
    return tuple(places) + (NOWHERE,) * (len(mail.hidden) - len(places))


def _flat(markup: str) -> str:
    """Return every word of the HTML in order: shown, hidden, commented and in attributes."""

    def said(found: "object") -> str:
        comment, tag = found.group(1), found.group(2)  # type: ignore[attr-defined]
        if comment is not None:
            return f" {comment} "
        pieces = (one.group(1) or one.group(2) or "" for one in _SAID.finditer(tag or ""))
        return " " + " ".join(pieces) + " "

    return html.unescape(str(_MARKUP.sub(said, markup)))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _find(
    wanted: list[str], words: list[str], positions: dict[str, list[int]], own: set[int]
) -> int | None:
    """Return where the hidden words begin, and remember them as hidden."""
    if not wanted:
        return None
    probe = wanted[:_PROBE]
    for place in positions.get(probe[0], ())[:_TRIES]:
        if place not in own and words[place : place + len(probe)] == probe:
            own.update(range(place, place + len(wanted)))
            return place
    return None


def _past_marks(text: str, place: int) -> int:
    """Return the index after the punctuation that ends the word before it."""
    while place < len(text) and text[place] in _ENDS:
        place += 1
    return place


def _after(words: list[str], start: int, own: set[int], seen: list[tuple[str, int]]) -> int:
    """Return the index in the text after the shown words that stand before the hidden ones."""
    before: list[str] = []
    for place in range(start - 1, max(-1, start - 400), -1):
        if place not in own:
            before.insert(0, words[place])
        if len(before) == _CONTEXT:
            break
    for length in range(len(before), 0, -1):
        context = before[-length:]
        ends = [
            at
            for at in range(length - 1, len(seen))
            if seen[at][0] == context[-1]
            and [word for word, _ in seen[at - length + 1 : at + 1]] == context
        ]
        if len(ends) == 1 or (ends and length >= 3):
            return seen[ends[0]][1]
        if ends:
            return NOWHERE
    return 0 if start < 3 or not before else NOWHERE

"""The text of a body: which alternative is read, and what its reader does not see of the others.

Of two alternatives a person sees the HTML, whatever RFC 2046 section 5.1.4 leaves open, and a
machine is glad of the plain text. So the plain text is read only while the HTML says the same;
lines that only the plain text has are hidden text, and HTML that says more is read itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from data.records.core.parsed_mail import Hidden, Link, Mark
from tasks.core.markup.hidden import PIECE_CHARACTERS
from tasks.core.markup.text import HtmlReading, read_html
from tasks.core.markup.text_places import CONTEXT, NOWHERE, TextPlaces
from tasks.core.markup.undrawn import undrawn_words
from tasks.core.parse.body import Body, BodyPiece

FOREIGN_WORDS = 4
"""Words of a line from which it is looked for in the other alternative."""
LOOKED_THROUGH = 20_000_000
"""Lines times characters up to which each line is looked for as it stands."""
FOREIGN_LINES = 200
"""Lines of the plain alternative that are kept as hidden."""

_AROUND_WORDS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum()) + (
    "\u00a0\u00ab\u00b7\u00bb\u2010\u2011\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2022\u2026"
)


@dataclass(frozen=True)
class BodyText:
    """What a body says."""

    text: str = ""
    marks: tuple[Mark, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class _Plain:
    """A piece of plain text, read: nothing marks its lines."""

    text: str
    marks: tuple[Mark, ...] = ()


def read_text(body: Body, defects: list[str]) -> BodyText:
    """Return text, marks, hidden text and links of a body."""
    readings = {html: read_html(html) for html in body.html}
    for reading in readings.values():
        defects.extend(reading.defects)
    texts: list[str] = []
    marks: list[Mark] = []
    foreign: list[Hidden] = []
    places: dict[str, _Place] = {}
    line = begin = 0
    for piece in body.chosen:
        text_reading = _reading(piece, readings, foreign)
        if not text_reading.text.strip():
            continue
        texts.append(text_reading.text)
        marks += (
            mark.model_copy(update={"start": mark.start + line, "end": mark.end + line})
            for mark in text_reading.marks
        )
        html = piece.content if piece.kind == "html" else piece.html
        places[html] = _Place(
            begin, None if isinstance(text_reading, HtmlReading) else text_reading.text
        )
        line += text_reading.text.count("\n") + 2
        begin += len(text_reading.text) + 2
    text = "\n\n".join(texts)
    hidden = [
        placed
        for html, reading in readings.items()
        for placed in _placed(reading, places.get(html))
    ]
    links = (link for reading in readings.values() for link in reading.links)
    return BodyText(text, tuple(marks), (*hidden, *foreign, *undrawn_words(text)), tuple(links))


@dataclass(frozen=True)
class _Place:
    """Where the text of an HTML part stands in the whole text."""

    begin: int
    plain: str | None
    """The plain alternative that stands there in its stead."""


def _placed(reading: HtmlReading, place: _Place | None) -> Iterator[Hidden]:
    """Yield the hidden text of one HTML part with its places in the whole text."""
    others = TextPlaces((place.plain if place else None) or "")
    unshown = undrawn_words(reading.text) if place and place.plain is not None else ()
    for hidden_piece in (*reading.hidden, *unshown):
        at = hidden_piece.at
        if place is None:
            at = NOWHERE
        elif place.plain is not None and at > NOWHERE:
            at = others.after(reading.text[max(0, at - CONTEXT) : at])
        if place is not None and at > NOWHERE:
            at += place.begin
        yield hidden_piece if at == hidden_piece.at else hidden_piece.model_copy(update={"at": at})


def _reading(
    piece: BodyPiece, readings: dict[str, HtmlReading], hidden: list[Hidden]
) -> "HtmlReading | _Plain":
    """Return the reading of one piece; `hidden` grows by what only its plain text says."""
    if piece.kind == "html":
        return readings[piece.content]
    plain = _Plain(piece.content.strip("\n"))
    reading_known = readings.get(piece.html)
    if reading_known is None or not reading_known.text.strip():
        return plain
    links = " ".join(link.text for link in reading_known.links)
    foreign = _foreign(plain.text, reading_known.text, links)
    if not foreign:
        return reading_known if _foreign(reading_known.text, plain.text, links) else plain
    text = "\n".join(foreign[:FOREIGN_LINES])
    for at in range(0, len(text), PIECE_CHARACTERS):
        hidden.append(Hidden(text=text[at : at + PIECE_CHARACTERS], reason="plain_alternative"))
    return reading_known


def _foreign(text: str, other: str, links: str) -> list[str]:
    """Return the lines of one alternative that the other does not have, nor `links` are called.

    A line is had when half of its pairs of neighbouring words are; addresses do not count, because
    HTML hides them behind links. A line that stands there word by word needs no such look.
    """
    running = f" {' '.join(other.split())} "
    rest = text.split("\n")
    if len(rest) * len(running) <= LOOKED_THROUGH:
        rest = [line for line in rest if f" {' '.join(line.split())} " not in running]
    if not any(line and not line.isspace() for line in rest):
        return []
    pairs = set(pairwise(_words(other)))
    foreign = []
    for line in rest:
        own = _words(line)
        if len(own) < FOREIGN_WORDS:
            continue
        neighbours = list(pairwise(own))
        had = sum(pair in pairs for pair in neighbours)
        if 2 * had < len(neighbours) and line.strip() not in links:
            foreign.append(line.strip())
    return foreign


def _words(text: str) -> list[str]:
    """Return the words of a text without addresses; scripts without spaces give single letters.

    Without RE2, whose Python side costs more for each word than all of this.
    """
    words = []
    for piece in text.lower().split():
        word = piece.strip(_AROUND_WORDS)
        if not word or "@" in word or "/" in word or "www." in word:
            continue
        if word.isascii() or not "\u2e80" <= max(word) <= "\uffdc":
            words.append(word)
        else:
            words.extend(word)
    return words

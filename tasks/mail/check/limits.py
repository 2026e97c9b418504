"""Limits in a source's sentence that a draft leaves out.

*We refund the full price only if the goods arrive damaged* does not hold *We refund the full
price*, though each of its words stands there. A sentence of the source is cut into pieces at commas
and before words of a limit; a draft that tells the piece beside a limit has to tell the limit too,
by most of its words or by the same number or date, in the same sentence or in another that cites
the same source. First version: words are compared, so a limit in wholly other words is held, and so
is one that is clear from the question.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import data.lexicons.drafting as lexicon
from data.word_lists import word_list
from tasks.core.claims.claims import claims, other_forms, values
from tasks.core.claims.number_words import number_of
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import WordRows, rows_from, words
from tasks.core.words.sentences import distinct_terms, is_stop_word

_FILE = Path(lexicon.__file__).with_name("limits.yaml")
_CUT = compiled(r"[,;:]\s|[()]|\s[-–—]\s")
_ENOUGH, _ENOUGH_BESIDE_MARK = 0.67, 0.5
"""Share of a limit's terms that a draft holds: by themselves, and beside a word of a limit."""
_HOST_ENOUGH = 0.6
"""Share of a piece's terms from which a draft tells it."""
_FRONTED = 2
"""Terms of a limit that opens a sentence; with a comma behind it the rest is a piece of its own."""
_BEHIND = 2
"""Pieces behind a limit that opens a sentence, beside which it may stand."""
_BOUNDS = ("lower", "upper", "near")
_FIRM = (*_BOUNDS, "focus", "conditions", "until")
_FOLLOWED = {"whom": "groups", "with": "proofs"}
"""Words of a limit where one of others follows."""
_MARKS = (*_FIRM, *_FOLLOWED, "moments")
_MOMENTS = frozenset({"date_or_time", "duration", "ordinal"})
_LOOKED_AT = 4
"""Words behind a word of a moment among which its day or time stands, or what makes a limit."""
_DAY = "day"
"""How the form of a day of the week begins."""
_UNSTATED = ("name", "commitment")
"""Kinds of claims that are no numbers, dates or times."""


class _Mark(NamedTuple):
    """Words that begin a limit."""

    kind: str
    """One of `_MARKS`."""
    words: tuple[str, ...]


class _Piece(NamedTuple):
    """A piece of a sentence, with its words and those of them that carry a topic."""

    mark: _Mark | None
    words: tuple[str, ...]
    terms: frozenset[str]


class _Telling:
    """What a draft tells: a sentence, and what else it tells from the same source."""

    def __init__(self, sentence: str, beside: str, language: str) -> None:
        self._sentences = (sentence, beside)
        self._rows = _rows(language)
        self.words = (*words(sentence), *words(beside))
        self.terms = distinct_terms(words(sentence))
        self.all_terms = distinct_terms(self.words)

    @cached_property
    def _claimed(self) -> frozenset[tuple[str, str]]:
        """The numbers, dates and times told, in each of their forms."""
        forms: set[tuple[str, str]] = set()
        for text in self._sentences:
            for claim in claims(text):
                if claim.kind not in _UNSTATED:
                    forms |= {(claim.kind, claim.value), *other_forms(claim, text)}
        return frozenset(forms)

    def names_a_day(self) -> bool:
        """Return whether it names a date or a day of the week."""
        return any(kind == "date_or_time" and ":" not in form for kind, form in self._claimed)

    def has_mark(self, kinds: Sequence[str]) -> bool:
        """Return whether it has a word of a limit of one of these kinds."""
        return any(
            kind in self._rows and self._rows[kind].first_words(self.words) for kind in kinds
        )

    def tells(self, host: _Piece) -> bool:
        """Return whether it tells a piece that a limit stands beside; another number is not it."""
        figures = {term for term in host.terms if term[:1].isdigit()}
        if figures and figures.isdisjoint(self.all_terms):
            return False
        held_in = self.all_terms if host.mark else self.terms
        return not host.terms or _share(host.terms, held_in) >= _HOST_ENOUGH

    def keeps(self, piece: _Piece, mark: _Mark) -> bool:
        """Return whether it tells a limit."""
        share = _share(piece.terms, self.all_terms)
        states = not self._claimed.isdisjoint(values(" ".join(piece.words)))
        if mark.kind in _BOUNDS:
            if states or share >= _ENOUGH:
                return self.has_mark((mark.kind,))
            if not any(self._rows[kind].at(mark.words, 0) for kind in ("conditions", "until")):
                return True  # a number that it does not tell
        if states or share >= _ENOUGH:
            return True
        if mark.kind in _FOLLOWED:
            return share >= _ENOUGH_BESIDE_MARK and self.has_mark((_FOLLOWED[mark.kind],))
        return (share >= _ENOUGH_BESIDE_MARK or not piece.terms) and self.has_mark(_FIRM)


def dropped_limit(sentence: str, beside: str, source_sentence: str, language: str) -> str:
    """Return the limit of a source's sentence that a draft's sentence leaves out; empty for none.

    Args:
        sentence: the sentence of the draft.
        beside: the other sentences of the draft that cite the same source, as one text.
        source_sentence: the sentence of the source that it tells.
        language: of both, a code; limits in others than the drafting ones are not known.

    """
    rows = _rows(language)
    if not rows:
        return ""
    telling = _Telling(sentence, beside, language)
    if not telling.has_mark(("frames",)) and (
        frame := rows["frames"].first_words(words(source_sentence))
    ):
        return frame
    if day := _day_left_out(telling, source_sentence):
        return day
    pieces = _pieces(source_sentence, language)
    for at, piece in enumerate(pieces):
        if piece.mark is None or not any(map(telling.tells, _hosts(pieces, at))):
            continue
        if not telling.keeps(piece, piece.mark):
            return " ".join(piece.words)
    return ""


def _day_left_out(telling: _Telling, source_sentence: str) -> str:
    """Return the one day of the week on which something is so, where a draft names no day.

    Of a range of days, or of several, it is not clear whether a question was about them.
    """
    days = [claim for claim in claims(source_sentence) if claim.value.startswith(_DAY)]
    if len(days) != 1 or telling.names_a_day():
        return ""
    day = distinct_terms(words(days[0].excerpt))
    if not day.isdisjoint(telling.all_terms):
        return ""
    rest = distinct_terms(words(source_sentence)) - day
    return days[0].excerpt if _share(rest, telling.all_terms) >= _HOST_ENOUGH else ""


def _hosts(pieces: Sequence[_Piece], at: int) -> Sequence[_Piece]:
    """Return what a limit may stand beside: the piece before it, else those behind."""
    if at:
        return pieces[at - 1 : at]
    return pieces[1 : 1 + _BEHIND]


def _share(piece_terms: Collection[str], told_terms: Collection[str]) -> float:
    if not piece_terms:
        return 0.0
    return sum(term in told_terms for term in piece_terms) / len(piece_terms)


@lru_cache(maxsize=2048)
def _pieces(sentence: str, language: str) -> tuple[_Piece, ...]:
    """Return the pieces of a sentence."""
    pieces: list[_Piece] = []
    for part in _CUT.split(sentence):
        pieces += _cut_at_marks(words(part), _rows(language), opens=not pieces)
    return tuple(pieces)


def _cut_at_marks(
    part: tuple[str, ...], rows: dict[str, WordRows], *, opens: bool
) -> Iterator[_Piece]:
    """Yield the pieces of what stands between two commas; `opens` where nothing is before it."""
    marks = list(_marks(part, rows))
    if opens and not (marks and marks[0][0] == 0) and (length := rows["since"].at(part, 0)):
        marks.insert(0, (0, _Mark("conditions", part[:length])))
    if first := marks[0][0] if marks else len(part):
        yield _piece(None, part[:first])
    ends = [*(place for place, _ in marks), len(part)][1:]
    for (place, mark), end in zip(marks, ends, strict=True):
        cut = end
        if opens and place == 0 and mark.kind not in _BOUNDS:
            cut = _end_of_fronted(part, len(mark.words), end, mark)
        yield _piece(mark, part[place:cut])
        if cut < end:
            yield _piece(None, part[cut:end])


def _end_of_fronted(part: Sequence[str], after: int, end: int, mark: _Mark) -> int:
    """Return where a limit ends that opens a sentence: behind its first terms, or at the end."""
    terms_left = 1 if mark.kind == "focus" else _FRONTED
    for place in range(after, end):
        terms_left -= not is_stop_word(part[place])
        if not terms_left:
            return place + 1
    return end


def _marks(part: tuple[str, ...], rows: dict[str, WordRows]) -> Iterator[tuple[int, _Mark]]:
    """Yield where limits begin; a mark behind another at once belongs to it."""
    place, is_range = 0, False
    while place < len(part):
        mark = _mark_at(part, place, rows)
        is_joined = place > 0 and bool(rows["joints"].at(part, place - 1))
        ends_range = is_range and bool(
            rows["until"].at(part, place) or rows["moments"].at(part, place)
        )
        if mark is None or is_joined or ends_range:
            is_range = is_range or bool(rows["since"].at(part, place))
            place += 1
            continue
        begin, place = place, place + len(mark.words)
        while (further := _mark_at(part, place, rows)) is not None:
            place += len(further.words)
        yield begin, _Mark(mark.kind, part[begin:place])


def _mark_at(part: tuple[str, ...], place: int, rows: dict[str, WordRows]) -> _Mark | None:
    if place >= len(part):
        return None
    for kind in _MARKS:
        length = rows[kind].at(part, place)
        behind = place + length
        if not length or (kind in _BOUNDS and not _is_number(part, behind)):
            continue
        following = part[behind : behind + _LOOKED_AT]
        if kind == "moments" and not _is_moment(following):
            continue
        if kind in _FOLLOWED and not rows[_FOLLOWED[kind]].first_words(following):
            continue
        if "units" in rows and behind < len(part) and rows["units"].at(part, behind):
            continue
        return _Mark(kind, part[place:behind])
    return None


def _is_moment(row: Sequence[str]) -> bool:
    """Return whether some words name a day, a time or a span of it."""
    return any(claim.kind in _MOMENTS for claim in claims(" ".join(row)))


def _is_number(part: Sequence[str], place: int) -> bool:
    """Return whether a number stands at that place, and no range begins with it."""
    behind = place
    while behind < len(part) and _is_figure(part[behind]):
        behind += 1
    return behind > place and not any(map(_is_figure, part[behind : behind + 3]))


def _is_figure(word: str) -> bool:
    return word[:1].isdigit() or bool(number_of(word))


def _piece(mark: _Mark | None, piece_words: tuple[str, ...]) -> _Piece:
    own = piece_words[len(mark.words) :] if mark else piece_words
    return _Piece(mark, piece_words, distinct_terms(own))


@cache
def _rows(language: str) -> dict[str, WordRows]:
    """Return the words of limits of a language, by kind; none for one that is not known."""
    return {
        kind: rows_from(by_language[language])
        for kind, by_language in word_list(_FILE).items()
        if language in by_language
    }

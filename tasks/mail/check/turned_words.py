"""Small words that turn what a source says: *we pay* for *you pay*, *may* for *must*.

They carry no topic, so comparing topics does not see them. First version: words are compared with
the sentence of the source that is nearest, so a source that says the same of two things otherwise
is not always seen, and a wording that needs another small word is held.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import data.lexicons.drafting as lexicon
from data.word_lists import word_list
from tasks.core.patterns import compiled
from tasks.core.words.sentence_rows import WordRow, WordRows, rows_from, words
from tasks.core.words.sentences import distinct_terms

_FILE = Path(lexicon.__file__).with_name("turned.yaml")
_OPPOSITES = "opposites"
_CLAUSES = compiled(
    r"[,;:]\s|\s(?:and|but|while|whereas|und|aber|während|et|mais|tandis|y|pero|mientras|e|ed|ma|mentre"
    r"|en|maar|terwijl|mas|enquanto|i|ale|natomiast)\s"
)


class _Lists(NamedTuple):
    """The words of a language."""

    kinds: dict[str, WordRows]
    opposites: tuple[tuple[WordRows, WordRows], ...]


def turned_word(sentence: str, source_sentence: str, language: str) -> str:
    """Return what turns the meaning of a source in a draft's sentence; empty where nothing does.

    Args:
        sentence: the sentence of the draft.
        source_sentence: the sentence of the source that it tells.
        language: of both, a code; no words of others than the drafting languages are known.

    """
    lists = _lists(language)
    if lists is None:
        return ""
    draft, source = words(sentence), words(source_sentence)
    return (
        _quantity(draft, source, lists.kinds)
        or _chance(draft, source, lists.kinds)
        or _duty(draft, source, lists.kinds)
        or _doer(draft, source, lists.kinds)
        or _swapped(draft, source, lists.kinds)
        or _opposite(draft, source, lists.opposites)
        or _of_other_clause(draft, source_sentence, lists.opposites)
        or _comparison(draft, source, lists.kinds)
    )


def _quantity(draft: WordRow, source: WordRow, kinds: dict[str, WordRows]) -> str:
    """Return a word for how many or how often that only one of the two has."""
    for kind in ("strong", "weak"):
        own = kinds[kind].first_words(draft)
        if own and not kinds[kind].first_words(source):
            return own
    left_out = kinds["weak"].first_words(source)
    return left_out if left_out and not kinds["weak"].first_words(draft) else ""


def _chance(draft: WordRow, source: WordRow, kinds: dict[str, WordRows]) -> str:
    """Return the word by which something may be so, where a draft says that it is so.

    What customers may do is a permission, which a draft may say in many ways.
    """
    chance = kinds["might"].first_words(source)
    open_words = (kinds[kind].first_words(draft) for kind in ("might", "may", "must", "weak"))
    if not chance or any(open_words) or kinds["you"].first_words(source):
        return ""
    return chance if distinct_terms(draft) <= distinct_terms(source) else ""


def _duty(draft: WordRow, source: WordRow, kinds: dict[str, WordRows]) -> str:
    """Return a duty that the source has not, or a permission where it has a duty alone."""
    duty, permission = (kinds[kind].first_words(draft) for kind in ("must", "may"))
    source_duty, source_permission = (kinds[kind].first_words(source) for kind in ("must", "may"))
    if duty and not source_duty:
        return duty
    return permission if permission and source_duty and not source_permission and not duty else ""


def _doer(draft: WordRow, source: WordRow, kinds: dict[str, WordRows]) -> str:
    """Return the word by which we do what the source says of the other side."""
    ours, yours = kinds["we"].first_words(draft), kinds["you"].first_words(draft)
    source_ours, source_yours = kinds["we"].first_words(source), kinds["you"].first_words(source)
    return ours if not yours and source_yours and not source_ours else ""


def _swapped(draft: WordRow, source: WordRow, kinds: dict[str, WordRows]) -> str:
    """Return who does what in the source the other side does, where nothing else differs."""
    if kinds["passive"].first_words(draft) or kinds["passive"].first_words(source):
        return ""
    (side, doer), (source_side, _) = (
        _first_of(row, kinds["we_do"], kinds["you_do"]) for row in (draft, source)
    )
    if not side or not source_side or side == source_side:
        return ""
    sides = [_count(row, kinds[side]) for row in (draft, source) for side in ("we", "you")]
    return doer if sides == [1, 1, 1, 1] and distinct_terms(draft) <= distinct_terms(source) else ""


def _count(row: WordRow, listed: WordRows) -> int:
    """Return how many words of a row are of a list."""
    return sum(bool(listed.at(row, place)) for place in range(len(row)))


def _first_of(row: WordRow, ours: WordRows, yours: WordRows) -> tuple[str, str]:
    """Return which of two sides comes first in a row, and by which word; empty for neither."""
    for word in row:
        for side, listed in (("ours", ours), ("yours", yours)):
            if listed.at((word,), 0):
                return side, word
    return "", ""


def _of_other_clause(
    draft: WordRow, source_sentence: str, opposites: Sequence[tuple[WordRows, WordRows]]
) -> str:
    """Return a word that a source says of the other of two: *the old tariff* and *the new one*.

    The clause of the one that a draft names is looked at by itself.
    """
    clauses = [words(clause) for clause in _CLAUSES.split(source_sentence)]
    for pair in opposites if len(clauses) > 1 else ():
        others = [other_pair for other_pair in opposites if other_pair is not pair]
        for own, other in (pair, pair[::-1]):
            if not own.first_words(draft) or other.first_words(draft):
                continue
            of_other = [clause for clause in clauses if other.first_words(clause)]
            of_own = [
                clause
                for clause in clauses
                if own.first_words(clause) and not other.first_words(clause)
            ]
            turned = [_opposite(draft, clause, others) for clause in of_own]
            if of_other and turned and all(turned):
                return turned[0]
    return ""


def _opposite(
    draft: WordRow, source: WordRow, opposites: Sequence[tuple[WordRows, WordRows]]
) -> str:
    """Return a word whose opposite stands in the source in its place."""
    for pair in opposites:
        for own, other in (pair, pair[::-1]):
            own_word = own.first_words(draft)
            if own_word and other.first_words(source) and not own.first_words(source):
                return own_word
    return ""


def _comparison(draft: WordRow, source: WordRow, kinds: dict[str, WordRows]) -> str:
    """Return the word of a comparison whose sides have changed places."""
    draft_sides, source_sides = (_sides(row, kinds["than"]) for row in (draft, source))
    if draft_sides is None or source_sides is None:
        return ""
    left, right = draft_sides
    source_left, source_right = source_sides
    is_swapped = left & (source_right - source_left) and right & (source_left - source_right)
    return kinds["than"].first_words(draft) if is_swapped else ""


def _sides(row: WordRow, than: WordRows) -> tuple[frozenset[str], frozenset[str]] | None:
    place = than.first(row)
    if place < 0:
        return None
    return distinct_terms(row[:place]), distinct_terms(row[place + 1 :])


@cache
def _lists(language: str) -> _Lists | None:
    """Return the words of a language, None for one that is not known."""
    listed = word_list(_FILE)
    if language not in listed[_OPPOSITES]:
        return None
    return _Lists(
        kinds={
            kind: rows_from(by_language[language])
            for kind, by_language in listed.items()
            if kind != _OPPOSITES
        },
        opposites=tuple(
            (rows_from(pair.partition("/")[0]), rows_from(pair.partition("/")[2]))
            for pair in listed[_OPPOSITES][language].split(", ")
        ),
    )

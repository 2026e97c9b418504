"""Whether somebody wants something done, rather than told (docs/agents.md#triage).

*Call Priya* and *order 5 batteries* are answered by no entry of the knowledge, whatever words they
share with one. An agent that has no tool for such an order says so.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import data.lexicons.agents as lexicon
from data.word_lists import word_list
from tasks.core.words.sentence_rows import Row, WordRows, asking_words, words
from tasks.core.words.sentences import is_stop_word, sentences

_FILE = Path(lexicon.__file__).with_name("deeds.yaml")
LANGUAGES = ("en", "de", "fr", "es")
_LONGEST = 12
"""Words of a sentence beyond which a verb at its end orders nothing."""


class _Deeds(NamedTuple):
    """The words of one language."""

    verbs: WordRows
    named: WordRows
    people: WordRows
    asking: WordRows
    telling: WordRows
    mine: WordRows
    objects: frozenset[str]
    compounds: frozenset[str]
    last: frozenset[str]


def deed_language(text: str) -> str:
    """Return the language in which a message orders something to be done; empty where it does not.

    A message that asks something besides is a question: what can be answered of it is.
    """
    said_sentences = [(sentence, words(sentence)) for sentence in sentences(text)]
    ordered = [
        _language_of(sentence, sentence_words) for sentence, sentence_words in said_sentences
    ]
    asks = any(
        "?" in sentence and not language
        for (sentence, _), language in zip(said_sentences, ordered, strict=True)
    )
    return "" if asks else next((language for language in ordered if language), "")


def deed_verbs(language: str) -> frozenset[str]:
    """Return the first words, folded, of what people order in a language."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return frozenset(row[0] for row in _rows(table[language]["verbs"]))


def _language_of(sentence: str, sentence_words: Sequence[str]) -> str:
    """Return the language in which a sentence orders something; empty for none."""
    return next((code for code in LANGUAGES if _orders(code, sentence, sentence_words)), "")


def _orders(language: str, sentence: str, sentence_words: Sequence[str]) -> bool:
    own = _deeds(language)
    rest, asked = _behind_asking(own, sentence_words)
    if not rest or ("?" in sentence and not asked):
        return False
    size = own.telling.at(rest, 0)
    if size and len(rest) > size and own.mine.at(rest, size):
        return False
    if own.verbs.at(rest, 0):
        return len(rest) > 1 or asked
    if size := own.named.at(rest, 0):
        return len(rest) > size and (asked or _is_object(own, rest[size]))
    if size := own.people.at(rest, 0):
        return len(rest) > size and _is_somebody(own, rest[size])
    return _ends_in_order(own, rest, asked=asked)


def _behind_asking(own: _Deeds, sentence_words: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return the words behind those that lead on to an order, and whether there were any."""
    place = 0
    while place < len(sentence_words) and (size := own.asking.at(sentence_words, place)):
        place += size
    return sentence_words[place:], place > 0


def _is_object(own: _Deeds, word: str) -> bool:
    """Return whether a word behind a verb shows that it is one: *order the*, not *order number*."""
    return word in own.objects or word[:1].isdigit()


def _is_somebody(own: _Deeds, word: str) -> bool:
    """Return whether a word may be whom somebody is to write to or to call."""
    return word in own.objects or not (word in own.compounds or is_stop_word(word))


def _ends_in_order(own: _Deeds, rest: Sequence[str], *, asked: bool) -> bool:
    """Return whether words end in what is to be done: *5 Batterien bestellen*.

    Without a number, an article or a name of its own it may be what somebody looks for.
    """
    if rest[-1] not in own.last or len(rest) > _LONGEST or rest[0] in asking_words():
        return False
    return asked or (len(rest) > 1 and _is_object(own, rest[0]))


@cache
def _deeds(language: str) -> _Deeds:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    lists = {name: _rows(listed) for name, listed in table[language].items()}
    single = {
        name: frozenset(row[0] for row in lists[name]) for name in ("objects", "compounds", "last")
    }
    return _Deeds(
        verbs=WordRows(lists["verbs"]),
        named=WordRows(lists["named"]),
        people=WordRows(lists["people"]),
        asking=WordRows(lists["asking"]),
        telling=WordRows(lists["telling"]),
        mine=WordRows(lists["mine"]),
        objects=single["objects"],
        compounds=single["compounds"],
        last=single["last"],
    )


def _rows(listed: str) -> frozenset[Row]:
    return frozenset(row for part in listed.split(",") if (row := words(part.strip())))

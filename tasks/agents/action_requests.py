"""Wishes that something be done, rather than told (docs/agents.md#triage).

*Call Priya* and *order 5 batteries* are answered by no entry of the knowledge, whatever words they
share with one. An agent that has no tool for such an order says so.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import data.lexicons.agents as lexicon
import data.lexicons.drafting as drafting_lexicon
from data.word_lists import word_list
from tasks.agents.spoken_time import has_time
from tasks.agents.statement import RELATIONS
from tasks.core.language.lists import holds, language_of
from tasks.core.words.sentence_rows import WordRow, WordRows, asking_words, words
from tasks.core.words.sentences import is_stop_word, sentences

_FILE = Path(lexicon.__file__).with_name("deeds.yaml")
LANGUAGES = ("en", "de", "fr", "es")
_FEWEST = 2
"""Words behind which something may be named that is to be done to them."""
_TIMES = frozenset({
    "week", "weekend", "month", "year", "morning", "evening", "night", "woche", "wochenende",
    "monat", "jahr", "abend", "vormittag", "nachmittag", "semaine", "mois", "an", "annee", "jours",
    "jour", "nuit", "matin", "midi", "soir",
})  # fmt: skip
"""Folded words for times that people state things of: *Réunion le matin*."""
_LONGEST = 12
"""Words of a sentence beyond which a verb at its end orders nothing."""


class _Deeds(NamedTuple):
    """The words of one language."""

    verbs: WordRows
    named: WordRows
    people: WordRows
    passing_on: WordRows
    asking: WordRows
    telling: WordRows
    mine: WordRows
    objects: frozenset[str]
    determiners: frozenset[str]
    compounds: frozenset[str]
    last: frozenset[str]
    others: frozenset[str]


def find_deed_language(text: str) -> str:
    """Return the language in which a message orders something to be done; empty where it does not.

    A message that asks something besides is a question: what can be answered of it is.
    """
    said_sentences = [(sentence, words(sentence)) for sentence in sentences(text)]
    ordered = [
        _find_language(sentence, sentence_words) for sentence, sentence_words in said_sentences
    ]
    asks = any(
        "?" in sentence and not language
        for (sentence, _), language in zip(said_sentences, ordered, strict=True)
    )
    return "" if asks else next((language for language in ordered if language), "")


def list_deed_verbs(language: str) -> frozenset[str]:
    """Return the first words, folded, of what people order in a language."""
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return frozenset(row[0] for row in _read_rows(table[language]["verbs"]))


def _find_language(sentence: str, sentence_words: Sequence[str]) -> str:
    """Return the language in which a sentence orders something; empty for none.

    *Imprime* orders in two: there it is the one that the sentence is in.
    """
    ordering = [code for code in LANGUAGES if _is_order(code, sentence, sentence_words)]
    if len(ordering) > 1 and (told_language := language_of(sentence)) in ordering:
        return told_language
    return next(iter(ordering), "")


def _is_order(language: str, sentence: str, sentence_words: Sequence[str]) -> bool:
    own = _read_deeds(language)
    rest, asked = _skip_asking_words(own, sentence_words)
    if not rest or ("?" in sentence and not asked):
        return False
    if _is_inverted_question(rest):
        return False
    size = own.telling.at(rest, 0)
    if size and len(rest) > size and own.mine.at(rest, size):
        return False
    if own.verbs.at(rest, 0):
        return len(rest) > 1 or asked
    if size := own.passing_on.at(rest, 0):
        return len(rest) > size + 1 and _is_another(own, rest[size])
    if size := own.named.at(rest, 0):
        return len(rest) > size and (asked or _is_object(own, rest[size]))
    if size := own.people.at(rest, 0):
        return len(rest) > size and _is_somebody(own, rest[size])
    return _has_order_at_end(own, rest, asked=asked) or _is_command(language, own, sentence, rest)


def _is_inverted_question(rest: Sequence[str]) -> bool:
    """Return whether a French verb stands before its *vous*: *livrez-vous* asks."""
    return len(rest) > 1 and rest[0].endswith("ez") and rest[1] == "vous"


def _skip_asking_words(own: _Deeds, sentence_words: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return the words behind those that lead on to an order, and whether there were any."""
    place = 0
    while place < len(sentence_words) and (size := own.asking.at(sentence_words, place)):
        place += size
    return sentence_words[place:], place > 0


def _is_object(own: _Deeds, word: str) -> bool:
    """Return whether a word behind a verb shows that it is one: *order the*, not *order number*."""
    return word in own.objects or word[:1].isdigit()


def _is_another(own: _Deeds, word: str) -> bool:
    """Return whether a word may be whom something is to be told, who is not the one who asks."""
    return word in own.others or not (is_stop_word(word) or word in asking_words())


def _is_somebody(own: _Deeds, word: str) -> bool:
    """Return whether a word may be whom somebody is to write to or to call."""
    return word in own.objects or not (word in own.compounds or is_stop_word(word))


def _is_command(language: str, own: _Deeds, sentence: str, rest: Sequence[str]) -> bool:
    """Return whether a sentence begins with some verb, in the form that orders, and its object.

    *Track my hours*, *Poliere den Tisch*, *Range les cartons*: no other word stands right before an
    article, but for those that lead on, days and what somebody is called. A sentence with a verb
    that states something orders nothing, and a Spanish one may begin with that verb.
    """
    if len(rest) <= _FEWEST or "?" in sentence or rest[1] not in own.determiners:
        return False
    verb, behind = rest[0], rest[2]
    if language != language_of(sentence) or not _is_command_verb(language, verb):
        return False
    return not (_is_telling_time(behind, language) or _has_stating_verb(language, rest))


def _is_command_verb(language: str, word: str) -> bool:
    """Return whether a word may be a verb that orders, and is none that only looks something up."""
    if (
        word in _list_surrounding_words()
        or word in asking_words()
        or is_stop_word(word)
        or not word.isalpha()
    ):
        return False
    if _is_telling_time(word, language):
        return False
    if language == "en":
        plural = word.endswith("s") and not word.endswith("ss")
        return not (plural or word.endswith(("ed", "ing", "ly")))
    return word.endswith(("e", "ez", "s")) if language == "fr" else True


def _is_telling_time(word: str, language: str) -> bool:
    return has_time(word, language) or word in _TIMES


def _has_stating_verb(language: str, rest: Sequence[str]) -> bool:
    """Return whether words hold a verb by which people state something."""
    return any(holds(rest, language, relation) for relation in RELATIONS)


def _has_order_at_end(own: _Deeds, rest: Sequence[str], *, asked: bool) -> bool:
    """Return whether words end in what is to be done: *5 Batterien bestellen*.

    Without a number, an article or a name of its own it may be what somebody looks for.
    """
    if rest[-1] not in own.last or len(rest) > _LONGEST or rest[0] in asking_words():
        return False
    return asked or (len(rest) > 1 and _is_object(own, rest[0]))


@cache
def _list_surrounding_words() -> frozenset[str]:
    """Return the words around what is looked up: *explain the deposit* wants no deed."""
    lists: dict[str, str] = word_list(Path(drafting_lexicon.__file__).with_name("looked_up.yaml"))[
        "around"
    ]
    return frozenset(row[0] for listed in lists.values() for row in _read_rows(listed))


@cache
def _read_deeds(language: str) -> _Deeds:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    lists = {name: _read_rows(listed) for name, listed in table[language].items()}
    single = {
        name: frozenset(row[0] for row in lists[name])
        for name in ("objects", "determiners", "compounds", "last", "others")
    }
    return _Deeds(
        verbs=WordRows(lists["verbs"]),
        named=WordRows(lists["named"]),
        people=WordRows(lists["people"]),
        passing_on=WordRows(lists["passing_on"]),
        asking=WordRows(lists["asking"]),
        telling=WordRows(lists["telling"]),
        mine=WordRows(lists["mine"]),
        objects=single["objects"],
        determiners=single["determiners"],
        compounds=single["compounds"],
        last=single["last"],
        others=single["others"],
    )


def _read_rows(listed: str) -> frozenset[WordRow]:
    return frozenset(row for part in listed.split(",") if (row := words(part.strip())))

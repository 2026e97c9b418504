"""The word lists by which statements are placed and taken apart, by language."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import data.lexicons.statements as lexicon
from data.word_lists import word_list
from tasks.core.language.english_bridge import teller
from tasks.core.words.sentence_rows import WordRows, words
from tasks.core.words.sentences import fold, is_stop_word

LANGUAGES = ("en", "de", "fr", "es")
_FILE = Path(lexicon.__file__).with_name("remembering.yaml")


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return table


@cache
def word_list_of(language: str, name: str) -> WordRows:
    """Return one list of a language; a language that is none of the four has those of English."""
    entries = [part.strip() for part in _table()[listed_language(language)][name].split(",")]
    stems = {fold(entry[:-1]) for entry in entries if entry.endswith("*") and " " not in entry}
    whole = {
        words(entry.replace("-", " ").replace("*", "")) for entry in entries if entry[-1] != "*"
    }
    return WordRows(frozenset(row for row in whole if row), stems)


@cache
def nouns(language: str) -> dict[str, str]:
    """Return the nouns that say the same as a verb, with that verb's list: *price* and `cost`."""
    pairs = (part.split() for part in _table()[listed_language(language)]["nouns"].split(","))
    return {fold(noun): relation for noun, relation in pairs}


def listed_language(language: str) -> str:
    """Return a language of the lists: the given one, or English."""
    return language if language in LANGUAGES else "en"


@cache
def relation_words(relations: tuple[str, ...]) -> dict[str, str]:
    """Return the words that ask for a relation, in every language: *price* for `cost`."""
    words_by_relation: dict[str, str] = {}
    for language in LANGUAGES:
        for relation in relations:
            for entry in _table()[language][relation].split(","):
                for word in words(entry.replace("-", " ")):
                    if not is_stop_word(word):
                        words_by_relation.setdefault(word, relation)
        for noun, relation in nouns(language).items():
            words_by_relation.setdefault(noun, relation)
    return words_by_relation


@cache
def relation_verbs(relations: tuple[str, ...]) -> dict[str, str]:
    """Return single words that state a relation, those that lead on too: *when do I work*."""
    return {
        word: relation
        for language in LANGUAGES
        for relation in relations
        for entry in _table()[language][relation].split(",")
        if len(entry_words := words(entry.replace("-", " "))) == 1
        for word in entry_words
    }


def language_of(text: str) -> str:
    """Return the language that a statement is in, of those that there are lists for.

    A word that opens questions in one language tells it before the letters do, which few words have
    too few of; what they do not tell, words do: the language that knows most of them.
    """
    opening = words(text)[:1]
    opened = next((code for code, openers in _OPENERS.items() if openers.issuperset(opening)), "")
    if opening and opened:
        return opened
    language_told = teller().tell(text)
    if language_told in LANGUAGES:
        return language_told
    text_words = said_in(text)
    return max(LANGUAGES, key=lambda code: sum(_common(code, word) for word in text_words))


_OPENERS = {
    "en": frozenset({"which", "what", "who", "whose", "whom", "why", "how", "where", "when"}),
    "de": frozenset({"welche", "welcher", "welches", "wer", "wem", "wen", "warum", "wieso", "wie"}),
    "fr": frozenset({"quel", "quelle", "quels", "quelles", "pourquoi", "combien", "qui", "quoi"}),
    "es": frozenset({"cual", "cuales", "cuanto", "cuantos", "cuantas", "quien", "quienes"}),
}
"""Words that open questions in one language, and stand before no sentence of another."""


def _common(language: str, word: str) -> bool:
    return any(
        word_list_of(language, name).at((word,), 0) for name in ("me", "we", "article", "is")
    )


def said_in(text: str) -> tuple[str, ...]:
    """Return the folded words of a text; what a hyphen joins is apart."""
    return words(text.replace("-", " ").replace("’", "'"))


def holds(spoken: Sequence[str], language: str, name: str) -> bool:
    """Return whether words hold an entry of a list."""
    return bool(spoken) and word_list_of(language, name).first(spoken) >= 0


def begins_with_entry(spoken: Sequence[str], language: str, name: str) -> bool:
    """Return whether words begin with an entry of a list."""
    return bool(spoken) and word_list_of(language, name).at(spoken, 0) > 0


def without_please(spoken: Sequence[str], language: str) -> tuple[str, ...]:
    """Return words without a *please* that begins them."""
    rest = tuple(spoken)
    while rest and (long := word_list_of(language, "please").at(rest, 0)):
        rest = rest[long:]
    return rest

"""News that somebody has left, or that somebody else is to be written to now.

*Mr Ellis no longer works here* is news about a contact, with or without whom to write to instead.
Nothing is broken, no knowledge answers it, and a reply goes where it always goes: an address in a
mail proves nothing. A person changes what is known of the contact.
"""

from functools import lru_cache

from data.lexicons.drafting import shared_words
from tasks.core.patterns import compiled
from tasks.core.words.clauses import clauses
from tasks.core.words.sentence_rows import all_of, rows, words
from tasks.core.words.sentence_signs import is_own_word, looks_like_names
from tasks.core.words.sentences import fold, sentences

READ = 6_000
"""Characters of a text that are looked at."""
_REMEMBERED = 2048
"""Texts whose answer is remembered: planning, drafting and checking ask of the same letter."""
_WORKING = ("work", "arbeit", "travail", "trabaj", "trabalh", "lavor", "werk", "prac")
"""Beginnings of words for what machines do as well as people."""
_ADDRESS = compiled(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


def tells_contact_change(text: str) -> bool:
    """Return whether somebody is said to have left; who is no person for sure, with a successor.

    The machine that *no longer works here* has nobody in its place, and *please send it to
    accounts@heron.example* says of nobody that he left.
    """
    return _tells_change(text[:READ])


@lru_cache(maxsize=_REMEMBERED)
def _tells_change(text: str) -> bool:
    told_sentences = [sentence for sentence in sentences(text) if "?" not in sentence]
    news = [sentence for sentence in told_sentences if _is_news(sentence)]
    return any(map(_is_of_person, news)) or (bool(news) and any(map(names_instead, told_sentences)))


def is_contact_news(sentence: str) -> bool:
    """Return whether a sentence says that somebody has left, or whom to write to."""
    return "?" not in sentence and (_is_news(sentence) or names_instead(sentence))


def only_contact_news(text: str) -> bool:
    """Return whether a text says nothing else, courtesies aside."""
    if not tells_contact_change(text):
        return False
    others = [
        clause for clause in clauses(text) if not (clause.polite or looks_like_names(clause.text))
    ]
    return all(is_contact_news(other.sentence or other.text) for other in others)


def names_instead(sentence: str) -> bool:
    """Return whether a sentence says to write to an address, or who is in charge now."""
    sentence_words = words(sentence)
    if rows("writing").first(sentence_words) < 0:
        return False
    return _ADDRESS.search(sentence) is not None or _is_news(sentence)


def _is_news(sentence: str) -> bool:
    """Return whether a sentence says that somebody has left: not *the charger*, *mein Drucker*."""
    sentence_words = words(sentence)
    place = rows("gone").first(sentence_words)
    before = sentence_words[:place]
    if place <= 0:
        return place == 0
    thing = before[0] in all_of("articles") or is_own_word(before[0])
    return not thing or not _people().isdisjoint(before)


def _is_of_person(news: str) -> bool:
    """Return whether the one who has left is a person: *Mr Ellis*, *my colleague*, *retired*."""
    news_words = words(news)
    place = rows("gone").first(news_words)
    gone_words = news_words[place : place + rows("gone").at(news_words, place)]
    works = any(word.startswith(_WORKING) for word in gone_words)
    return place > 0 and (not works or not _people().isdisjoint(news_words[:place]))


def _people() -> frozenset[str]:
    """Return the words before which a name is a person's, and those for people."""
    return _titles() | all_of("colleagues") | all_of("speakers")


@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return frozenset(fold(word) for word in shared_words("titles"))

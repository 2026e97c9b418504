"""Whether a text says that somebody has left, or that somebody else is to be written to now.

*Mr Ellis no longer works here* is news about a contact, with or without whom to write to instead.
Nothing is broken, no knowledge answers it, and a reply goes where it always goes: an address in a
mail proves nothing. A person changes what is known of the contact.
"""

from functools import lru_cache

from data.lexicons.drafting import shared_words
from tasks.patterns import compiled
from tasks.words.clauses import clauses
from tasks.words.sentence_rows import all_of, rows, words
from tasks.words.sentence_signs import is_own, looks_like_names
from tasks.words.sentences import fold, sentences

READ = 6_000
"""Characters of a text that are looked at."""
_WORKING = ("work", "arbeit", "travail", "trabaj", "trabalh", "lavor", "werk", "prac")
"""Beginnings of words for what machines do as well as people."""
_ADDRESS = compiled(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")


def tells_contact_change(text: str) -> bool:
    """Return whether somebody is said to have left; who is no person for sure, with a successor.

    The machine that *no longer works here* has nobody in its place, and *please send it to
    accounts@heron.example* says of nobody that he left.
    """
    said = [one for one in sentences(text[:READ]) if "?" not in one]
    news = [one for one in said if _is_news(one)]
    return any(map(_is_of_person, news)) or (bool(news) and any(map(names_instead, said)))


def is_contact_news(sentence: str) -> bool:
    """Return whether a sentence says that somebody has left, or whom to write to."""
    return "?" not in sentence and (_is_news(sentence) or names_instead(sentence))


def only_contact_news(text: str) -> bool:
    """Return whether a text says nothing else, courtesies aside."""
    if not tells_contact_change(text):
        return False
    others = [one for one in clauses(text) if not (one.polite or looks_like_names(one.text))]
    return all(is_contact_news(one.sentence or one.text) for one in others)


def names_instead(sentence: str) -> bool:
    """Return whether a sentence says to write to an address, or who is in charge now."""
    said = words(sentence)
    if rows("writing").first(said) < 0:
        return False
    return _ADDRESS.search(sentence) is not None or _is_news(sentence)


def _is_news(sentence: str) -> bool:
    """Return whether a sentence says that somebody has left: not *the charger*, *mein Drucker*."""
    said = words(sentence)
    place = rows("gone").first(said)
    before = said[:place]
    if place <= 0:
        return place == 0
    thing = before[0] in all_of("articles") or is_own(before[0])
    return not thing or not _people().isdisjoint(before)


def _is_of_person(news: str) -> bool:
    """Return whether the one who has left is a person: *Mr Ellis*, *my colleague*, *retired*."""
    said = words(news)
    place = rows("gone").first(said)
    gone = said[place : place + rows("gone").at(said, place)]
    works = any(word.startswith(_WORKING) for word in gone)
    return place > 0 and (not works or not _people().isdisjoint(said[:place]))


def _people() -> frozenset[str]:
    """Return the words before which a name is a person's, and those for people."""
    return _titles() | all_of("colleagues") | all_of("speakers")


@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return frozenset(fold(word) for word in shared_words("titles"))

"""Subject lines that say something of which the letter below them says nothing.

Most subjects only name what the letter is about. One that wants something done, tells of trouble,
or stands above nothing but courtesies says it in the letter's place, and is accounted for with it.
"""

from collections.abc import Sequence

from data.concepts import concepts_named_in
from tasks.core.patterns import compiled
from tasks.core.words.clauses import Clause
from tasks.core.words.sentence_rows import all_of, rows, words
from tasks.core.words.sentence_signs import (
    TROUBLE,
    begins_request,
    is_courtesy,
    is_good_news,
    is_order,
    only_announces,
    tells_trouble,
)
from tasks.core.words.sentences import terms

_GENERAL = frozenset({"problem", "error"})
"""Concepts of a subject that announces trouble and leaves it to the letter to say which."""
_NUMBERED = compiled(r"(?i)\b(?:no|nos|n|nr|num)\s*[.:°º]?\s*#?\d[\w/-]*")
"""*Order no. 5521*: a number, and nothing that is denied."""
_SHARED_BY_ALL = frozenset({"not"})
"""A concept that two sentences may share and yet speak of different things."""


def speaks_for_itself(subject: str, letter: str, clauses: Sequence[Clause]) -> bool:
    """Return whether a subject is to be accounted for like a clause of its letter.

    `clauses` are the clauses of the letter. *Cancel order 5521* above a question about something
    else, *Invoice 17 paid twice* above thanks in advance.
    """
    if not words(subject) or _is_polite(subject):
        return False
    clause_texts = [
        clause.text for clause in clauses if not (clause.polite or only_announces(clause.text))
    ]
    if not clause_texts:
        return terms(subject) == [] or set(terms(subject)).isdisjoint(terms(letter))
    unnumbered = _NUMBERED.sub(" ", subject)
    return _wish_unsaid(subject, letter) or _trouble_unsaid(unnumbered, clause_texts)


def _is_polite(subject: str) -> bool:
    """Return whether a subject greets, thanks or tells good news, and nothing besides."""
    subject_words = words(subject)
    thanks = (
        rows("courtesy").at(subject_words, 0)
        and not tells_trouble(subject)
        and not is_order(subject)
    )
    return bool(thanks) or is_courtesy(subject) or is_good_news(subject)


def _wish_unsaid(subject: str, letter: str) -> bool:
    """Return whether a subject wants something done of which the letter says nothing."""
    wishes = tuple(all_of("subject_wishes"))
    wanting = {term for word in words(subject) if word.startswith(wishes) for term in terms(word)}
    if not wanting and begins_request(words(subject), len(words(subject))) and is_order(subject):
        wanting = set(terms(subject))
    return bool(wanting) and "?" not in subject and wanting.isdisjoint(terms(letter))


def _trouble_unsaid(subject: str, sentence_words: Sequence[str]) -> bool:
    """Return whether a subject tells of trouble, and no clause tells of the same."""
    grave = concepts_named_in(subject) & (TROUBLE | {"danger"})
    if not (grave or tells_trouble(subject)) or only_announces(subject):
        return False
    own = set(terms(subject))
    general = bool(grave) and grave <= _GENERAL
    for clause in sentence_words:
        shared = bool(own & set(terms(clause)))
        same = bool((grave - _SHARED_BY_ALL) & concepts_named_in(clause))
        if general and (shared or tells_trouble(clause)):
            return False
        if same or (tells_trouble(clause) and shared):
            return False
    return True

"""The thing that a price is asked for, and the thing that a sentence states one for.

*What does a loom cost?* is not answered by *The inspection costs 35 euros*, though a loom is what
its entry is about, nor by *The repair of a loom costs 80 euros*: a figure that is another thing's
is the worst of answers. So the thing that is asked about has to be one that the sentence prices;
or the sentence names none, and the words around it do.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

import data.lexicons.drafting as lexicon
from data.codes import is_code
from data.lexicons.drafting import asked_words
from data.word_lists import word_list
from tasks.core.answering.question_kinds import units
from tasks.core.claims.number_words import number_of
from tasks.core.language.comparable_words import Term, groups, topics
from tasks.core.words.sentence_rows import words
from tasks.core.words.sentences import fold, is_stop_word, term_of

_NEAR = 2
"""Words behind a verb for a price within which its thing stands: *kostet der Eintritt*."""
_FILE = Path(lexicon.__file__).with_name("priced.yaml")


@lru_cache(maxsize=8192)
def things(sentence: str, language: str, *, beside: bool = True) -> tuple[Term, ...]:
    """Return the words of a sentence that name what a price in it is for.

    Left out are words for prices, amounts and times, what only belongs to a thing (*the repair of a
    loom*, *a loom repair*), and with `beside` off what it is for (*insurance for a loom*).
    """
    sentence_words = words(sentence)
    belonging = set(_belonging(sentence, sentence_words, language, beside=beside))
    own = {word for at, word in enumerate(sentence_words) if at not in belonging}
    only = set(sentence_words) - own
    topics_named = [
        topic for topic in topics(sentence, language) if is_code(topic.word) or _names(topic)
    ]
    return tuple(topic for topic in topics_named if topic.word not in only)


def says_for(sentence: str, language: str) -> bool:
    """Return whether a sentence says for whom or what, as *a ticket for children*."""
    return not _small("for", language).isdisjoint(words(sentence))


@lru_cache(maxsize=8192)
def prices_itself(sentence: str) -> bool:
    """Return whether a thing stands beside the verb: *the inspection costs*, not *adults pay*."""
    sentence_words = words(sentence)
    for at, word in enumerate(sentence_words):
        behind = [
            near for near in sentence_words[at + 1 : at + 1 + _NEAR] if not is_stop_word(near)
        ]
        around = [*sentence_words[max(0, at - 1) : at], *behind[:1]]
        if word in _price_words() and any(map(_is_thing, around)):
            return True
    return False


def is_price(term: Term) -> bool:
    """Return whether a word speaks of a price, and of nothing that has one."""
    listed = term.word in _price_words() or term_of(term.word) == "#price"
    return listed or not groups("price").isdisjoint(groups(term.english))


def _names(term: Term) -> bool:
    return "_" not in term.word and not _is_measure(term)


def _is_measure(term: Term) -> bool:
    word = term.word
    if word[:1].isdigit() or number_of(word) or word in units() | _small("money", "all"):
        return True
    return is_price(term)


def _belonging(
    sentence: str, sentence_words: Sequence[str], language: str, *, beside: bool
) -> Iterator[int]:
    """Yield the places of words that only say of another word which one it is."""
    raised = {fold(word.strip(".,;:!?()\"'«»")) for word in sentence.split() if word[:1].isupper()}
    for at, word in enumerate(sentence_words):
        before = sentence_words[at - 1] if at else ""
        heads = bool(before) and _is_thing(before) and (language != "de" or before in raised)
        of = heads and word in _small("of", language)
        if of or (not beside and word in _small("for", language)):
            yield from _group(sentence_words, at + 1)
    if language == "en":
        yield from _modifiers(sentence_words)


def _group(sentence_words: Sequence[str], start: int) -> Iterator[int]:
    """Yield the places of a thing behind a small word: up to what speaks of the price."""
    begun = False
    for at in range(start, len(sentence_words)):
        if _is_thing(sentence_words[at]):
            yield at
            begun = True
        elif begun or not is_stop_word(sentence_words[at]):
            return


def _modifiers(sentence_words: Sequence[str]) -> Iterator[int]:
    """Yield the place of *loom* in *a loom repair costs* and *how much is a loom repair*."""
    for at, word in enumerate(sentence_words[:-1]):
        behind = sentence_words[at + 2] if at + 2 < len(sentence_words) else ""
        ends = not behind or is_price(Term(behind, behind))
        if ends and _is_thing(word) and _is_thing(sentence_words[at + 1]):
            yield at


def _is_thing(word: str) -> bool:
    return not (is_stop_word(word) or _is_measure(Term(word, word)))


@cache
def _small(name: str, language: str) -> frozenset[str]:
    table: dict[str, dict[str, str]] = word_list(_FILE)
    return frozenset(fold(part.strip()) for part in table[name].get(language, "").split(","))


@cache
def _price_words() -> frozenset[str]:
    price_phrases = asked_words()
    return frozenset(fold(word) for name in ("price", "free") for word in price_phrases[name])

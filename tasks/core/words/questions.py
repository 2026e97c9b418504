"""Sentences of a message that ask or want something, in any of the drafting languages."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import re2

from data.lexicons.drafting import LANGUAGES, phrases
from data.records.core.record import Record
from tasks.core.patterns import compiled
from tasks.core.words.sentences import fold, is_stop_word, sentences, terms, without_mark, words

_LONGEST = 400
"""Characters of a sentence beyond which it is no single question."""
READ = 50_000
"""Characters of a message that are looked at; more is no letter, and the check says so."""
_MOST = 20
"""Questions of one message that are looked at."""
_EMPTY_TOPICS = frozenset({"#support"})
"""What is left of `could you help me?`: a question about nothing yet."""


class AskedQuestion(Record):
    """One thing that wants an answer, with the words before it that say what it is about."""

    text: str
    """The sentence as written."""
    context: str = ""
    """The sentences before it."""

    @property
    def asked(self) -> str:
        """What an answer must be about: with the words before, where it leans on them.

        *What is wrong?* and *What does a new one cost?* say nothing without what they speak of.
        """
        if not self.context or not _leans(self.text):
            return self.text
        return f"{self.context} {self.text}"


def asks(sentence: str) -> bool:
    """Return whether a sentence ends in a question mark or opens like a question or request."""
    if "?" in sentence or "？" in sentence:
        return True
    opening = words(sentence)[:4]
    return any(tuple(opening[:length]) in _openings() for length in range(1, 5))


def questions(text: str) -> list[AskedQuestion]:
    """Return the questions and requests of `text` in order, at most 20, without empty ones."""
    return list(_questions(text))


@lru_cache(maxsize=512)
def _questions(text: str) -> tuple[AskedQuestion, ...]:
    """Return what `questions` does; plan, draft and check ask about the same text."""
    asked_questions: list[AskedQuestion] = []
    before: list[str] = []
    for whole in sentences(text[:READ]):
        sentence = without_mark(whole)
        asking = asks(sentence)
        for short in split_compound(sentence[:_LONGEST]):
            about = has_topic(short) or (bool(before) and wants_number(short))
            announces = f"{short}:" in sentence and not asks(short)
            if (asking or asks(short)) and about and not announces and len(asked_questions) < _MOST:
                asked_questions.append(AskedQuestion(text=short, context=" ".join(before[-2:])))
            before.append(short)
    return tuple(asked_questions)


def wants_number(sentence: str) -> bool:
    """Return whether a question asks how much, how many or how long, in any drafting language."""
    return bool(quantities_in(sentence))


def quantities_in(text: str) -> list[str]:
    """Return the phrases of `text` that ask for a number, folded."""
    spaced_text = f" {' '.join(words(text))} "
    return [mark for mark, apart in _quantities() if apart in spaced_text]


def split_compound(sentence: str) -> list[str]:
    """Return the parts of `what …, and how …?`; a part without a topic stays with the one before.

    Commas part questions only in an enumeration of several (`what …, when …, and how …?`). The
    parts are cut from the sentence as written, so each is found in it again.
    """
    joints = list(_joint().finditer(sentence))
    parts: list[str] = []
    start = 0
    for match in joints:
        part = sentence[start : match.start()]
        place = 1 if match[1] else 3
        listed = len(joints) > 1 and (match[place].startswith(":") or asks(part))
        has_topics = has_topic(part) and has_topic(sentence[match.end(place) :])
        if has_topics and (match[place + 1] or listed):
            parts.append(part.strip())
            start = match.end(place)
    return [*parts, sentence[start:].strip()]


def has_topic(sentence: str) -> bool:
    """Return whether a sentence speaks about anything that an answer could be found for."""
    return bool(set(terms(sentence)) - _EMPTY_TOPICS)


@lru_cache(maxsize=4096)
def _leans(question: str) -> bool:
    """Return whether a question names nothing, or one thing and something it only points to."""
    vague = _words_of("vague_words")
    question_words = words(question)
    topics = {term for term in terms(question) if term not in vague} - _EMPTY_TOPICS
    asking = _quantity_words() if wants_number(question) else frozenset()
    own = {word for word in question_words if not is_stop_word(word) and word not in vague | asking}
    return not own or not topics or (len(own) == 1 and points(question))


def points(question: str) -> bool:
    """Return whether a question points at something that was spoken of: *what does it cost*."""
    return any(word in _words_of("pointing_words") for word in words(question)[1:])


@lru_cache(maxsize=4)
def _words_of(name: str) -> frozenset[str]:
    """Return the words of a list of all languages, folded."""
    return frozenset(fold(word) for code in LANGUAGES for word in getattr(phrases(code), name))


@lru_cache(maxsize=1)
def _quantities() -> tuple[tuple[str, str], ...]:
    """Return the phrases that ask for a number, of all languages, folded and set apart."""
    quantity_words = {
        " ".join(words(mark)) for code in LANGUAGES for mark in phrases(code).quantity_words
    }
    return tuple((mark, f" {mark} ") for mark in sorted(quantity_words))


@lru_cache(maxsize=1)
def _quantity_words() -> frozenset[str]:
    return frozenset(word for mark, _ in _quantities() for word in mark.split())


@lru_cache(maxsize=1)
def _joint() -> Any:  # noqa: ANN401  # re2 has no types
    """Return the pattern of a joint between two questions, with a question word after it.

    Its first group is the joint, its second the `and` in it, where there is one; or its third and
    fourth.
    """
    opening, polish = _opening(LANGUAGES), _opening(("pl",))
    joined = r"(?:,?\s+(and|und|et|y|e|en|oraz)\s+|[,;:]\s+)"
    # The Polish *i* is the English *I*: it joins Polish questions alone.
    return compiled(rf"(?i)({joined})(?:{opening})\b|(,?\s+(i)\s+)(?:{polish})\b")


def _opening(languages: Iterable[str]) -> str:
    """Return the pattern of the words that open a question, the longest first."""
    marks = {mark for code in languages for mark in phrases(code).question_words}
    marks |= {mark for code in languages for mark in phrases(code).quantity_words}
    return "|".join(sorted((re2.escape(m) for m in marks if len(m) > 2), key=len, reverse=True))


@lru_cache(maxsize=1)
def _openings() -> frozenset[tuple[str, ...]]:
    """Return the words that open a question, of all languages, folded."""
    return frozenset(
        tuple(words(mark)) for code in LANGUAGES for mark in phrases(code).question_words
    )

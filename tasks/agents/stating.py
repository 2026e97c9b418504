"""Messages that tell something, apart from those that ask or order."""

from tasks.agents.opening_slips import is_slip_of_an_opening
from tasks.agents.statement import parse_statement
from tasks.core.language.lists import (
    LANGUAGES,
    begins_with_entry,
    holds,
    language_of,
    said_in,
    without_please,
    word_list_of,
)
from tasks.core.words.sentence_rows import asking_words, words
from tasks.core.words.sentences import sentences

FEWEST_WORDS = 3
"""Words below which a sentence says nothing that could be recalled."""
_RELATIVE = frozenset({"who", "which", "qui", "que", "die"})
"""Second words of what is looked for: *customers who are not on a plan*, typed without care."""
_CLAUSE = frozenset({"till", "until", "before", "bis", "bevor", "avant", "hasta"})
"""Words behind which a clause says when, in what is looked for."""
WORDS_OF_SENTENCE = 6
"""Words from which what has no verb that we know may be a sentence all the same."""
_DENIED = tuple(words(row) for row in ("don't", "dont", "do not", "ne", "no"))


def has_statement(text: str) -> bool:
    """Whether a message tells something, and asks nothing: *my bicycle is blue*.

    Words without a verb that we know, *warranty for hearing aids*, may be what somebody looks up.
    """
    told_sentences = sentences(text)
    if any(len(spoken := said_in(each)) and is_question(each, spoken) for each in told_sentences):
        return False
    return any(_is_statement(sentence) for sentence in told_sentences)


def _is_statement(sentence: str) -> bool:
    """Return whether a sentence has a verb, words that say whom it is about, or many words.

    Many words are one where they are written as one: what is typed in a hurry, without a capital
    and a full stop, may be an order or a question of which no word was recognized.
    """
    spoken = said_in(sentence)
    language = language_of(sentence)
    if len(spoken) < FEWEST_WORDS or is_slip_of_an_opening(spoken[0]):
        return False
    asked = cut_denial(without_please(spoken, language))
    if _is_lookup(asked):
        return False
    if not sentence.rstrip().endswith((".", "!")) and _is_asking_within(spoken):
        return False
    with_care = sentence[:1].isupper() or sentence.rstrip()[-1:] in ".!"
    if len(spoken) >= WORDS_OF_SENTENCE and with_care:
        return True
    if spoken[1] in _RELATIVE and not with_care:
        return False
    if any(_is_told_of(spoken, language, cue) for cue in ("me", "we")):
        return True
    return bool(parse_statement(sentence).slot)


def _is_lookup(asked: tuple[str, ...]) -> bool:
    """Return whether words begin with an order to show something, whatever language they are in."""
    return any(begins_with_entry(asked, each, "shows") for each in LANGUAGES)


def _is_told_of(spoken: tuple[str, ...], language: str, cue: str) -> bool:
    """Return whether words say whom a sentence is about, and not in a clause of it alone.

    *Time till we answer* names something to look up, and tells nothing of us.
    """
    place = word_list_of(language, cue).first(spoken)
    if place < 0:
        return False
    is_clause = place > 1 and spoken[place - 1] in _CLAUSE
    return not is_clause or holds(spoken[place + 1 :], language, cue)


def cut_denial(spoken: tuple[str, ...]) -> tuple[str, ...]:
    """Return words without a *don't* that begins them: what is not to be done is ordered too."""
    return next((spoken[len(row) :] for row in _DENIED if spoken[: len(row)] == row), spoken)


def is_question(text: str, spoken: tuple[str, ...]) -> bool:
    """Return whether a sentence asks, with its mark or, as people type, without it.

    Which language it is does not matter: few words tell that badly.
    """
    if text.rstrip().endswith("?") or (spoken[0] in asking_words() and "?" in text):
        return True
    return any(begins_with_entry(without_please(spoken, each), each, "asks") for each in LANGUAGES)


def _is_asking_within(spoken: tuple[str, ...]) -> bool:
    """Return whether words ask further on, as people speak: *ça coûte combien*."""
    return any(word_list_of(each, "asks_within").first(spoken) >= 0 for each in LANGUAGES)

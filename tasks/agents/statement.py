"""A statement taken apart: what it is about, what it says of it, and whether that replaces.

*Our meetings take 45 minutes* is about `meet`, says `last` of it, and the value is `45 minut`. Two
statements of one subject and slot contradict each other, so the newer one takes the place of the
older. What is not understood has no slot, and replaces nothing.
"""

from collections.abc import Sequence

from data.records.core.record import Record
from data.word_forms import stem
from tasks.core.language.lists import (
    holds,
    language_of,
    listed_language,
    nouns,
    said_in,
    word_list_of,
)
from tasks.core.words.sentence_rows import denials
from tasks.core.words.sentences import is_stop_word

RELATIONS = (
    "name", "prefer", "report", "charge", "live", "last", "cost", "meet", "open", "close",
    "use", "work", "speak", "pay", "ship", "is",
)  # fmt: skip
"""What can be said of a subject, what is more special first."""
_SINGLE = frozenset({"name", "report", "live", "last", "cost", "open", "close"})
"""Of these a subject has one at a time."""
_MOST_BEFORE = 9
"""Words that a subject has at most."""
_LIGHT = ("article", "me", "we", "preposition")
DENIED = "not"
"""What the value of a denied statement begins with."""
_SELF = "self"
"""The subject of what somebody says of oneself, or people of themselves."""


class Statement(Record):
    """What a sentence says."""

    language: str
    subject: str = ""
    slot: str = ""
    value: str = ""
    replaces: bool = False
    """Whether another value of the same subject and slot ends with it."""
    denied: bool = False


def parse_statement(text: str) -> Statement:
    """Return what a sentence says, as far as it is understood."""
    language = language_of(text)
    bare_words = cut_lead(said_in(text), language)
    changed = holds(said_in(text), language, "change")
    denied = any(word in denials() for word in bare_words)
    for relation in RELATIONS:
        verbs = word_list_of(language, relation)
        place = verbs.first(bare_words, _MOST_BEFORE)
        if place < 0:
            continue
        long = verbs.at(bare_words, place)
        before, after = bare_words[:place], bare_words[place + long :]
        subject, slot, value = _split_at_verb(language, relation, before, after)
        if not value:
            continue
        single = slot.partition(" ")[0] in _SINGLE or (
            relation == "is" and _is_of_one_thing(bare_words[place], after)
        )
        prefers = relation == "prefer" and " " in slot
        return Statement(
            language=language,
            subject=subject,
            slot=slot,
            value=f"{DENIED} {value}" if denied and DENIED not in value.split() else value,
            replaces=changed or single or prefers,
            denied=denied,
        )
    return Statement(language=language, value=_join_stems(language, bare_words), denied=denied)


def cut_lead(spoken: Sequence[str], language: str) -> tuple[str, ...]:
    """Return words without what leads to a statement: *by the way*, *remember that*."""
    lead, rest = word_list_of(language, "lead"), tuple(spoken)
    while rest and (long := lead.at(rest, 0)):
        rest = rest[long:]
    return rest


def _split_at_verb(
    language: str, relation: str, before: Sequence[str], after: Sequence[str]
) -> tuple[str, str, str]:
    """Return subject, slot and value of the words before and after a verb."""
    if relation == "name":
        return _SELF, "name", _join_stems(language, after)
    if relation == "prefer":
        others = (
            "" if _is_about_self(language, (*before, *after)) else _join_stems(language, before)
        )
        return (
            others or _SELF,
            f"prefer {_find_preferred_stem(language, after)}".strip(),
            _join_stems(language, after),
        )
    if relation == "is" and _has_role(language, before, after):
        before, after = after, before
    subject_words = _list_naming_words(language, before)
    value_words = list(after)
    if not subject_words and not _is_about_self(language, before):
        leading_noun = _find_leading_noun(language, after)
        subject_words, value_words = (
            list(after[: len(leading_noun)]),
            list(after[len(leading_noun) :]),
        )
        subject_words = _list_naming_words(language, subject_words)
    slot = relation
    for word in list(subject_words):
        if relation == "is" and len(subject_words) > 1 and (noun := nouns(language).get(word)):
            slot = noun
            subject_words.remove(word)
            break
    subject = " ".join(sorted({stem(word) for word in subject_words}))
    if not subject:
        subject = _SELF
        if relation == "is":
            slot = ""  # *I am …* says anything
    if relation == "use" and (aim := _find_purpose_stems(language, value_words)):
        slot = f"use {aim}"
    return subject, slot, _join_stems(language, value_words)


def _list_naming_words(language: str, spoken: Sequence[str]) -> list[str]:
    """Return the words of a subject that name it."""
    return [
        word
        for word in _cut_light_words(language, spoken)
        if word not in denials() and (word.isdigit() or not is_stop_word(word))
    ]


def _has_role(language: str, before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether *is* says who does something, as in *Helen is the head of support*."""
    article = word_list_of(language, "article")
    return bool(before and after and not article.at(before, 0) and article.at(after, 0)) and bool(
        _list_naming_words(language, before)
    )


def _find_leading_noun(language: str, spoken: Sequence[str]) -> Sequence[str]:
    """Return the words behind a verb that are its subject, as in *dauert unser Treffen 45*."""
    article = word_list_of(listed_language(language), "article")
    if not spoken or not article.at(spoken, 0):
        return ()
    for place in range(1, min(len(spoken), 4)):
        if spoken[place][0].isdigit() or word_list_of(language, "preposition").at(spoken, place):
            return spoken[:place]
        if is_stop_word(spoken[place]) and not article.at(spoken, place):
            return spoken[:place]
    return spoken[:2]


def _is_about_self(language: str, spoken: Sequence[str]) -> bool:
    return holds(spoken, language, "me") or holds(spoken, language, "we")


def _find_preferred_stem(language: str, spoken: Sequence[str]) -> str:
    """Return the stem of what somebody prefers: *short answers without talk* is about answers."""
    preposition = word_list_of(language, "preposition")
    end = next(
        (place for place in range(1, len(spoken)) if preposition.at(spoken, place)), len(spoken)
    )
    phrase = [word for word in _cut_light_words(language, spoken[:end]) if word not in denials()]
    if not phrase:
        return ""
    return stem(phrase[-1] if language in ("en", "de") else phrase[0])


def _find_purpose_stems(language: str, spoken: Sequence[str]) -> str:
    """Return what something is used for, as stems; empty where nothing says it."""
    for place, word in enumerate(spoken):
        if word in ("for", "fur", "pour", "para") and place + 1 < len(spoken):
            return _join_stems(language, spoken[place + 1 :])
    return ""


def _is_of_one_thing(verb: str, after: Sequence[str]) -> bool:
    """Return whether *is* says what one thing is: of several things, only a number does."""
    plural = verb in ("are", "were", "sind", "waren", "sont", "etaient", "son", "eran", "estan")
    return not plural or any(word[0].isdigit() for word in after)


def _join_stems(language: str, spoken: Sequence[str]) -> str:
    """Return the stems of words that carry something, in order and each once."""
    return " ".join(dict.fromkeys(stem(word) for word in _cut_light_words(language, spoken)))


def _cut_light_words(language: str, spoken: Sequence[str]) -> list[str]:
    """Return words without articles, pronouns, prepositions, and what says that it changed."""
    lists = [word_list_of(language, name) for name in ("change", *_LIGHT)]
    carried_words: list[str] = []
    place = 0
    while place < len(spoken):
        long = max(words.at(spoken, place) for words in lists)
        if not long or (spoken[place] in denials() and long == 1):
            carried_words.append(spoken[place])
        place += long or 1
    return carried_words

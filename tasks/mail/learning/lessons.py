"""The lessons of a reply that a person approved (docs/pipeline.md#learned-knowledge).

Local rules, first version: a sentence that states something, rests on no knowledge yet, and is not
about this one person or day. A question of the contact that it shares its topic with becomes the
title. Nothing here is knowledge: it is proposed to a person, who reads it before anything rests on
it.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import data.lexicons.drafting as lexicon
from data.records.core.knowledge import KnowledgeKind
from data.records.core.learning import LearnedOrigin, Proposed
from data.records.core.parsed_mail import Address
from data.records.mail.drafting import Draft
from tasks.core.asking.model_view import line_view
from tasks.core.claims.promises import is_of_one_letter
from tasks.core.leaks.links import find_addresses
from tasks.core.leaks.secrets import find_secrets
from tasks.core.patterns import compiled
from tasks.core.words.questions import asks, questions
from tasks.core.words.sentences import fold, sentences, squeeze, terms, words
from tasks.mail.check.sources import Sources

MOST = 5
"""Proposals of one reply."""
SHORTEST, LONGEST = 20, 400
"""Characters of a sentence that can teach."""
_TITLE = 160
_LEAST_TERMS = 2
_LONG_NUMBER = compiled(r"\d(?:[ .-]?\d){5,}")
_ENDS = (".", "!", "…", ".)", '."', "。")
_PASSING = Path(lexicon.__file__).with_name("passing.txt")


def learn(
    draft: Draft, asked: str, sender: Address, sources: Sources, known: Sequence[str]
) -> tuple[Proposed, ...]:
    """Return what a reply teaches, at most five; `known` is the text of what is knowledge already.

    `draft` is the reply as it left, `asked` the new text of the contact's messages.
    """
    known_texts = [" ".join(words(text)) for text in known]
    fresh = [
        sentence
        for sentence in map(squeeze, sentences(draft.body))
        if _teaches(sentence, sender)
        and not is_of_one_letter(sentence, draft.language)
        and sentence not in sources.templates
        and not sources.cited(sentence)
        and not any(" ".join(words(sentence)) in text for text in known_texts)
    ]
    wishes = [line_view(question.text) for question in questions(asked)]
    answers: dict[str, list[str]] = {}
    for sentence in fresh:
        answers.setdefault(_asked(sentence, wishes, sender), []).append(sentence)
    proposals = [
        Proposed(
            title=(title or _beginning(lesson[0]))[:_TITLE],
            body=" ".join(lesson),
            kind=KnowledgeKind.FAQ if title else KnowledgeKind.FACT,
            language=draft.language,
            origin=LearnedOrigin.REPLY if title else LearnedOrigin.EDIT,
        )
        for title, group in answers.items()
        for lesson in ([group] if title else [[text_before] for text_before in group])
    ]
    return tuple(proposals[:MOST])


def _teaches(sentence: str, sender: Address) -> bool:
    """Return whether a sentence states something that holds for others and tomorrow too."""
    return (
        SHORTEST <= len(sentence) <= LONGEST
        and sentence.endswith(_ENDS)  # closings and signatures have no full stop
        and not asks(sentence)
        and len(set(terms(sentence))) >= _LEAST_TERMS
        and not passing_words() & set(words(sentence))
        and not _is_private(sentence, sender)
    )


def _is_private(text: str, sender: Address) -> bool:
    """Return whether a text names the contact, or holds what could belong to one person."""
    private_words = set(words(text))
    names = {word for word in words(sender.name) if len(word) > 1}
    return bool(
        names & private_words
        or _LONG_NUMBER.search(text)
        or find_secrets(text)
        or sender.email.lower() in map(str.lower, find_addresses(text))
    )


def _asked(sentence: str, wishes: Sequence[str], sender: Address) -> str:
    """Return the question that shares most words of topic with a sentence, or nothing."""
    topic = set(terms(sentence))
    best = max(wishes, key=lambda wish: len(topic & set(terms(wish))), default="")
    alike = topic & set(terms(best))
    fit = alike and not _is_private(best, sender) and not find_addresses(best)
    return best if fit and "://" not in best else ""


def _beginning(sentence: str) -> str:
    return " ".join(sentence.rstrip(".!").split()[:8])


@cache
def passing_words() -> frozenset[str]:
    """Return the words that tie a sentence to one person or day, folded."""
    lines = _PASSING.read_text(encoding="utf-8").splitlines()
    return frozenset(
        fold(word) for line in lines if not line.startswith("#") for word in line.split()
    )

"""Agreement of two answers to one question, as far as their words show it."""

from tasks.core.words.sentence_rows import words
from tasks.core.words.sentences import terms

ENOUGH = 0.5
"""Share of the words that carry the topic which have to stand in the other answer."""


def is_same_answer(without_model: str, of_model: str) -> bool:
    """Return whether a model's answer has what would have been answered without it.

    Every number has to be there, and half of the words that carry the topic; a model may say more.
    """
    if not _list_numbers(without_model) <= _list_numbers(of_model):
        return False
    meant, model_terms = set(terms(without_model)), set(terms(of_model))
    return not meant or len(meant & model_terms) >= ENOUGH * len(meant)


def _list_numbers(text: str) -> set[str]:
    return {word for word in words(text) if word[0].isdigit()}

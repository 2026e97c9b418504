"""Much prose in a place that hides it, told from preheaders and alternatives for other programs."""

from collections.abc import Iterator
from functools import cache

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.language.language_identification import UNDETERMINED, LanguageTeller
from tasks.core.markup.hidden import is_prose
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.segment.writers_words import writers_words

_ORDINARY = frozenset({"alt", "title", "comment", "preheader", "plain_alternative"})
_SHOWN = frozenset({"preheader", "plain_alternative"})
"""Reasons of what inboxes and other programs show."""
_GAPS, _PIECES = 5, 20
"""Spaces of a sentence, and sentences whose language is looked at."""
_FOREIGN = 0.36
"""What a sentence in a third language counts: it flags by itself and stops nothing."""
_CODE = "<>{}=;_|"
_PREHEADER_WORDS = 40


def look(views: Views) -> Iterator[Find]:
    """Find long hidden text that the body does not repeat, and sentences in other languages."""
    yield from _foreign(views)
    visible = None
    for hidden in views.mail.hidden:
        words = hidden.text.split()
        if hidden.reason in _ORDINARY or len(words) <= _PREHEADER_WORDS:
            continue
        if visible is None:  # most mail hides nothing
            visible = " ".join(views.mail.text.split()).lower()
        if " ".join(words).lower()[:200] not in visible:
            yield Find(MessagePlace.HIDDEN, f"{hidden.reason}: {hidden.text[:160]}", 0.12)


def _foreign(views: Views) -> Iterator[Find]:
    """Find a hidden sentence in another language than the message's, and not in English.

    Templates are commented, and pictures described, in English or in the language of the mail. An
    order in a third language is read by machines alone, and no rule has to know its words.
    """
    texts = [
        hidden_text.text
        for hidden_text in views.mail.hidden
        if hidden_text.reason not in _SHOWN
        and hidden_text.text.count(" ") >= _GAPS
        and _is_sentence(hidden_text.text)
    ][:_PIECES]
    if not texts:
        return
    own, *language_readings = _teller().tell_many([writers_words(views.mail.text), *texts])
    for language, text in zip(language_readings, texts, strict=True):
        if UNDETERMINED not in (own, language) and language not in (own, "en"):
            excerpt = f"a sentence in another language ({language}): {text[:140]}"
            yield Find(MessagePlace.HIDDEN, excerpt, _FOREIGN)


def _is_sentence(text: str) -> bool:
    """Whether hidden text is words and no markup or code."""
    return not any(mark in text for mark in _CODE) and is_prose(text)


@cache
def _teller() -> LanguageTeller:
    return LanguageTeller()


RULE = ScreenRule(
    name="hidden_prose",
    sentence="Hides more text than a preview line needs, or a sentence in a third language.",
    technique="instruction_smuggling",
    layer=FilterLayer.SMUGGLING,
    severity=_FOREIGN,
    look=look,
)

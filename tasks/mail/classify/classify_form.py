"""Classifying by a model: closed sets and numbers of sentences, beside the embedded answer.

No text of the model gets further: the words of an intent are the sender's own sentences, found
by their numbers. What the embedded classifier said is kept; the gates ask both.
"""

from collections.abc import Sequence

from pydantic import ValidationError

from data.records.core.asking import Brief, Fault, ModelFaultError, Question
from data.records.core.briefing import Briefing
from data.records.core.understanding import Category, Classification, Intent, Priority
from tasks.core.asking.model_view import text_view
from tasks.core.asking.packing import Message, context_of, messages_of, pack
from tasks.core.words.sentences import sentences
from tasks.mail.forms import ClassifyForm, IntentForm

MAX_TOKENS = 900
MOST_SENTENCES = 60
MOST_INTENTS = 4
"""Branches that one case has at most when a model forks it."""
_SENTENCE = 160


def classify_question(
    messages: Sequence[Message],
    new_text: str,
    briefing: Briefing,
    *,
    brief: Brief,
    marker: str,
) -> Question:
    """Return the question what a burst of messages is about."""
    trusted, foreign = context_of(briefing)
    numbered = {
        f"sentence {number}": text_view(sentence, _SENTENCE)
        for number, sentence in enumerate(_numbered(new_text), start=1)
    }
    return brief.question(
        pack(marker, {"entries": trusted}, {**messages_of(messages), **foreign, **numbered}),
        ClassifyForm,
        MAX_TOKENS,
    )


def read_classification(
    embedded: Classification, answer: object, new_text: str, model: str
) -> Classification:
    """Return the model's classification, with the embedded one beside it.

    Urgency is what either says: the deterministic test goes before the model.

    Raises:
        ModelFaultError: the answer is not in the form.

    """
    try:
        form = ClassifyForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    numbered_text = _numbered(new_text)
    intents = tuple(
        _intent(intent, numbered_text, new_text) for intent in form.intents[:MOST_INTENTS]
    )
    hurried = embedded.priority is Priority.URGENT
    own = embedded.model_copy(update={"embedded": None, "fallback": ""})
    return Classification(
        category=form.category,
        priority=Priority.URGENT if hurried else form.priority,
        sentiment=form.sentiment,
        language=form.language,
        confidence=round(form.confidence, 4),
        intents=intents,
        provider=model,
        reasons=_reasons(form, own, model),
        embedded=own,
    )


def _intent(intent_form: IntentForm, numbered: Sequence[str], new_text: str) -> Intent:
    chosen = [
        numbered[number - 1]
        for number in sorted(set(intent_form.sentences))
        if number <= len(numbered)
    ]
    return Intent(
        intent=intent_form.intent,
        category=intent_form.category,
        confidence=round(intent_form.confidence, 4),
        text=" ".join(chosen) or new_text,
    )


def _reasons(form: ClassifyForm, embedded: Classification, model: str) -> tuple[str, ...]:
    opinion = f"{model} says {_spell_category(form.category)}"
    if form.category is embedded.category:
        return (f"{opinion}, as the embedded classifier does", *embedded.reasons)
    return (f"{opinion}; the embedded classifier says {_spell_category(embedded.category)}",)


def _spell_category(category: Category) -> str:
    return category.value.replace("_", " ")


def _numbered(new_text: str) -> list[str]:
    return sentences(new_text)[:MOST_SENTENCES]

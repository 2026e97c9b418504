"""A rule in plain words, for the person who has to confirm it."""

from collections.abc import Mapping

from data.records.mail.rules import Deed, Matcher, RuleEffect
from tasks.core.words.sentences import concept, words

EFFECTS: dict[RuleEffect, str] = {
    RuleEffect.ASK: "a person must approve every reply",
    RuleEffect.HOLD: "no reply is drafted; a person looks at it",
    RuleEffect.ARCHIVE: "it is filed without a reply, unless it was handed to a person",
    RuleEffect.TAG: "the conversation is tagged",
    RuleEffect.ASSIGN: "it is handed to",
}


def plain_words(matcher: Matcher) -> tuple[str, ...]:
    """Return what a matcher looks for and does, one line each."""
    lines = conditions(dict(matcher)) or ["every message"]
    return (
        *(f"When {line}." for line in lines),
        *(f"Then {_deed(deed)}." for deed in matcher.deeds),
    )


def conditions(fields: Mapping[str, object]) -> list[str]:
    """Return what fields of a matcher ask of a message, in plain words; missing ones nothing."""
    matcher = Matcher.model_validate({**fields, "deeds": (Deed(effect=RuleEffect.ASK),)})
    condition_texts: list[str] = []
    whose = [*matcher.senders, *(f"anybody at {domain}" for domain in matcher.domains)]
    if whose:
        condition_texts.append(f"the sender is {_or(whose)}")
    for topic in matcher.topics:
        forms = " or ".join(f'"{phrase}"{_kin(phrase)}' for phrase in topic)
        condition_texts.append(f"subject or new text says {forms}, in any language that is known")
    for label, values in (
        ("it is understood as", matcher.categories),
        ("it is a", matcher.intents),
        ("its priority is", matcher.priorities),
        ("its language (ISO 639-1) is", matcher.languages),
    ):
        if values:
            condition_texts.append(
                f"{label} {_or([str(value).replace('_', ' ') for value in values])}"
            )
    if matcher.attachments is not None:
        condition_texts.append(
            f"it comes {'with' if matcher.attachments else 'without'} attachments"
        )
    return condition_texts


def _kin(phrase: str) -> str:
    concept_words = [word for word in words(phrase) if concept(word)]
    return " (or a word that means the same)" if concept_words else ""


def _or(values: list[str]) -> str:
    return " or ".join(values)


def _deed(deed: Deed) -> str:
    return f"{EFFECTS[deed.effect]} {deed.argument}".strip()

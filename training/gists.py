"""Short messages strung together from the lexicons: which words speak for which label.

They give the model the vocabulary that sentences alone would need ten times the text for. Each
says for which heads its labels are certain; the others learn nothing from it.
"""

import random
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from data.records.core.understanding import Category, IntentKind, Priority, Sentiment
from training.corpus import Labels, Lexicon, Manner, lexicons, manners

EACH = 3
"""Gists made for each phrase, each with other companions."""

_USUAL: dict[Category, tuple[IntentKind, Priority, Sentiment]] = {
    Category.SUPPORT: (IntentKind.REQUEST, Priority.NORMAL, Sentiment.NEUTRAL),
    Category.SALES: (IntentKind.REQUEST, Priority.NORMAL, Sentiment.NEUTRAL),
    Category.BILLING: (IntentKind.REQUEST, Priority.NORMAL, Sentiment.NEUTRAL),
    Category.FEATURE_REQUEST: (IntentKind.REQUEST, Priority.LOW, Sentiment.NEUTRAL),
    Category.COMPLAINT: (IntentKind.COMPLAINT, Priority.NORMAL, Sentiment.NEGATIVE),
    Category.SPAM: (IntentKind.INFORMATION, Priority.LOW, Sentiment.NEUTRAL),
    Category.INTERNAL: (IntentKind.REQUEST, Priority.NORMAL, Sentiment.NEUTRAL),
    Category.OTHER: (IntentKind.INFORMATION, Priority.LOW, Sentiment.NEUTRAL),
}


@dataclass(frozen=True, kw_only=True)
class Gist:
    """A string of phrases with the labels that they bring."""

    text: str
    labels: Labels
    language: str
    certain: frozenset[str]
    """Heads whose label is known."""
    core: str
    """The phrase it was made for."""


def _around(
    head: str, label: str, phrase: str, lexicon: Lexicon, manner: Manner, chance: random.Random
) -> Gist:
    """A gist that holds `phrase`, others of its label, and perhaps marks of other heads."""
    phrases = lexicon.phrases
    category = Category(label) if head == "category" else chance.choice(_fitting(head, label))
    intent, priority, sentiment = _USUAL[category]
    labels = Labels(category=category, intent=intent, priority=priority, sentiment=sentiment)
    own = phrases["category"][category.value]
    parts, certain = [phrase], {"category"}
    if head == "category":
        parts += chance.sample(own, chance.choice((0, 0, 1, 1, 2)))
    else:
        parts += chance.sample(own, chance.choice((1, 2, 3)))
        labels, certain = (
            labels.changed([label]) if head != "category" else labels,
            {"category", head},
        )
        if category is Category.OTHER:
            certain.discard("category")
    for extra in ("sentiment", "priority", "intent"):
        if (
            extra != head
            and chance.random() < 0.15
            and category not in (Category.SPAM, Category.OTHER, Category.COMPLAINT)
        ):
            word = chance.choice(sorted(phrases[extra]))
            parts.append(chance.choice(phrases[extra][word]))
            labels, certain = labels.changed([word]), certain | {extra}
        elif extra not in certain and extra != "intent":
            certain |= {extra} if head == "category" and chance.random() < 0.3 else set()
    chance.shuffle(parts)
    if chance.random() < 0.3:
        parts.insert(chance.randrange(len(parts) + 1), chance.choice(manner.fillers).split("{")[0])
    text = chance.choice((", ", ". ", " ", " ", "\n")).join(part for part in parts if part)
    if head == "intent" and label == "question" and chance.random() < 0.7:
        text += "?"
    return Gist(
        text=text[:1].upper() + text[1:] if chance.random() < 0.5 else text,
        labels=labels,
        language=lexicon.language,
        certain=frozenset(certain),
        core=f"{lexicon.language} {phrase}",
    )


def _fitting(head: str, label: str) -> list[Category]:
    """Categories beside which such a label is usual."""
    if head == "intent" and label in ("complaint", "escalation"):
        return [Category.COMPLAINT]
    if head == "intent" and label == "acknowledgment":
        return [Category.OTHER, Category.OTHER, Category.INTERNAL]
    if label in ("urgent", "negative"):
        return [Category.SUPPORT, Category.SUPPORT, Category.BILLING, Category.COMPLAINT]
    if label == "positive":
        return [Category.OTHER, Category.OTHER, Category.SALES, Category.FEATURE_REQUEST]
    if label == "low":
        return [Category.FEATURE_REQUEST, Category.OTHER, Category.SUPPORT, Category.INTERNAL]
    return [Category.SUPPORT, Category.BILLING, Category.SALES, Category.SUPPORT, Category.INTERNAL]


def gists() -> Iterator[Gist]:
    """All gists, the same ones every time."""
    for lexicon in lexicons():
        manner = manners()[lexicon.language, "train"]
        for head, own in lexicon.phrases.items():
            for label, listed in own.items():
                for phrase in listed:
                    seed = f"{lexicon.language} {head} {label} {phrase}"
                    chance = random.Random(zlib.crc32(seed.encode()))
                    for _ in range(EACH):
                        yield _around(head, label, phrase, lexicon, manner, chance)

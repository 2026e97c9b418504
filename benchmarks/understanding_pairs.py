"""Messages with two wishes, made of two held-back messages: how often they fork, and rightly."""

import random
from collections.abc import Sequence

from data.records.core.understanding import Classification, IntentKind
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.intents import WISHES
from training.compose import Message, messages

MOST = 800
LONGEST = 160
"""Characters of a message that is paired."""
JOINTS = {
    "en": "Also, ",
    "de": "Außerdem ",
    "fr": "Par ailleurs, ",
    "es": "Además, ",
    "it": "Inoltre, ",
    "nl": "Daarnaast ",
    "pt": "Além disso, ",
    "pl": "Poza tym ",
}
"""Words with which a sender begins another matter, by language."""
WANTING = (IntentKind.QUESTION, IntentKind.REQUEST, IntentKind.COMPLAINT)


def forks(items: Sequence[Message]) -> dict[str, float]:
    """Figures of pairs in one language and two categories, with and without such a word between."""
    pairs = _pairs(items)
    joined = [f"{a.text.strip()}\n\n{JOINTS[a.language]}{_low(b.text.strip())}" for a, b in pairs]
    plain = [f"{a.text.strip()}\n\n{b.text.strip()}" for a, b in pairs]
    figures: dict[str, float] = {"pairs": len(pairs)}
    for name, texts in (("joined", joined), ("plain", plain)):
        said = LocalClassifier().classify_many([Incoming(text=text) for text in texts])
        forked = sum(len(one.intents) > 1 for one in said)
        right = sum(_right(pair, one) for pair, one in zip(pairs, said, strict=True))
        figures[f"{name}_forked"] = round(forked / max(1, len(pairs)), 3)
        figures[f"{name}_both_right"] = round(right / max(1, len(pairs)), 3)
    return figures


def _pairs(items: Sequence[Message]) -> list[tuple[Message, Message]]:
    chance = random.Random(5)
    fit = [
        item
        for item in items
        if item.labels.category in WISHES
        and item.labels.intent in WANTING
        and item.language in JOINTS
        and len(item.text) < LONGEST
    ]
    chance.shuffle(fit)
    drawn = [(one, chance.choice(fit)) for one in fit]
    apart = [
        (one, other)
        for one, other in drawn
        if one.language == other.language and one.labels.category is not other.labels.category
    ]
    return apart[:MOST]


def _right(pair: tuple[Message, Message], said: Classification) -> bool:
    wanted = {item.labels.category for item in pair}
    return {intent.category for intent in said.intents} == wanted


def _low(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


if __name__ == "__main__":
    print(forks(list(messages("test"))))

"""A message cut into sentences and forked into its wishes (docs/pipeline.md#classify)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import re2

from data.concepts import named
from data.records.understanding import Category, Intent, IntentKind

MOST = 4
"""Intents that a message can have at most."""
LONGEST = 24
"""Sentences that are looked at singly; what follows belongs to the last."""
SHORTEST = 3
"""Words that a sentence needs to carry a wish of its own."""
SURE = 0.85
"""Probability from which a sentence group may stand for a second category."""
JOINED = 0.5
"""The same where the sender says that another matter begins."""
ASKING = 0.8
"""Probability from which such a sentence wants something by its kind alone."""

WISHES = (
    Category.SUPPORT,
    Category.SALES,
    Category.BILLING,
    Category.FEATURE_REQUEST,
    Category.COMPLAINT,
)
"""Categories that can stand beside each other in one message."""

WISHED = frozenset(
    {"wish", "want", "help", "send", "problem", "broken", "error", "not", "refund", "twice"}
    | {"cancel", "missing", "angry", "complain", "how", "where", "add", "call", "down", "return"}
    | {"change", "know", "quote", "price", "charge"}
)
"""Concepts without one of which, and without a question mark, a sentence carries no wish."""

Floats = npt.NDArray[np.float32]

_ENDS = re2.compile(r"[.!?…。！？]+[\"')\]]*(?:\s+|$)|\n\s*\n|\n\s*(?:[-*•]|\d{1,2}[.)])\s+|\n")
_ABBREVIATED = re2.compile(
    r"(?i)(?:^|\s)(?:mr|mrs|ms|dr|prof|no|nr|inv|st|z\.b|bzw|ca|evtl|sr|sra|dott|mme|\p{L}|\d{1,2})$"
)
_JOINT = re2.compile(
    r"(?i)[,;]?\s+(?:also,?|by the way,?|another thing:?|on another note,?|"
    r"one more thing:?|besides,?|"
    r"außerdem|übrigens|des weiteren|par ailleurs|de plus|en outre|además|por otra parte|inoltre|"
    r"além disso|daarnaast|poza tym)\s"
)


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, without empty ones; at most `LONGEST`."""
    found, start = [], 0
    for end in _ENDS.finditer(text):
        part = text[start : end.start()]
        if end[0].startswith(".") and _ABBREVIATED.search(part[-12:]) is not None:
            continue
        mark = end[0].strip() if not end[0][0].isspace() else ""
        found.append((part + mark).strip())
        start = end.end()
    found.append(text[start:].strip())
    found = [piece for whole in found for piece in _halves(whole) if piece]
    if len(found) > LONGEST:
        found[LONGEST - 1 :] = [" ".join(found[LONGEST - 1 :])]
    return found


def _halves(sentence: str) -> list[str]:
    """A sentence cut before a word like "also" that starts another matter."""
    joint = _JOINT.search(sentence)
    if joint is None or len(sentence[: joint.start()].split()) < SHORTEST:
        return [sentence]
    return [sentence[: joint.start()], sentence[joint.start() :].lstrip(" ,;")]


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """What the model says of one text."""

    category: Floats
    """Shape (categories,)."""
    intent: Floats
    """Shape (intents,)."""
    urgent: float = 0.0
    """Probability that it cannot wait."""

    def strongest(self) -> tuple[Category, float]:
        """The likeliest category and its probability."""
        place = int(self.category.argmax())
        return tuple(Category)[place], float(self.category[place])

    def kind(self) -> tuple[IntentKind, float]:
        """The likeliest kind of intent and its probability."""
        place = int(self.intent.argmax())
        return tuple(IntentKind)[place], float(self.intent[place])


def forked(whole: Opinion, parts: Sequence[str], opinions: Sequence[Opinion]) -> tuple[Intent, ...]:
    """One intent for each wish that is surely there, strongest first; usually one.

    `parts` are the message's sentences, `opinions` what the model says of each. Sentences that name
    another wish of `WISHES` with confidence fork off; all others stay with the message's own wish.
    """
    said = _said_apart(parts, opinions)
    if said:
        return said
    main, _ = whole.strongest()
    groups: dict[Category, list[int]] = {}
    for place, opinion in enumerate(opinions):
        category, sure = opinion.strongest()
        if category in WISHES and sure >= SURE and _wishes(parts[place]):
            groups.setdefault(category, []).append(place)
    if main not in WISHES or len(groups) < 2:
        return (_only(whole, " ".join(parts)),)
    if main not in groups:
        main = max(groups, key=lambda own: float(whole.category[list(Category).index(own)]))
    others = {place for own, places in groups.items() if own is not main for place in places}
    intents = [
        _carried(
            main,
            whole,
            [p for i, p in enumerate(parts) if i not in others],
            [opinions[i] for i in groups[main]],
        )
    ]
    for own, places in groups.items():
        if own is not main and _stands(own, main, [opinions[i] for i in places]):
            intents.append(
                _carried(own, None, [parts[i] for i in places], [opinions[i] for i in places])
            )
    if len(intents) == 1:
        return (_only(whole, " ".join(parts)),)
    return tuple(sorted(intents, key=lambda intent: -intent.confidence)[:MOST])


def _said_apart(parts: Sequence[str], opinions: Sequence[Opinion]) -> tuple[Intent, ...]:
    """The intents of a message whose sender says where another matter begins; none if nowhere.

    A matter reaches from such a sentence to the next. One that names no wish, or the same as the
    one before, belongs to that.
    """
    starts = [place for place, part in enumerate(parts) if place and _begins(part)]
    if not starts or len(opinions) != len(parts):
        return ()
    matters: list[tuple[Category, list[int]]] = []
    waiting: list[int] = []
    for start, stop in zip([0, *starts], [*starts, len(parts)], strict=True):
        places = [*waiting, *range(start, stop)]
        category = _named_wish(parts, opinions, places)
        if category is None or (matters and matters[-1][0] is category):
            (matters[-1][1] if matters else waiting).extend(range(start, stop))
            continue
        matters.append((category, places))
    if len({category for category, _ in matters}) < 2 or len(matters) > MOST:
        return ()
    if len({category for category, _ in matters}) < len(matters):
        return ()
    intents = [
        _carried(category, None, [parts[i] for i in places], [opinions[i] for i in places])
        for category, places in matters
    ]
    return tuple(sorted(intents, key=lambda intent: -intent.confidence))


def _begins(sentence: str) -> bool:
    """Whether a sentence begins with a word like "also"."""
    return sentence[:1].isupper() and _JOINT.match(f" {sentence}") is not None


def _named_wish(
    parts: Sequence[str], opinions: Sequence[Opinion], places: Sequence[int]
) -> Category | None:
    """The category of the surest wish among sentences, if one is sure enough."""
    found: list[tuple[float, Category]] = []
    for place in places:
        category, sure = opinions[place].strongest()
        kind, share = opinions[place].kind()
        asks = kind not in (IntentKind.INFORMATION, IntentKind.ACKNOWLEDGMENT) and share >= ASKING
        long_enough = len(parts[place].split()) >= SHORTEST
        needed = SURE if category is Category.COMPLAINT else JOINED
        wants = asks or _wishes(parts[place])
        if category in WISHES and sure >= needed and long_enough and wants:
            found.append((sure, category))
    return max(found, default=(0.0, None))[1]


def _wishes(sentence: str) -> bool:
    """Whether a sentence can carry a wish of its own, not only circumstances."""
    if len(sentence.split()) < SHORTEST:
        return False
    return "?" in sentence or bool(named(sentence) & WISHED)


def _stands(own: Category, main: Category, opinions: Sequence[Opinion]) -> bool:
    """Whether a group is a wish of its own, not the mood or circumstances of the main one."""
    place, home = list(Category).index(own), list(Category).index(main)
    best = max(opinions, key=lambda opinion: float(opinion.category[place]))
    margin = float(best.category[place]) - float(best.category[home])
    if best.kind()[0] in (IntentKind.INFORMATION, IntentKind.ACKNOWLEDGMENT):
        return False
    needed = 0.85 if Category.COMPLAINT in (own, main) else 0.7
    return margin >= needed


def _carried(
    category: Category, whole: Opinion | None, parts: Sequence[str], opinions: Sequence[Opinion]
) -> Intent:
    """The intent that a group of sentences carries."""
    place = list(Category).index(category)
    best = max(opinions, key=lambda opinion: float(opinion.category[place]))
    kind, sure = best.kind()
    share = float(best.category[place])
    if whole is not None:
        share = max(share, float(whole.category[place]))
    return Intent(
        intent=kind,
        category=category,
        confidence=round(min(1.0, share * sure), 4),
        text=" ".join(parts),
    )


def _only(whole: Opinion, text: str) -> Intent:
    """The one intent of a message that has one."""
    category, share = whole.strongest()
    kind, sure = whole.kind()
    return Intent(
        intent=kind, category=category, confidence=round(min(1.0, share * sure), 4), text=text
    )

"""The priority of a message: the model's opinion, held to evidence."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from data.records.core.understanding import Category, Priority
from tasks.mail.classify.intents import IntentOpinion
from tasks.mail.classify.urgent import could_be_urgent, is_urgent

Floats = npt.NDArray[np.float32]

PRESSING, PRESSED = 0.9, 0.3
"""Probability from which a sentence, or the whole message, is urgent, given evidence."""
HURRIED = (Category.SUPPORT, Category.BILLING, Category.INTERNAL)
"""Categories that can be urgent without saying so in so many words."""
EARLY = 400
"""Characters within which mail that is nobody's case must sound its alarm; articles do so later."""
DECIDED = 0.8
"""Probability that a priority counts with before what an organization taught is added."""


def how_soon(
    text: str,
    subject: str,
    category: Category,
    scores_by_class: Floats,
    opinions: Sequence[IntentOpinion],
) -> tuple[Priority, str, bool]:
    """How soon, why if it is urgent, and whether it is so by words that always count.

    `scores_by_class` are the probabilities of the priorities (3,), `opinions` those of the single
    sentences. Explicit evidence decides; the model may only raise what also tells of trouble and
    of pressure, never spam, mass mail and what can wait. Without such evidence it is not believed,
    however sure.
    """
    calm = Priority.NORMAL if scores_by_class[1] >= scores_by_class[2] else Priority.LOW
    if category is Category.SPAM:
        return Priority.LOW, "", False
    early = category is Category.OTHER and len(text) > EARLY
    alarm = is_urgent(text[:EARLY] if early else text, subject)
    if alarm is not None:
        return Priority.URGENT, f"urgent because it says '{alarm}'", True
    if category not in HURRIED or not could_be_urgent(text, subject):
        return calm, "", False
    if scores_by_class[0] >= PRESSED:
        return Priority.URGENT, "its words are those of a matter that cannot wait", False
    if max((opinion.urgent for opinion in opinions), default=0.0) >= PRESSING:
        return Priority.URGENT, "one of its sentences sounds urgent", False
    return calm, "", False


def decide_probabilities(priority: Priority) -> Floats:
    """A decided priority as probabilities (3,), which what was taught may outweigh."""
    return np.array(
        [DECIDED if own is priority else (1 - DECIDED) / 2 for own in Priority], dtype=np.float32
    )

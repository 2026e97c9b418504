"""How soon a message wants an answer: the model's opinion, held to evidence."""

import numpy as np
import numpy.typing as npt
import pytest

from data.records.core.understanding import Category, Priority
from tasks.mail.classify.how_soon import PRESSED, PRESSING, how_soon
from tasks.mail.classify.intents import IntentOpinion

PLAIN = "The second lamp in the hall went dark."


def _said(urgent: float) -> npt.NDArray[np.float32]:
    return np.array([urgent, 0.9 - urgent, 0.1], dtype=np.float32)


@pytest.mark.parametrize(
    ("text", "category", "urgent", "want"),
    [
        (PLAIN, Category.SUPPORT, 0.7, Priority.NORMAL),
        (f"{PLAIN} It is not urgent.", Category.SUPPORT, 0.8, Priority.NORMAL),
        (PLAIN, Category.OTHER, 0.7, Priority.NORMAL),
        (PLAIN, Category.SPAM, 0.8, Priority.LOW),
        ("The till is broken, customers wait now.", Category.SUPPORT, PRESSED, Priority.URGENT),
        ("The till is broken, customers wait now.", Category.SUPPORT, 0.2, Priority.NORMAL),
        ("The charger is smoking.", Category.SUPPORT, 0.0, Priority.URGENT),
    ],
)
def test_a_model_alone_makes_nothing_urgent(
    text: str, category: Category, urgent: float, want: Priority
) -> None:
    """However sure it is, it needs evidence beside it; explicit words need no model."""
    assert how_soon(text, "", category, _said(urgent), [])[0] is want


@pytest.mark.parametrize(
    ("loudest", "want"), [(PRESSING - 0.15, Priority.NORMAL), (PRESSING + 0.01, Priority.URGENT)]
)
def test_one_sentence_has_to_be_very_sure(loudest: float, want: Priority) -> None:
    """A message that is calm as a whole is urgent by one sentence only when that one surely is."""
    even = np.full(8, 0.125, dtype=np.float32)
    opinions = [IntentOpinion(category=even, intent=even, urgent=one) for one in (0.05, loudest)]
    text = "The till is broken. Customers wait now."
    assert how_soon(text, "", Category.SUPPORT, _said(0.1), opinions)[0] is want

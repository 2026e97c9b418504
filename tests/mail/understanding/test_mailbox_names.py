"""The name of the mailbox that was written to."""

import numpy as np
import pytest

from data.records.core.understanding import Category
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.log_odds_shifts import MailStanding, shift_probabilities
from tasks.mail.classify.mailbox_names import mailbox_matter


@pytest.mark.parametrize(
    ("addresses", "matter"),
    [
        (["billing@reed.example"], Category.BILLING),
        (["Uk-Support@reed.example"], Category.SUPPORT),
        (["vertrieb@reed.example", "hello@reed.example"], Category.SALES),
        (["hello@reed.example"], None),
        (["billing@reed.example", "support@reed.example"], None),
        (["supporters@reed.example"], None),
        (["\ud800@"], None),
        ([], None),
    ],
)
def test_a_name_speaks_for_a_matter(addresses: list[str], matter: Category | None) -> None:
    """Whole words of the local part speak; others, and several at odds, say nothing."""
    assert mailbox_matter(addresses) is matter


def test_a_mailbox_shifts_and_leaves_spam_alone() -> None:
    """The matter gains, the rest loses, spam keeps what it has to the last digit that matters."""
    even = np.full(len(Category), 1 / len(Category), dtype=np.float32)
    places = {category: place for place, category in enumerate(Category)}
    without = shift_probabilities(even, MailStanding(), "words")
    found = shift_probabilities(even, MailStanding(mailbox=Category.BILLING), "words")
    assert found[places[Category.BILLING]] > 2 * without[places[Category.BILLING]]
    assert found[places[Category.SALES]] < without[places[Category.SALES]]
    assert found[places[Category.SPAM]] == pytest.approx(without[places[Category.SPAM]], rel=1e-4)
    assert found.sum() == pytest.approx(1, rel=1e-4)


def test_a_mailbox_decides_nothing_that_is_plain() -> None:
    """A plain wish stays what it is, whichever address it was sent to."""
    plain = Incoming(
        text="I forgot my password and cannot log in to my account. Please help me reset it.",
        addressed=("sales@reed.example",),
    )
    assert LocalClassifier().classify_many([plain])[0].category is Category.SUPPORT

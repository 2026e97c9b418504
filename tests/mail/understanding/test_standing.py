"""What is known of a sender beside the words."""

import numpy as np
import pytest

from data.records.core.understanding import Category, Priority
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.log_odds_shifts import MailStanding, settle_category, shift_probabilities

SPAM = list(Category).index(Category.SPAM)
OFFER = (
    "We guarantee first page of Google rankings with our SEO packages and backlinks. "
    "Order now, limited time offer!"
)


def _probabilities(**shares: float) -> np.ndarray:
    """Category probabilities with the given shares, the rest spread evenly."""
    rest = (1 - sum(shares.values())) / (len(Category) - len(shares))
    return np.array([shares.get(category.value, rest) for category in Category], np.float32)


@pytest.mark.parametrize(("known", "reply"), [(True, False), (False, True), (True, True)])
def test_known_people_are_not_spammers(
    classifier: LocalClassifier, known: bool, reply: bool
) -> None:
    """The same words are spam from a stranger and not from a contact or in a thread."""
    stranger, friend = classifier.classify_many(
        [Incoming(text=OFFER), Incoming(text=OFFER, known_sender=known, reply=reply)]
    )
    assert stranger.category is Category.SPAM
    assert friend.category is not Category.SPAM


def test_plain_spam_is_spam(classifier: LocalClassifier) -> None:
    """An unsolicited offer from a stranger is spam and low."""
    said = classifier.classify(OFFER)
    assert (said.category, said.priority) == (Category.SPAM, Priority.LOW)


def test_order_number_speaks_against_spam() -> None:
    """A message that names an order is less likely spam, unless it holds a link."""
    before = _probabilities(spam=0.85)
    named = shift_probabilities(before, MailStanding(), "About order 48812, thanks")
    linked = shift_probabilities(
        before, MailStanding(), "About order 48812, see http://a.example/x"
    )
    plain = shift_probabilities(before, MailStanding(), "About your order, thanks")
    assert named[SPAM] < 0.3 < plain[SPAM]
    assert linked[SPAM] == pytest.approx(plain[SPAM], abs=1e-4)


def test_nothing_is_spam_that_is_not_clearly_so() -> None:
    """Spam under 0.68 is not said; from 0.68 on it is."""
    assert settle_category(_probabilities(spam=0.65)).argmax() != SPAM
    assert settle_category(_probabilities(spam=0.7)).argmax() == SPAM


def test_faint_opinions_fall_back() -> None:
    """Where no category stands out, support or other is said, and the confidence is low."""
    faint = _probabilities(sales=0.16, support=0.155)
    result = settle_category(faint)
    assert tuple(Category)[int(result.argmax())] is Category.SUPPORT
    assert result.max() < 0.3


def test_shifted_probabilities_sum_to_one() -> None:
    """Every combination of facts leaves probabilities."""
    for internal in (False, True):
        for known in (False, True):
            for reply in (False, True):
                standing = MailStanding(internal=internal, known=known, reply=reply)
                result = shift_probabilities(_probabilities(billing=0.4), standing, "hello")
                assert float(result.sum()) == pytest.approx(1, abs=1e-5)

"""What a conversation was about, and what an answer within it is about."""

import numpy as np
import pytest

from benchmarks.understanding_threads import right
from data.records.core.understanding import Category, Classification, IntentKind, Priority
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.log_odds_shifts import MailStanding, shift_probabilities
from tasks.mail.thread.matter import LEAST, NAMING, openness

WISH = (
    "Thanks, the hall lamp works. Our card was charged twice for invoice 5518, though. Please "
    "refund the second payment to the same card."
)


def said(classifier: LocalClassifier, text: str, **known: object) -> Classification:
    """Return what is said of an answer of somebody who is known."""
    own = Incoming(text=text, reply=True, known_sender=True, **known)  # type: ignore[arg-type]
    return classifier.classify_many([own])[0]


@pytest.mark.parametrize("matter", [Category.SUPPORT, Category.SALES, Category.BILLING])
@pytest.mark.parametrize(
    "text", ["Yes please.", "Any news?", "Ja, gerne.", "Toujours rien.", "Ok!"]
)
def test_an_answer_that_says_nothing_is_about_its_conversation(
    classifier: LocalClassifier, text: str, matter: Category
) -> None:
    """The same few words belong to whatever was spoken about."""
    assert said(classifier, text, continued=matter).category is matter


@pytest.mark.parametrize("matter", [Category.SUPPORT, Category.SALES, Category.FEATURE_REQUEST])
def test_a_wish_of_its_own_wins(classifier: LocalClassifier, matter: Category) -> None:
    """Who turns to another matter in an old conversation is understood by what they say."""
    found = said(classifier, WISH, continued=matter)
    assert found.category is Category.BILLING


@pytest.mark.parametrize(
    "text", ["Thank you!", "Vielen Dank.", "Merci beaucoup.", "Got it, thanks"]
)
def test_thanks_stay_thanks(classifier: LocalClassifier, text: str) -> None:
    """They are about the matter, nobody has to act on them, and none is a complaint."""
    found = said(classifier, text, continued=Category.SUPPORT)
    assert found.category is Category.SUPPORT
    assert found.intents[0].intent is IntentKind.ACKNOWLEDGMENT
    assert found.priority is Priority.LOW
    assert said(classifier, text, continued=Category.COMPLAINT).category is not Category.COMPLAINT


@pytest.mark.parametrize("matter", [Category.SPAM, Category.INTERNAL, Category.OTHER])
def test_what_is_said_of_senders_is_not_carried_on(
    classifier: LocalClassifier, matter: Category
) -> None:
    """A conversation makes nobody's answer spam, a colleague's, or nobody's matter."""
    without = said(classifier, "Yes please.")
    assert said(classifier, "Yes please.", continued=matter) == without


def test_the_words_of_a_conversation_tell_where_nothing_was_decided(
    classifier: LocalClassifier,
) -> None:
    """Quoted or imported words count, a decision counts more, unclear words for nothing."""
    about = "Please send me a copy of the invoice for March, the amount on it is wrong."
    assert said(classifier, "Yes please.", earlier=about).category is Category.BILLING
    decided = said(classifier, "Yes please.", earlier=about, continued=Category.SALES)
    assert decided.category is Category.SALES
    unclear = said(classifier, "Yes please.", earlier="\ud800 zzz 0")
    assert unclear == said(classifier, "Yes please.")


def test_spam_keeps_its_share() -> None:
    """A conversation protects nobody's advertising by itself; only being known there does."""
    even = np.full(len(Category), 1 / len(Category), dtype=np.float32)
    spam = list(Category).index(Category.SPAM)
    plain = shift_probabilities(even, MailStanding(), "words")
    told = shift_probabilities(even, MailStanding(continued=Category.SALES, leaning=1.0), "words")
    assert told[spam] == pytest.approx(plain[spam], rel=1e-4)
    assert told.sum() == pytest.approx(1, rel=1e-4)


def test_how_much_an_answer_leaves_open() -> None:
    """All of it where it is short, little where it is long or names a matter."""
    assert openness("Yes please.") == 1
    assert openness("word " * 500) == LEAST
    assert openness("The invoice?") == NAMING
    assert openness("") == 1


@pytest.mark.parametrize("half", ["seen", "kept"])
def test_answers_within_conversations(half: str) -> None:
    """Most go on about the same, which their words do not show; others are not dragged along."""
    same, of_same, new, of_new = right(half, told=True)
    alone, _, _, _ = right(half, told=False)
    assert same >= 0.8 * of_same
    assert alone < 0.5 * of_same
    assert new >= of_new - 2  # nine messages: each is a tenth

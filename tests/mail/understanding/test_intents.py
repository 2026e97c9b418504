"""How a message forks into several wishes."""

import pytest

from data.records.core.understanding import Category
from tasks.mail.classify.classifying import LocalClassifier
from tasks.mail.classify.topic_segments import sentences

TWO = [
    (
        "Please send me the invoice for March again, the amount on it is wrong. "
        "It would also be great if the app had a dark mode, please add it.",
        {Category.BILLING, Category.FEATURE_REQUEST},
    ),
    (
        "I was charged twice for my subscription, I want a refund. "
        "Besides, my password no longer works and I can't log in.",
        {Category.BILLING, Category.SUPPORT},
    ),
    (
        "Could you send us a quote for 50 office chairs? "
        "And please refund the double charge on our last invoice.",
        {Category.SALES, Category.BILLING},
    ),
    (
        "Ich kann mich nicht anmelden, das Passwort geht nicht. "
        "Außerdem wurde die Rechnung doppelt abgebucht, bitte um Erstattung.",
        {Category.SUPPORT, Category.BILLING},
    ),
]

APART = [
    (
        "Where do I enter the code of the pool? Also, please refund the second payment of May.",
        {Category.SUPPORT, Category.BILLING},
    ),
    (
        "Can you check what I still have to pay? Also, we'd love an app with a dark mode.",
        {Category.BILLING, Category.FEATURE_REQUEST},
    ),
]
"""What one sentence says less surely, but the sender says that another matter begins."""

ONE = [
    "My order has not come. Also, it was meant as a present, which makes me sad.",
    "Please send me a quote for 20 lamps. Also, we are a small hotel near the sea.",
    "Where is my parcel? It was due on Monday. The tracking number is 12345.",
    "I was charged twice. Please refund the second payment. Thank you!",
    "Hello, I hope you are well. Please send me a quote for 20 lamps. We are a small hotel.",
    "Thanks!",
    "Happy birthday, and see you on Sunday. Mum sends her love.",
]


@pytest.mark.parametrize(("text", "want"), TWO)
def test_two_wishes_become_two_intents(
    classifier: LocalClassifier, text: str, want: set[Category]
) -> None:
    """Two clear wishes of different categories are two intents, each with its own sentences."""
    intents = classifier.classify(text).intents
    assert {intent.category for intent in intents} == want
    assert all(len(intent.text.split()) > 3 for intent in intents)
    assert all(set(intent.text.split()) <= set(text.split()) for intent in intents)
    assert [intent.confidence for intent in intents] == sorted(
        (intent.confidence for intent in intents), reverse=True
    )
    assert len({intent.text for intent in intents}) == len(intents)


@pytest.mark.parametrize(("text", "want"), APART)
def test_a_sender_who_says_also_is_believed(
    classifier: LocalClassifier, text: str, want: set[Category]
) -> None:
    """A word like "also" at the start of a sentence parts two matters, with all their words."""
    intents = classifier.classify(text).intents
    assert {intent.category for intent in intents} == want
    said = sorted(word for intent in intents for word in intent.text.split())
    assert said == sorted(text.split())


@pytest.mark.parametrize("text", ONE)
def test_one_wish_stays_one_intent(classifier: LocalClassifier, text: str) -> None:
    """Circumstances, greetings and thanks do not fork a message."""
    assert len(classifier.classify(text).intents) == 1


def test_first_intent_gives_the_category(classifier: LocalClassifier) -> None:
    """The message's category is that of its strongest intent."""
    for text, _ in TWO:
        said = classifier.classify(text)
        assert said.category is said.intents[0].category


def test_sentences_keep_abbreviations_and_bullets() -> None:
    """Titles and numbers do not end a sentence; list items and blank lines do."""
    assert sentences("I saw Dr. Brown. He is kind.") == ["I saw Dr. Brown.", "He is kind."]
    assert sentences("Two things:\n- a refund\n- a new key") == [
        "Two things:",
        "a refund",
        "a new key",
    ]
    assert sentences("") == []


def test_many_sentences_are_bounded() -> None:
    """A text of a thousand sentences is cut into a bounded number of pieces, nothing lost."""
    cut = sentences("One thing. " * 1000)
    assert len(cut) <= 24
    assert " ".join(cut).count("thing") == 1000

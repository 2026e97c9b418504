"""What an organization's people teach its classifier."""

import numpy as np

from data.linear import LinearModel
from data.records.core.understanding import Category
from tasks.mail.classify.classifying import Incoming, LocalClassifier
from tasks.mail.classify.taught_layer import Example, try_layer

PLACES = ("Oslo", "Bergen", "Turku", "Vaasa", "Lund", "Malmö", "Umeå", "Aarhus", "Odense", "Kiel")
PIGEONS = [
    f"The carrier pigeon to {place} is back, loft {number}, please enter her in the flight book."
    for number, place in enumerate(PLACES * 4)
]
PLAIN = [
    f"Order {number} to {place} has not arrived, where is it?"
    for number, place in enumerate(PLACES * 4)
]


def lessons(
    classifier: LocalClassifier, texts: list[str], category: str, prefix: str
) -> list[Example]:
    """Return examples that say these texts are of a category, and otherwise as understood."""
    incoming = [Incoming(text=text) for text in texts]
    said = classifier.classify_many(incoming)
    return [
        Example(
            case_id=f"{prefix}-{number}",
            hashes=hashes,
            opinion=opinion,
            labels={
                "category": category,
                "priority": one.priority.value,
                "intent": one.intents[0].intent.value,
            },
        )
        for number, ((hashes, opinion), one) in enumerate(
            zip(classifier.opinions(incoming), said, strict=True)
        )
    ]


def taught(classifier: LocalClassifier) -> LinearModel:
    """Return a layer for which mail about pigeons is a wish for a feature."""
    examples = lessons(classifier, PIGEONS, "feature_request", "p")
    trial = try_layer([*examples, *lessons(classifier, PLAIN, "support", "s")], None)
    assert trial.held
    assert trial.better
    return trial.layer


def test_corrections_change_similar_mail_and_no_other(classifier: LocalClassifier) -> None:
    """What was taught holds for mail like it; other mail is understood as before."""
    layer = taught(classifier)
    fresh = Incoming(text="A carrier pigeon from Visby is back, please enter it in the flight book")
    (before,) = classifier.classify_many([fresh])
    (after,) = classifier.classify_many([fresh], layer)
    assert before.category is not Category.FEATURE_REQUEST
    assert after.category is Category.FEATURE_REQUEST
    assert "people here have corrected similar mail" in after.reasons
    other = Incoming(text="Please send the invoice for May once more, our auditor asks for it.")
    assert (
        classifier.classify_many([other], layer)[0].category
        is classifier.classify_many([other])[0].category
    )


def test_training_that_is_not_better_is_not_taken(classifier: LocalClassifier) -> None:
    """The same examples again, and examples without rhyme or reason, do not replace a layer."""
    layer = taught(classifier)
    examples = lessons(classifier, PIGEONS, "feature_request", "p")
    again = try_layer([*examples, *lessons(classifier, PLAIN, "support", "s")], layer)
    assert again.right_after == again.right_before
    assert not again.better
    chaos = [
        example
        for number, text in enumerate(PIGEONS)
        for example in lessons(classifier, [text], list(Category)[number % 7].value, f"c{number}")
    ]
    trial = try_layer([*chaos, *lessons(classifier, PLAIN, "support", "s")], None)
    assert not trial.better


def test_nothing_taught_makes_a_stranger_a_colleague(classifier: LocalClassifier) -> None:
    """A layer that says internal counts for colleagues only."""
    layer = try_layer(lessons(classifier, PIGEONS, "internal", "p"), None).layer
    text = PIGEONS[0]
    (stranger,) = classifier.classify_many([Incoming(text=text)], layer)
    (colleague,) = classifier.classify_many([Incoming(text=text, internal=True)], layer)
    assert stranger.category is not Category.INTERNAL
    assert all(intent.category is not Category.INTERNAL for intent in stranger.intents)
    assert colleague.category is Category.INTERNAL


def test_taught_layer_cannot_silence_an_alarm(classifier: LocalClassifier) -> None:
    """What says itself that it cannot wait stays urgent, whatever was taught."""
    alarms = [f"It smells of gas in the hall of number {number}!" for number in range(24)]
    examples = [
        Example(
            case_id=one.case_id,
            hashes=one.hashes,
            opinion=one.opinion,
            labels={**one.labels, "priority": "low"},
        )
        for one in lessons(classifier, alarms, "support", "a")
    ]
    layer = try_layer(examples, None).layer
    (said,) = classifier.classify_many([Incoming(text=alarms[0])], layer)
    assert said.priority == "urgent"


def test_layer_survives_packing(classifier: LocalClassifier) -> None:
    """A layer read back from its bytes says the same."""
    layer = taught(classifier)
    again = LinearModel.unpacked(layer.packed(), "a layer")
    fresh = [Incoming(text=PIGEONS[3]), Incoming(text=PLAIN[3])]
    assert classifier.classify_many(fresh, layer) == classifier.classify_many(fresh, again)
    assert again.packed() == layer.packed()


def test_few_examples_make_a_layer_that_changes_nothing(classifier: LocalClassifier) -> None:
    """With nothing to learn from, nothing is learned."""
    trial = try_layer(lessons(classifier, PIGEONS[:1], "billing", "x"), None)
    assert not trial.better
    assert np.isfinite(trial.layer.weights).all()

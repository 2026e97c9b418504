"""A classification after a person's word, and one that nobody from outside may have."""

from data.records.core.understanding import Category, Classification, IntentKind, Priority


def correct_classification(
    classification: Classification, *, category: Category, priority: Priority, intent: IntentKind
) -> Classification:
    """What was understood, with what a person says instead; their word is certain."""
    first, *others = classification.intents
    correct_intent = first.model_copy(
        update={"category": category, "intent": intent, "confidence": 1.0}
    )
    return classification.model_copy(
        update={
            "category": category,
            "priority": priority,
            "confidence": 1.0,
            "intents": (correct_intent, *others),
            "reasons": ("a person corrected this case", *classification.reasons),
        }
    )


def from_outside(classification: Classification) -> Classification:
    """What a model understood of a stranger's mail: not internal, whatever the model says.

    The embedded answer, which is never internal for a stranger, takes its place.
    """
    own = classification.judged
    categories = {classification.category, *(intent.category for intent in classification.intents)}
    if Category.INTERNAL not in categories:
        return classification
    return classification.model_copy(
        update={
            "category": own.category,
            "intents": own.intents,
            "confidence": own.confidence,
            "reasons": ("the sender is not established to be a colleague", *classification.reasons),
        }
    )

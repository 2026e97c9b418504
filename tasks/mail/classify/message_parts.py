"""The parts of a message: whose words each intent has, and what is understood of it by itself.

Every sentence belongs to exactly one part, so that two replies to two parts answer each thing once.
"""

from collections.abc import Collection, Sequence

from data.records.core.understanding import Classification, Intent, Priority, Sentiment
from tasks.core.words.questions import asks, has_topic
from tasks.core.words.sentences import single_spaced
from tasks.mail.classify.topic_segments import sentences

_SOONEST = (Priority.URGENT, Priority.NORMAL, Priority.LOW)
_WORST = (Sentiment.NEGATIVE, Sentiment.NEUTRAL, Sentiment.POSITIVE)


def pieces(text: str, intents: Sequence[Intent]) -> list[tuple[str, int]]:
    """Return the sentences of a text in order, each with the place of the intent that holds it.

    What no intent holds belongs to the first, which is the strongest.
    """
    intent_texts = [single_spaced(intent.text) for intent in intents]
    owned_pieces: list[tuple[str, int]] = []
    for piece in sentences(text):
        words = single_spaced(piece)
        owned_pieces.append(
            (piece, next((n for n, own in enumerate(intent_texts) if words in own), 0))
        )
    return owned_pieces


def words_of(text: str, intents: Sequence[Intent]) -> tuple[str, ...]:
    """Return the words of each intent, one sentence a line; all of the text where there is one."""
    if len(intents) < 2:
        return (text,)
    owned_pieces = pieces(text, intents)
    return tuple(
        "\n".join(piece for piece, owner in owned_pieces if owner == place)
        for place in range(len(intents))
    )


def leave_out_sentences(text: str, told_sentences: Collection[str]) -> str:
    """Return a text without the sentences that are in `told_sentences`; as it is without any."""
    if not told_sentences:
        return text
    removed = {single_spaced(told_piece) for told_piece in told_sentences}
    return "\n".join(piece for piece in sentences(text) if single_spaced(piece) not in removed)


def order_of(intents: Sequence[Intent], text: str) -> list[int]:
    """Return the places of the intents in the order in which the sender asked for them.

    A greeting counts for nobody, and what asks counts before what tells.
    """
    intent_places, asked = dict[int, int](), dict[int, int]()
    for number, (piece, owner) in enumerate(pieces(text, intents)):
        if asks(piece):
            asked.setdefault(owner, number)
        if has_topic(piece):
            intent_places.setdefault(owner, number)
    first = intent_places | asked
    return sorted(range(len(intents)), key=lambda place: (first.get(place, len(text)), place))


def by_itself(whole: Classification, intent: Intent, alone: Classification) -> Classification:
    """Return what one intent is about: as it was forked, in the mood and haste of its own words.

    `alone` is what the embedded classifier says of these words alone. Where a model forked, it is
    kept beside it, and the gates ask both.
    """
    return Classification(
        category=intent.category,
        priority=alone.priority,
        sentiment=alone.sentiment,
        language=whole.language,
        confidence=intent.confidence,
        intents=(intent,),
        provider=whole.provider,
        embedded=alone if whole.embedded is not None else None,
    )


def narrow_classification(classification: Classification, places: Sequence[int]) -> Classification:
    """Return what is understood of some parts of a message, as if they were all of it.

    What is urgent is urgent as a whole: then somebody has all of it in hand.
    """
    if not classification.parts:
        return classification
    chosen = [classification.parts[place] for place in places]
    hurried = Priority.URGENT in (classification.priority, classification.judged.priority)
    joined = _join_classifications(chosen, language=classification.language, hurried=hurried)
    if classification.embedded is None:
        return joined
    judged = [part.judged for part in chosen]
    own = _join_classifications(judged, language=classification.embedded.language, hurried=hurried)
    return joined.model_copy(update={"embedded": own.model_copy(update={"parts": ()})})


def _join_classifications(
    chosen: Sequence[Classification], *, language: str, hurried: bool
) -> Classification:
    first = chosen[0]
    priority = min((part.priority for part in chosen), key=_SOONEST.index)
    return Classification(
        category=first.category,
        priority=Priority.URGENT if hurried else priority,
        sentiment=min((part.sentiment for part in chosen), key=_WORST.index),
        language=language,
        confidence=first.confidence,
        intents=tuple(intent for part in chosen for intent in part.intents),
        provider=first.provider,
        parts=tuple(chosen) if len(chosen) > 1 else (),
    )

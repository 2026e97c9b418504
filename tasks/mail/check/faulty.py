"""Letters with a fault put into them, to see whether people read what they approve.

What is made here is shown in the place of a draft and never sent. A fault is one that a reader who
compares the letter with its sources sees: another number than the source has, or a promise that
no source holds.
"""

from data.lexicons.drafting.planted_promises import planted_promise
from data.records.core.citations import Citation
from data.records.mail.drafting import Draft
from data.records.mail.vigilance import FaultKind, FaultyDraft
from tasks.core.claims.claims import claims
from tasks.core.patterns import compiled

_DIGITS = compiled(r"\d+")
_COUNTED = ("amount", "number", "percentage", "duration")


def make_faulty(draft: Draft, choice: int) -> FaultyDraft | None:
    """Return the draft with a fault in it; None where none can be put there.

    Args:
        draft: as it was written.
        choice: any number; it decides which fault, so that the same one gives the same.

    """
    numbers, promise = _wrong_numbers(draft), _promise(draft)
    if promise is not None and (choice % 2 or not numbers):
        return promise
    return numbers[choice // 2 % len(numbers)] if numbers else None


def _wrong_numbers(draft: Draft) -> list[FaultyDraft]:
    """Return the draft with each of its cited numbers changed, one at a time."""
    faulty = []
    for citation in draft.citations:
        for claim in claims(citation.sentence):
            excerpt = claim.excerpt.strip()
            if claim.kind not in _COUNTED or citation.sentence.count(excerpt) != 1:
                continue
            wrong = _other_number(excerpt)
            if wrong and draft.body.count(citation.sentence) == 1:
                faulty.append(_with_number(draft, citation, excerpt, wrong))
    return faulty


def _other_number(excerpt: str) -> str:
    """Return the words with another number in the place of their only one; empty without one."""
    numbers = [match.group() for match in _DIGITS.finditer(excerpt)]
    if not numbers or len(numbers[0]) > 4 or int(numbers[0]) == 0:
        return ""
    number = int(numbers[0])
    return excerpt.replace(numbers[0], str(number + max(1, number // 2)), 1)


def _with_number(draft: Draft, citation: Citation, correct: str, wrong: str) -> FaultyDraft:
    sentence = citation.sentence.replace(correct, wrong)
    citations = tuple(
        cited.model_copy(update={"sentence": sentence}) if cited == citation else cited
        for cited in draft.citations
    )
    body = draft.body.replace(citation.sentence, sentence)
    changed = draft.model_copy(update={"body": body, "citations": citations})
    return FaultyDraft(
        kind=FaultKind.NUMBER, draft=changed, wrong=sentence, correct=citation.sentence
    )


def _promise(draft: Draft) -> FaultyDraft | None:
    """Return the draft with a promise behind its first cited sentence."""
    sentence = planted_promise(draft.language)
    place = draft.citations[0].sentence if draft.citations else ""
    if not sentence or not place or draft.body.count(place) != 1:
        return None
    changed = draft.model_copy(update={"body": draft.body.replace(place, f"{place} {sentence}")})
    return FaultyDraft(kind=FaultKind.PROMISE, draft=changed, wrong=sentence)

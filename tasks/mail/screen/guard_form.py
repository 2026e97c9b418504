"""The guard: a fast model looks for attempts to steer whoever reads the message after it.

It sees exactly what other models would see, in windows that overlap. Its word can only flag: it
clears nothing, and quarantines nothing by itself. Whatever is not a clean answer in the form
counts as flagged.
"""

from collections.abc import Sequence

from pydantic import ValidationError

from data.records.core.asking import SENTENCES, Brief, Fault, Question
from data.records.core.parsed_mail import ParsedMail, Segments
from data.records.core.screening import FilterLayer, Hit, MessagePlace, Screening, Verdict
from tasks.core.asking.model_view import MAX_CHARACTERS, model_view
from tasks.core.asking.packing import pack
from tasks.mail.forms import GuardForm

RULE = "guard_model"
"""Name that its hits, misses and errors bear beside those of the rules."""
WINDOW, OVERLAP = 8_000, 800
MOST_WINDOWS = -(-(MAX_CHARACTERS - OVERLAP) // (WINDOW - OVERLAP))
"""Windows that cover the longest view; so many calls one message costs at most, without retries."""
MAX_TOKENS = 600
_EXCERPT = 200


def windows(text: str, size: int = WINDOW, overlap: int = OVERLAP) -> list[str]:
    """Return pieces of at most `size` characters that cover the text and share `overlap`."""
    step = size - overlap
    starts = range(0, max(len(text) - overlap, 1), step)
    return [text[at : at + size] for at in starts]


def guard_questions(
    mail: ParsedMail,
    segments: Segments,
    *,
    brief: Brief,
    marker: str,
) -> list[Question]:
    """Return one question for each window of the message's view, at most `MOST_WINDOWS`."""
    pieces = windows(model_view(mail, segments))[:MOST_WINDOWS]
    return [
        brief.question(
            pack(marker, {"part": number, "parts": len(pieces)}, {"part of a message": piece}),
            GuardForm,
            MAX_TOKENS,
        )
        for number, piece in enumerate(pieces, start=1)
    ]


def read_guard(screening: Screening, answers: Sequence[object | Fault], shown: str) -> Screening:
    """Return the screening with what the guard said of every window.

    Args:
        screening: what the rules said.
        answers: what came back for each window, or why nothing did; none at all counts as a fault.
        shown: the message's view; excerpts that it does not hold are not shown.

    """
    hits: list[Hit] = []
    faults: list[Fault] = []
    for answer in answers or [Fault.MALFORMED]:
        outcome = answer if isinstance(answer, Fault) else _read_answer(answer)
        if isinstance(outcome, Fault):
            faults.append(outcome)
        elif outcome.is_injection:
            hits.append(_hit(outcome, shown))
    verdict = screening.verdict
    if (hits or faults) and verdict is Verdict.CLEAN:
        verdict = Verdict.FLAGGED
    clean = not hits and not faults
    return screening.model_copy(
        update={
            "verdict": verdict,
            "hits": (*screening.hits, *hits[:1]),
            "misses": (*screening.misses, RULE) if clean else screening.misses,
            "errors": (
                *screening.errors,
                *(f"{RULE}: {SENTENCES[fault]}" for fault in dict.fromkeys(faults)),
            ),
        }
    )


def _read_answer(answer: object) -> GuardForm | Fault:
    try:
        form = GuardForm.model_validate(answer)
    except ValidationError:
        return Fault.MALFORMED
    if (form.attack_type == "none") is form.is_injection:
        return Fault.MALFORMED
    return form


def _hit(guard_form: GuardForm, shown: str) -> Hit:
    quoted = (guard_form.flagged_content or "").strip()[:_EXCERPT]
    return Hit(
        rule=RULE,
        technique=guard_form.attack_type,
        layer=FilterLayer.INJECTION,
        place=MessagePlace.BODY,
        excerpt=quoted if quoted and quoted in shown else "",
        score=guard_form.confidence,
    )

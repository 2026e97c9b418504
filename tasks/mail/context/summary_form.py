"""Shortening older mail by a model; it takes only what names a given piece.

A summary is mail still, and never trusted.
"""

from collections.abc import Sequence

from pydantic import ValidationError

from data.records.core.asking import Brief, Fault, ModelFaultError, Question
from data.records.core.briefing import Snippet
from tasks.core.asking.model_text import make_readable
from tasks.core.asking.model_view import text_view
from tasks.core.asking.packing import SNIPPET, pack
from tasks.core.leaks.links import find_addresses, find_links
from tasks.core.words.sentences import squeeze
from tasks.mail.context.compacting import binding_sentences
from tasks.mail.forms import SummaryForm

MAX_TOKENS = 2_000
MOST_PIECES = 40


def summarize_question(
    pieces: Sequence[Snippet],
    words: int,
    *,
    brief: Brief,
    marker: str,
) -> Question:
    """Return the question for shorter versions of pieces of mail, `words` long altogether."""
    return brief.question(
        pack(marker, {"limit_words": words}, _pieces(pieces)),
        SummaryForm,
        MAX_TOKENS,
    )


def read_summaries(pieces: Sequence[Snippet], answer: object) -> tuple[Snippet, ...]:
    """Return the pieces with their shorter texts; one that got longer, or none, stays as it is.

    What binds (our commitments, questions that were put) is put back where the model left it out:
    that it survives is code's word. Links and addresses that the piece does not hold void its text.

    Raises:
        ModelFaultError: the answer is not in the form.

    """
    try:
        form = SummaryForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    shorter = {_number(entry.ref): make_readable(entry.text) for entry in form.entries}
    return tuple(
        piece.model_copy(update={"text": text, "trusted": False})
        if (text := _keep_binding(piece, shorter.get(number, ""))) and len(text) < len(piece.text)
        else piece
        for number, piece in enumerate(pieces, start=1)
    )


def _keep_binding(piece: Snippet, text: str) -> str:
    """Return a shorter text with every binding sentence of the piece; nothing if it leads away."""
    squeezed_piece = squeeze(piece.text)
    away = [link.text for link in find_links(text)] + list(find_addresses(text))
    if not text or any(omitted not in squeezed_piece for omitted in away):
        return ""
    squeezed_text = squeeze(text)
    missing = [
        binding_sentence
        for binding_sentence in binding_sentences(piece.text, outbound=piece.outbound)
        if squeeze(binding_sentence) not in squeezed_text
    ]
    return " ".join((text, *missing))


def _pieces(pieces: Sequence[Snippet]) -> dict[str, str]:
    """Return the texts by a number of ours and who wrote them, oldest first."""
    return {
        f"piece {number} ({'we wrote' if one.outbound else 'contact wrote'})": text_view(
            one.text, SNIPPET
        )
        for number, one in enumerate(pieces[:MOST_PIECES], start=1)
    }


def _number(ref: str) -> int:
    """Return the number that an answer names, 0 when it names none."""
    digits = "".join(letter for letter in ref[:40] if letter.isascii() and letter.isdigit())
    return int(digits[:6]) if digits else 0

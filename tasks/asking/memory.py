"""Shortening older mail, and proposing what to remember of it, by a model.

Both take only what names a given piece. A summary is mail still, and never trusted; a proposal
waits for a person, and must rest on a message of the organization's own.
"""

from collections.abc import Sequence
from datetime import date

from pydantic import ValidationError

from data.asking import Fault, ModelFaultError, Question
from data.manifest_format import Tier
from data.records.briefing import Snippet
from data.records.knowledge import KnowledgeEntry
from tasks.asking.drafting import readable
from tasks.asking.forms import ExtractForm, SummaryForm
from tasks.asking.packing import SNIPPET, pack
from tasks.check_links import find_addresses, find_links
from tasks.model_view import text_view

MAX_TOKENS = 2_000
MOST_PIECES = 40


def summarize_question(
    pieces: Sequence[Snippet],
    words: int,
    *,
    system: str,
    marker: str,
    tier: Tier = Tier.FAST,
    budget: float = 0.0,
) -> Question:
    """Return the question for shorter versions of pieces of mail, `words` long altogether."""
    return Question(
        task="summarize",
        system=system,
        user=pack(marker, {"limit_words": words}, _pieces(pieces)),
        form=SummaryForm,
        tier=tier,
        max_tokens=MAX_TOKENS,
        budget=budget,
    )


def summarized(pieces: Sequence[Snippet], answer: object) -> tuple[Snippet, ...]:
    """Return the pieces with their shorter texts; one that got longer, or none, stays as it is.

    Raises:
        ModelFaultError: the answer is not in the form.

    """
    try:
        form = SummaryForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    shorter = {_number(entry.ref): readable(entry.text) for entry in form.entries}
    return tuple(
        piece.model_copy(update={"text": text, "trusted": False})
        if (text := shorter.get(number)) and len(text) < len(piece.text)
        else piece
        for number, piece in enumerate(pieces, start=1)
    )


def extract_question(
    pieces: Sequence[Snippet],
    known: Sequence[str],
    *,
    system: str,
    marker: str,
    tier: Tier = Tier.FAST,
    budget: float = 0.0,
) -> Question:
    """Return the question what of a settled conversation the organization could remember."""
    return Question(
        task="extract",
        system=system,
        user=pack(marker, {"known_titles": list(known)}, _pieces(pieces)),
        form=ExtractForm,
        tier=tier,
        max_tokens=MAX_TOKENS,
        budget=budget,
    )


def extracted(pieces: Sequence[Snippet], answer: object, today: date) -> tuple[KnowledgeEntry, ...]:
    """Return proposals that rest on a message of ours: neither trusted nor public.

    Raises:
        ModelFaultError: the answer is not in the form.

    """
    try:
        form = ExtractForm.model_validate(answer)
    except ValidationError as error:
        raise ModelFaultError(Fault.MALFORMED) from error
    by_number = dict(enumerate(pieces, start=1))
    entries = []
    for place, proposal in enumerate(form.proposals, start=1):
        source = by_number.get(_number(proposal.ref))
        text = f"{proposal.title}\n{proposal.body}"
        if source is None or not source.outbound or find_links(text) or find_addresses(text):
            continue
        entries.append(
            KnowledgeEntry(
                id=f"learned-{source.ref.replace(':', '-')}-{place}",
                title=" ".join(readable(proposal.title).split()),
                kind=proposal.kind,
                language=source.language,
                significance=proposal.significance,
                valid_from=today,
                public=False,
                trusted=False,
                body=readable(proposal.body),
                source=source.ref,
            )
        )
    return tuple(entries)


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

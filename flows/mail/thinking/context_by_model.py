"""The request of the stage *context* to a model: shorten the older part of a conversation.

It is asked once for each version of that part. Whatever goes wrong, the embedded provider's
sentences stay. What binds is looked up in the pieces by code and put back where a model left it
out.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256

from data.records.core.asking import Charge, ModelFaultError
from data.records.core.briefing import Briefing, Snippet
from data.store.mail import summaries
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.core.thinker import Thinker, make_marker
from flows.mail.thinking.asking import each, explain_fault
from flows.mail.thinking.line_agents import SUMMARIZER
from tasks.mail.context.summary_form import MOST_PIECES, read_summaries, summarize_question

_SHARE = 3
"""A summary keeps about one third of the words, as the embedded one does."""
_LEAST = 60


async def shorten_context(
    batch: Batch,
    thinker: Thinker,
    case_by_id: Mapping[str, CaseRow],
    older: Mapping[str, Sequence[Snippet]],
) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Return shorter texts of pieces by reference, and by case why there are none of a model.

    Args:
        batch: the batch of the stage *context*.
        thinker: who asks.
        case_by_id: the cases' rows.
        older: the pieces to shorten, by case; what the case's contact may see, oldest first.

    """
    brief = thinker.read_brief(batch.workspace, SUMMARIZER.slug)
    pieces = {case: list(given)[-MOST_PIECES:] for case, given in older.items() if given}
    versions = {
        case: _version(brief.system, case_by_id[case], given) for case, given in pieces.items()
    }
    kept_summaries = await batch.workspace.db.read(
        summaries.list_kept_summaries, sorted(versions.values())
    )
    summary_by_case = {
        case: kept_summaries[key] for case, key in versions.items() if key in kept_summaries
    }
    cases = [case for case in pieces if case not in summary_by_case]

    async def ask(case: str) -> dict[str, str]:
        words = sum(len(piece.text.split()) for piece in pieces[case])
        question = summarize_question(
            pieces[case],
            max(words // _SHARE, _LEAST),
            brief=brief,
            marker=make_marker(),
        )
        row = case_by_id[case]
        charge = Charge(item=case, sender=row.contact_email)
        reply = await thinker.ask(batch.workspace, question, charge)
        short = read_summaries(pieces[case], reply.content)
        texts = {
            new.ref: new.text
            for old, new in zip(pieces[case], short, strict=True)
            if new.text != old.text
        }
        await batch.workspace.db.write(
            lambda cursor: summaries.keep(
                cursor,
                thread_id=row.thread_id,
                contact_email=row.contact_email,
                version=versions[case],
                texts=texts,
                model=reply.model,
                now=batch.now(),
            )
        )
        return texts

    failed: dict[str, str] = {}

    def gave_up(case: str, error: ModelFaultError) -> dict[str, str]:
        failed[case] = explain_fault(error)
        return {}

    return {**summary_by_case, **await each(SUMMARIZER.stage, cases, ask, gave_up)}, failed


def name_shortener(briefing: Briefing, model: str, fallback: str) -> Briefing:
    """Return a briefing with who shortened it."""
    return briefing.model_copy(update={"provider": model, "fallback": fallback})


def _version(system: str, row: CaseRow, pieces: Sequence[Snippet]) -> str:
    """Return a hash over whose conversation it is, what is asked, and every piece."""
    version_parts = [
        row.thread_id,
        row.contact_email,
        system,
        [[piece.ref, piece.outbound, piece.text] for piece in pieces],
    ]
    return sha256(json.dumps(version_parts).encode()).hexdigest()

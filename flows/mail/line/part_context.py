"""Knowledge for the parts of a case: each is searched for by its own words.

One search for a message with two wishes finds what is near to both, and may miss what answers one.
What is found for the parts joins the case's briefing, as far as its budget lets it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.records.core.briefing import Briefing, SourceKind
from data.records.core.understanding import Classification
from data.records.mail.stage_outputs import CaseText
from data.store.core import journal, knowing
from data.store.core.database import Connection
from flows.core.batch import Batch
from tasks.core.leaks.canary import mark_briefing
from tasks.mail.classify.message_parts import words_of
from tasks.mail.context.gathering import build_briefing
from tasks.mail.context.late_snippets import join_snippets

EACH = 5
"""Entries that are looked at for one part."""


async def widen_briefings(
    batch: Batch,
    understood: Mapping[str, Classification],
    briefings: Mapping[str, Briefing],
    texts: Mapping[str, CaseText],
) -> dict[str, Briefing]:
    """Return the briefings of those cases that learn something more from their parts' searches."""
    queries = [
        (case, words)
        for case, understanding in understood.items()
        if understanding.parts
        for words in words_of(texts[case].text, understanding.intents)
    ]
    if not queries:
        return {}
    match = await batch.workspace.knowledge.search(
        [words for _, words in queries],
        limit=EACH,
        language=None,
        today=batch.workspace.organization.day(batch.now()),
        used=await batch.workspace.db.read(knowing.read_usage),
    )

    def work() -> dict[str, Briefing]:
        briefing_by_case = dict(briefings)
        for (case, words), hits in zip(queries, match, strict=True):
            own = build_briefing(
                case_text=words,
                thread=(),
                contact=(),
                knowledge=hits,
                organization=batch.workspace.organization,
                policy=batch.workspace.policy,
                budget_tokens=batch.house.settings.context_tokens,
                recent_messages=1,
                knowledge_limit=EACH,
            )
            snippets = mark_briefing(own, batch.workspace.canary).of(SourceKind.KNOWLEDGE)
            briefing_by_case[case] = join_snippets(
                briefing_by_case[case], snippets, batch.house.settings.context_tokens
            )
        return {
            case: briefing
            for case, briefing in briefing_by_case.items()
            if briefing is not briefings[case]
        }

    return await asyncio.to_thread(work)


def keep_context(cursor: Connection, batch: Batch, cases: Sequence[str], now: datetime) -> None:
    """Journal wider briefings in the place of the first ones, for whoever looks later."""
    before = journal.read_results(cursor, "context", cases)
    widened = {
        case: text
        for case in cases
        if (text := batch.find_result_json("context", case)) and text != before.get(case)
    }
    journal.supersede_steps(cursor, list(widened), ["context"])
    version = batch.workspace.config_version
    steps = [
        journal.build_step_without_run(case, "context", text, now, version)
        for case, text in widened.items()
    ]
    journal.record_steps(cursor, steps)

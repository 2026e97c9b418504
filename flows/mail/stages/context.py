"""Stage *context*: what is relevant to a case, from five sources, within the token budget."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from connectors.embedding.embedder import Vectors
from data.errors import PosternError
from data.records.core.briefing import Briefing, Tier
from data.store.core import knowing
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.batch import Batch
from flows.mail.line.case_texts import list_readings, read_case_rows
from flows.mail.line.customers import list_known_facts
from flows.mail.line.earlier_messages import choose_entries, list_quotable
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.owner_answers import add_answers, list_answers
from flows.mail.stages.case_stage import CaseStage
from flows.mail.thinking.context_by_model import name_shortener, shorten_context
from flows.mail.thinking.line_agents import SUMMARIZER
from tasks.mail.case_text import case_text
from tasks.mail.context.brief_case import ContextLimits, brief_case
from tasks.mail.context.embed_texts import embed_texts
from tasks.mail.context.gathering import list_older
from tasks.mail.context.queries import merge_results, queries_of

EARLIER_PER_CONTACT = 20


class ContextStage(CaseStage[Briefing]):
    """Gathers contact history, thread, knowledge and organization."""

    name = "context"
    output = Briefing

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Briefing | PosternError]:
        """Build one briefing per case; a case sees its own contact's history only."""
        case_by_id = await read_case_rows(batch, ids)
        texts = {
            case: case_text(readings)
            for case, readings in (await list_readings(batch, case_by_id)).items()
        }
        earlier = await batch.workspace.db.read(list_quotable, case_by_id, EARLIER_PER_CONTACT)
        answered = await batch.workspace.db.read(
            list_answers, batch.workspace.organization, case_by_id
        )
        queries_by_case = {case: queries_of(texts[case].subject, texts[case].text) for case in ids}
        queries = [query for case in ids for query in queries_by_case[case]]
        limit = batch.house.settings.context_knowledge_entries
        knowledge = await batch.workspace.knowledge.search(
            queries,
            limit=limit,
            language=None,
            today=batch.workspace.organization.day(batch.now()),
            used=await batch.workspace.db.read(knowing.read_usage),
            vectors=await _compute_vectors(batch, queries),
        )
        rows = iter(knowledge)
        hits = {
            case: merge_results([next(rows) for _ in queries_by_case[case]], limit) for case in ids
        }

        customers = await list_known_facts(
            batch, case_by_id, {case: (texts[case].subject, texts[case].text) for case in ids}
        )

        settings, ground = batch.house.settings, mail_line_of(batch.workspace).ground
        limits = ContextLimits(
            tokens=settings.context_tokens,
            recent_messages=settings.context_recent_messages,
            knowledge_entries=limit,
        )

        def brief(case: str, shorter: Mapping[str, str] | None = None) -> Briefing:
            briefing = brief_case(
                ground,
                limits,
                texts[case],
                hits[case],
                thread=choose_entries(earlier[case], own=True),
                contact=choose_entries(earlier[case], own=False),
                shorter=shorter,
                account=customers.get(case, ()),
            )
            version = {"version": case_by_id[case].version}
            return add_answers(briefing, answered[case]).model_copy(update=version)

        briefings = await asyncio.to_thread(lambda: {case: brief(case) for case in ids})
        thinker = batch.house.thinker
        cut = [case for case, briefing in briefings.items() if briefing.tier is Tier.COMPACTED]
        if thinker is None or not cut:
            return briefings
        old = {
            case: list_older(choose_entries(earlier[case], own=True), limits.recent_messages)
            for case in cut
        }
        shorter, failed = await shorten_context(batch, thinker, case_by_id, old)
        model = thinker.find_model(batch.workspace, SUMMARIZER.slug)
        for case in cut:
            author = model if shorter.get(case) else "local"
            briefings[case] = name_shortener(
                brief(case, shorter.get(case)), author, failed.get(case, "")
            )
        return briefings

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Briefing], now: datetime
    ) -> None:
        """Show how much the context had to be cut."""
        cases.change(
            cursor,
            [{"id": case, "tier": str(briefing.tier)} for case, briefing in results.items()],
        )


async def _compute_vectors(batch: Batch, queries: Sequence[str]) -> Vectors | None:
    """Return what the local embedder makes of the queries; None where another is asked."""
    if batch.house.settings.embedding_provider != "local":
        return None
    return np.stack(await batch.house.work.compute_each(embed_texts, None, queries))

"""Stage *draft*: one reply that answers every branch of a case."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.deciding import RejectReason
from data.records.drafting import Draft
from data.records.mail import Address
from data.records.redrafting import Wish
from data.records.understanding import Classification
from data.store import cases, wishes
from data.store.database import Connection, insert
from flows.asking import draft_each
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows, case_text, readings_of
from flows.stages.plan import Plans
from flows.workspace import Workspace
from tasks.draft import draft
from tasks.draft_alternatives import redraft


def other_language(wish: Wish, workspace: Workspace) -> str:
    """Return the language to try after one that was wrong: the organization's, else English."""
    ours = workspace.organization.language
    return ours if ours != wish.language else "en"


class DraftStage(CaseStage[Draft]):
    """Writes the machine's revision of the reply."""

    name = "draft"
    output = Draft

    async def perform(self, batch: Batch, ids: Sequence[str]) -> Mapping[str, Draft | PosternError]:
        """Draft a reply for each case; one that plans none gets an empty draft."""
        workspace = batch.workspace
        found = await case_rows(batch, ids)
        readings = await readings_of(batch, found)
        understood = await batch.results("classify", Classification, ids)
        briefings = await batch.results("context", Briefing, ids)
        plans = await batch.results("plan", Plans, ids)
        wished = await workspace.db.read(wishes.of_cases, ids)

        def work(case: str) -> Draft:
            row, text = found[case], case_text(readings[case])
            sender = Address(name=row["contact_name"], email=row["contact_email"])
            wish, said = wished.get(case), understood[case]
            if wish is not None and wish.reason is RejectReason.WRONG_LANGUAGE:
                said = said.model_copy(update={"language": other_language(wish, workspace)})
            made = draft(
                intents=understood[case].intents,
                plans=plans[case].plans,
                new_text=text.text,
                subject=text.subject,
                sender=sender,
                classification=said,
                briefing=briefings[case],
                organization=workspace.organization,
                policy=workspace.policy,
                saved_replies=workspace.saved_replies,
            )
            if wish is None:
                return made
            return redraft(made, wish, sender, workspace.organization, workspace.policy)

        embedded = await asyncio.to_thread(lambda: {case: work(case) for case in ids})
        if batch.house.thinker is None:
            return embedded
        return await draft_each(
            batch,
            batch.house.thinker,
            found,
            readings,
            understood,
            briefings,
            {case: plans[case].plans for case in ids},
            embedded,
            wished,
        )

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Draft], now: datetime
    ) -> None:
        """Keep the draft as the newest revision."""
        revisions = cases.next_revisions(cursor, list(results))
        insert(
            cursor,
            "drafts",
            [
                {
                    "case_id": case,
                    "revision": revisions[case],
                    "draft": written.model_dump_json(),
                    "checked": None,
                    "author": written.provider,
                    "created_at": now,
                }
                for case, written in results.items()
                if written.body.strip()
            ],
        )

"""Stage *check*: claims, links, secrets and recipients of a draft, without a model."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.drafting import Alternative, Checked, Draft
from data.records.mail import Address
from data.records.understanding import Classification
from data.store.database import Connection, update
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows, case_text, readings_of
from tasks.check import check
from tasks.draft_alternatives import alternatives

MOST_ALTERNATIVES = 2
"""Other drafts that are offered beside one of low quality."""


class CheckStage(CaseStage[Checked]):
    """Finds what a draft says without a source."""

    name = "check"
    output = Checked

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Checked | PosternError]:
        """Check each draft against the briefing that it was written from."""
        workspace = batch.workspace
        found = await case_rows(batch, ids)
        readings = await readings_of(batch, found)
        drafts = await batch.results("draft", Draft, ids)
        briefings = await batch.results("context", Briefing, ids)
        understood = await batch.results("classify", Classification, ids)

        def work(case: str) -> Checked:
            sender = Address(name=found[case]["contact_name"], email=found[case]["contact_email"])

            def look(draft: Draft) -> Checked:
                return check(
                    draft,
                    briefings[case],
                    new_text=case_text(readings[case]).text,
                    organization=workspace.organization,
                    policy=workspace.policy,
                    sender=sender,
                    saved_replies=workspace.saved_replies,
                    intents=understood[case].judged.intents,
                    canary=workspace.canary,
                )

            checked = look(drafts[case])
            enough = checked.quality >= workspace.policy.confidence_threshold
            if enough or not drafts[case].body.strip():
                return checked
            others = alternatives(
                drafts[case],
                sender,
                workspace.organization,
                workspace.policy,
                understood[case].confidence,
            )
            return checked.model_copy(
                update={
                    "alternatives": tuple(
                        Alternative(kind=kind, draft=other, quality=look(other).quality)
                        for kind, other in list(others.items())[:MOST_ALTERNATIVES]
                    )
                }
            )

        return await asyncio.to_thread(lambda: {case: work(case) for case in ids})

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Checked], now: datetime
    ) -> None:
        """Show the quality, and keep the findings with the revision."""
        update(
            cursor,
            "cases",
            [{"id": case, "quality": checked.quality} for case, checked in results.items()],
        )
        update(
            cursor,
            "drafts",
            [{"case_id": case, "checked": c.model_dump_json()} for case, c in results.items()],
            key="case_id",
            only="drafts.checked IS NULL",
        )

"""Stage *check*: claims, links, secrets and recipients of a draft, without a model."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.drafting import Alternative, Checked, Draft
from data.records.parts import Examined, Written
from data.records.understanding import Classification
from data.store.database import Connection, update
from data.store.parts import keep_by_branch
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows, case_text, readings_of
from flows.stages.draft import sender_of
from flows.workspace import Workspace
from tasks.check import check
from tasks.draft_alternatives import alternatives
from tasks.parts import narrowed, words_of

MOST_ALTERNATIVES = 2
"""Other drafts that are offered beside one of low quality."""


class CheckStage(CaseStage[Examined]):
    """Finds what a draft says without a source, in the whole of it and in each part."""

    name = "check"
    output = Examined

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Examined | PosternError]:
        """Check each draft against the briefing that it was written from."""
        found = await case_rows(batch, ids)
        readings = await readings_of(batch, found)
        drafts = await batch.results("draft", Written, ids)
        briefings = await batch.results("context", Briefing, ids)
        understood = await batch.results("classify", Classification, ids)

        def work(case: str) -> Examined:
            text, said = case_text(readings[case]).text, understood[case]
            look = partial(examine, batch.workspace, found[case], briefings[case], heard=text)
            checked = look(drafts[case].whole, said, text)
            others = tuple(
                other.model_copy(update={"quality": look(other.draft, said, text).quality})
                for other in _others(batch, found[case], drafts[case], checked, said)
            )
            checked = checked.model_copy(update={"alternatives": others})
            spoken = words_of(text, said.intents)
            return Examined(
                **dict(checked),
                branches=tuple(
                    look(part, narrowed(said, [place]), spoken[place])
                    for place, part in enumerate(drafts[case].parts)
                ),
            )

        return await asyncio.to_thread(lambda: {case: work(case) for case in ids})

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Examined], now: datetime
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
            [
                {"case_id": case, "checked": checked.whole.model_dump_json()}
                for case, checked in results.items()
            ],
            key="case_id",
            only="drafts.checked IS NULL",
        )
        keep_by_branch(
            cursor, "checked", {case: checked.branches for case, checked in results.items()}
        )


def examine(
    workspace: Workspace,
    row: Mapping[str, Any],
    briefing: Briefing,
    draft: Draft,
    said: Classification,
    text: str,
    *,
    heard: str,
) -> Checked:
    """Return what the check says of a reply to `text`, which is all or a part of what was heard."""
    return check(
        draft,
        briefing,
        new_text=text,
        whole_text=heard,
        organization=workspace.organization,
        policy=workspace.policy,
        sender=sender_of(row),
        saved_replies=workspace.saved_replies,
        intents=said.judged.intents,
        canary=workspace.canary,
    )


def _others(
    batch: Batch, row: Mapping[str, Any], draft: Written, checked: Checked, said: Classification
) -> tuple[Alternative, ...]:
    """Return other drafts beside one of low quality, without their own quality."""
    workspace = batch.workspace
    if checked.quality >= workspace.policy.confidence_threshold or not draft.body.strip():
        return ()
    others = alternatives(
        draft.whole, sender_of(row), workspace.organization, workspace.policy, said.confidence
    )
    return tuple(
        Alternative(kind=kind, draft=other)
        for kind, other in list(others.items())[:MOST_ALTERNATIVES]
    )

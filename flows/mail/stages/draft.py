"""Stage *draft*: what is said to every branch of a case, and one reply of it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.core.briefing import Briefing
from data.records.core.understanding import Classification
from data.records.mail.deciding import RejectReason
from data.records.mail.redrafting import RedraftWish
from data.records.mail.stage_outputs import Plans, Written
from data.store.core.database import Connection
from data.store.mail import cases, wishes
from data.store.mail.parts import keep_by_branch
from flows.core.batch import Batch
from flows.core.workspace import Workspace
from flows.mail.line.case_texts import list_readings, reuse_case_rows
from flows.mail.line.check_basis import sender_of
from flows.mail.line.mail_line import mail_line_of
from flows.mail.stages.case_stage import CaseStage
from flows.mail.thinking.draft_by_model import draft_each
from flows.mail.thinking.line_agents import DRAFTER
from tasks.mail.case_text import case_text
from tasks.mail.draft.draft_cases import ToDraft, whole_reply


def choose_other_language(wish: RedraftWish, workspace: Workspace) -> str:
    """Return the language to try after one that was wrong: the organization's, else English."""
    ours = workspace.organization.language
    return ours if ours != wish.language else "en"


class DraftStage(CaseStage[Written]):
    """Writes the machine's revision of the reply, each part by itself where there are several."""

    name = "draft"
    output = Written

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Written | PosternError]:
        """Draft a reply for each case; one that plans none gets an empty draft."""
        workspace = batch.workspace
        case_rows = await reuse_case_rows(batch, ids)
        readings = await list_readings(batch, case_rows)
        understood = await batch.read_results("classify", Classification, ids)
        briefings = await batch.read_results("context", Briefing, ids)
        plans = await batch.read_results("plan", Plans, ids)
        wished = await workspace.db.read(wishes.list_of_cases, ids)
        texts = {case: case_text(readings[case]) for case in ids}

        def language_of(case: str) -> str:
            wish = wished.get(case)
            if wish is None or wish.reason is not RejectReason.WRONG_LANGUAGE:
                return understood[case].language
            return choose_other_language(wish, workspace)

        matters = {
            case: ToDraft(
                text=texts[case].text,
                subject=texts[case].subject,
                sender=sender_of(case_rows[case]),
                said=understood[case],
                language=language_of(case),
                plans=plans[case].plans,
                briefing=briefings[case],
            )
            for case in ids
        }
        ground = mail_line_of(workspace).ground
        drafts_written = await batch.house.work.compute_each(
            DRAFTER.embedded, ground, [matters[case] for case in ids]
        )
        drafts = dict(zip(ids, drafts_written, strict=True))
        if batch.house.thinker is not None:
            drafts = await draft_each(
                batch,
                batch.house.thinker,
                case_rows,
                readings,
                understood,
                briefings,
                {case: plans[case].plans for case in ids},
                drafts,
                wished,
            )

        return await asyncio.to_thread(
            lambda: {
                case: whole_reply(ground, matters[case], drafts[case], wished.get(case))
                for case in ids
            }
        )

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Written], now: datetime
    ) -> None:
        """Keep the draft as the newest revision, and what it says to each branch with it."""
        revisions = cases.read_next_revisions(cursor, list(results))
        cases.add_drafts(
            cursor,
            [
                {
                    "case_id": case,
                    "revision": revisions[case],
                    "draft": written.whole.model_dump_json(),
                    "checked": None,
                    "author": written.provider,
                    "unanswered": len(written.whole.unanswered),
                    "created_at": now,
                }
                for case, written in results.items()
                if written.body.strip()
            ],
        )
        keep_by_branch(cursor, "draft", {case: written.parts for case, written in results.items()})

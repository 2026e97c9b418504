"""Stage *draft*: what is said to every branch of a case, and one reply of it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.deciding import RejectReason
from data.records.drafting import Draft
from data.records.mail import Address
from data.records.parts import Written
from data.records.planning import Plan
from data.records.redrafting import Wish
from data.records.understanding import Classification, Intent
from data.store import cases, wishes
from data.store.database import Connection, insert
from data.store.parts import keep_by_branch
from flows.asking import draft_each
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, CaseText, case_rows, case_text, readings_of
from flows.stages.plan import Plans
from flows.workspace import Workspace
from tasks.draft import draft
from tasks.draft_alternatives import redraft
from tasks.merge import merged
from tasks.parts import narrowed, order_of, words_of


def other_language(wish: Wish, workspace: Workspace) -> str:
    """Return the language to try after one that was wrong: the organization's, else English."""
    ours = workspace.organization.language
    return ours if ours != wish.language else "en"


def sender_of(row: Mapping[str, Any]) -> Address:
    """Return who a case's reply is to."""
    return Address(name=row["contact_name"], email=row["contact_email"])


class DraftStage(CaseStage[Written]):
    """Writes the machine's revision of the reply, each part by itself where there are several."""

    name = "draft"
    output = Written

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Written | PosternError]:
        """Draft a reply for each case; one that plans none gets an empty draft."""
        workspace = batch.workspace
        found = await case_rows(batch, ids)
        readings = await readings_of(batch, found)
        understood = await batch.results("classify", Classification, ids)
        briefings = await batch.results("context", Briefing, ids)
        plans = await batch.results("plan", Plans, ids)
        wished = await workspace.db.read(wishes.of_cases, ids)
        texts = {case: case_text(readings[case]) for case in ids}

        def said_of(case: str) -> Classification:
            wish, said = wished.get(case), understood[case]
            if wish is None or wish.reason is not RejectReason.WRONG_LANGUAGE:
                return said
            return said.model_copy(update={"language": other_language(wish, workspace)})

        def one(case: str, place: int, words: str) -> Draft:
            said = understood[case]
            intent, made = said.intents[place], plans[case].plans[place]
            text = texts[case].model_copy(update={"text": words})
            seen = narrowed(said, [place]).model_copy(update={"language": said_of(case).language})
            return _drafted(workspace, found[case], text, [intent], [made], seen, briefings[case])

        def work(case: str) -> tuple[Draft, ...]:
            intents, text = understood[case].intents, texts[case]
            if len(intents) > 1:
                spoken = words_of(text.text, intents)
                return tuple(one(case, place, words) for place, words in enumerate(spoken))
            made = plans[case].plans
            return (
                _drafted(
                    workspace, found[case], text, intents, made, said_of(case), briefings[case]
                ),
            )

        drafts = await asyncio.to_thread(lambda: {case: work(case) for case in ids})
        if batch.house.thinker is not None:
            drafts = await draft_each(
                batch,
                batch.house.thinker,
                found,
                readings,
                understood,
                briefings,
                {case: plans[case].plans for case in ids},
                drafts,
                wished,
            )

        def whole(case: str) -> Written:
            made = drafts[case]
            order = order_of(understood[case].intents, texts[case].text)
            sender, house, policy = sender_of(found[case]), workspace.organization, workspace.policy
            reply = made[0]
            if len(made) > 1:
                reply = merged([made[place] for place in order], sender, house, policy)
            if case in wished and reply.provider == "local":
                reply = redraft(reply, wished[case], sender, house, policy)
            return Written(**dict(reply), parts=made if len(made) > 1 else ())

        return await asyncio.to_thread(lambda: {case: whole(case) for case in ids})

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Written], now: datetime
    ) -> None:
        """Keep the draft as the newest revision, and what it says to each branch with it."""
        revisions = cases.next_revisions(cursor, list(results))
        insert(
            cursor,
            "drafts",
            [
                {
                    "case_id": case,
                    "revision": revisions[case],
                    "draft": written.whole.model_dump_json(),
                    "checked": None,
                    "author": written.provider,
                    "created_at": now,
                }
                for case, written in results.items()
                if written.body.strip()
            ],
        )
        keep_by_branch(cursor, "draft", {case: written.parts for case, written in results.items()})


def _drafted(
    workspace: Workspace,
    row: Mapping[str, Any],
    text: CaseText,
    intents: Sequence[Intent],
    plans: Sequence[Plan],
    said: Classification,
    briefing: Briefing,
) -> Draft:
    """Return what the embedded provider writes."""
    return draft(
        intents=intents,
        plans=plans,
        new_text=text.text,
        subject=text.subject,
        sender=sender_of(row),
        classification=said,
        briefing=briefing,
        organization=workspace.organization,
        policy=workspace.policy,
        saved_replies=workspace.saved_replies,
    )

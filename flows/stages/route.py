"""Stage *route*: where a case goes, gate by gate, and what follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.deciding import Decision, Outcome
from data.records.drafting import Checked, Draft
from data.records.planning import Plan
from data.records.understanding import Classification, Priority
from data.states import CaseState, MessageStatus
from data.store import cases
from data.store.database import Connection, update
from data.store.moves import move
from flows.evidence import evidence_of, is_first_contact
from flows.leaks import hold_back, quarantine_leaks
from flows.left_before import past_of
from flows.letters import letter_or_refuse, render
from flows.outbox import enqueue
from flows.outgoing_check import fault_of
from flows.signing import can_sign, sign_outgoing
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows
from flows.stages.message_stage import notify
from flows.stages.plan import Plans
from flows.staleness import stale, why_stale
from tasks.asking.stricter import stricter
from tasks.route import route
from tasks.route_signals import RouteSignals

ENDS = {
    Outcome.REVIEW: (CaseState.IN_REVIEW, MessageStatus.DRAFT_READY),
    Outcome.ESCALATE: (CaseState.ESCALATED, MessageStatus.ESCALATED),
    Outcome.ARCHIVE: (CaseState.ARCHIVED, MessageStatus.ARCHIVED),
}


class RouteStage(CaseStage[Decision]):
    """Compares policy and evidence; alone decides what may leave without a person."""

    name = "route"
    output = Decision

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Decision | PosternError]:
        """Evaluate every gate for each case."""
        found = await case_rows(batch, ids)
        evidence = await evidence_of(batch, found)
        understood = await batch.results("classify", Classification, ids)
        briefings = await batch.results("context", Briefing, ids)
        plans = await batch.results("plan", Plans, ids)
        drafts = await batch.results("draft", Draft, ids)
        checks = await batch.results("check", Checked, ids)
        past = await batch.workspace.db.read(past_of, found, drafts, batch.now())
        stopped = batch.house.stopped
        signs = await asyncio.to_thread(
            can_sign, batch.house.settings, batch.workspace.organization
        )

        leaving: list[Mapping[str, Any]] = []
        """Cases of this batch that are to leave: they count for those after them."""

        def work(case: str) -> Decision:
            made = decide(case, understood[case], plans[case].plans)
            if plans[case].embedded:
                made = stricter(made, decide(case, understood[case].judged, plans[case].embedded))
            if made.outcome is Outcome.AUTO_SEND:
                leaving.append(found[case])
            return made

        def decide(case: str, said: Classification, planned: Sequence[Plan]) -> Decision:
            seen = evidence[case]
            counted = past.counted(found[case], leaving)
            return route(
                classification=said,
                screening=seen.screening,
                authentication=seen.authentication,
                automated=seen.automated,
                briefing=briefings[case],
                checked=checks[case],
                draft=drafts[case],
                plans=planned,
                policy=batch.workspace.policy,
                organization=batch.workspace.organization,
                signals=RouteSignals(
                    now=batch.now(),
                    recipients=seen.recipients,
                    stopped=stopped,
                    transport_ready=signs,
                    bare_eol=seen.bare_eol,
                    defects=seen.defects,
                    attachments=seen.attachments,
                    first_contact=is_first_contact(briefings[case]),
                    newer_mail=case in past.newer,
                    stale=stale(found[case], briefings[case]),
                    repeated_body=case in past.repeated,
                    auto_sends_today=past.today + len(leaving),
                    sent=counted,
                ),
            )

        return await asyncio.to_thread(lambda: {case: work(case) for case in ids})

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Decision], now: datetime
    ) -> None:
        """Put each case where it goes."""
        found = cases.many(cursor, list(results))
        drafted = {
            row[0]
            for row in cursor.execute(
                "SELECT DISTINCT case_id FROM drafts WHERE case_id IN (SELECT unnest(?))",
                [list(results)],
            ).fetchall()
        }
        update(
            cursor,
            "cases",
            [
                {
                    "id": case,
                    "outcome": str(decision.outcome),
                    "would_auto_send": decision.would_auto_send,
                    "assignee": decision.assignee,
                    "note": decision.reason,
                    "has_draft": case in drafted,
                    "drafted_at": now,
                }
                for case, decision in results.items()
            ],
        )
        for outcome, (state, status) in ENDS.items():
            ids = [case for case, decision in results.items() if decision.outcome is outcome]
            move(cursor, ids, state, actor=self.name, now=now)
            items = [item for case in ids for item in found[case]["message_ids"]]
            move(cursor, items, status, actor=self.name, now=now)
            batch.outcomes.update(dict.fromkeys(ids, str(outcome)))
        cases.touch(cursor, list(results), now)
        self._tell(cursor, results, found, now)
        for case, decision in results.items():
            if decision.outcome is Outcome.AUTO_SEND:
                batch.outcomes[case] = str(Outcome.AUTO_SEND)
                self._send(cursor, batch, found[case], now)
        quarantine_leaks(cursor, found, now)

    def _tell(
        self,
        cursor: Connection,
        results: Mapping[str, Decision],
        found: Mapping[str, Mapping[str, Any]],
        now: datetime,
    ) -> None:
        urgent = {
            case: f"urgent: {found[case]['subject']}"
            for case, decision in results.items()
            if found[case]["priority"] == Priority.URGENT
            and decision.outcome in (Outcome.REVIEW, Outcome.ESCALATE)
        }
        notify(cursor, "urgent", urgent, now)

    def _send(self, cursor: Connection, batch: Batch, row: dict[str, Any], now: datetime) -> None:
        """Approve in the name of the policy."""
        workspace = batch.workspace
        if late := why_stale(cursor, row):
            hold_back(cursor, row, late, now)
            batch.outcomes[row["id"]] = str(Outcome.REVIEW)
            return
        letter = letter_or_refuse(cursor, workspace, row)
        outgoing = render(
            workspace, letter, hostname=batch.house.settings.smtp_hostname, auto=True, now=now
        )
        if fault := fault_of(workspace, outgoing, letter.draft.language):
            hold_back(cursor, row, fault, now)
            batch.outcomes[row["id"]] = str(Outcome.REVIEW)
            return
        outgoing = sign_outgoing(batch.house.settings, workspace.organization, outgoing)
        workspace.archive.keep([outgoing.raw])
        enqueue(
            cursor,
            row,
            outgoing,
            approved_by="policy",
            automatic=True,
            undo_seconds=workspace.policy.undo_seconds,
            now=now,
        )

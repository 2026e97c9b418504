"""Stage *route*: where a case goes, gate by gate, and what follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.deciding import Decision, Outcome
from data.records.drafting import Checked, Draft
from data.records.planning import Plan
from data.records.understanding import Classification, Priority
from data.states import CaseState, MessageStatus
from data.store import cases, deliveries, governing, messages
from data.store.database import Connection, update
from data.store.moves import move
from flows.evidence import evidence_of, is_first_contact
from flows.letters import letter_or_refuse, render
from flows.outbox import enqueue
from flows.signing import can_sign, sign_outgoing
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows
from flows.stages.message_stage import notify
from flows.stages.plan import Plans
from tasks import governor
from tasks.asking.stricter import stricter
from tasks.route import route
from tasks.route_signals import RouteSignals

REPEAT_DAYS = 7
ENDS = {
    Outcome.REVIEW: (CaseState.IN_REVIEW, MessageStatus.DRAFT_READY),
    Outcome.ESCALATE: (CaseState.ESCALATED, MessageStatus.ESCALATED),
    Outcome.ARCHIVE: (CaseState.ARCHIVED, MessageStatus.ARCHIVED),
}


@dataclass(frozen=True)
class _Past:
    """What has left before, and what has come since."""

    today: int
    recent: dict[str, tuple[int, int]]
    automatic: dict[str, int]
    repeated: set[str]
    newer: set[str]
    overall: int
    counted: dict[str, tuple[int, int, int]]
    unreachable: set[str]


def _past(
    cursor: Connection,
    found: Mapping[str, Mapping[str, Any]],
    drafts: Mapping[str, Draft],
    now: datetime,
) -> _Past:
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    today, recent = deliveries.recent_counts(cursor, list(found), now, midnight)
    emails = sorted({row["contact_email"] for row in found.values()})
    sent = governing.automatic_to(cursor, emails, now - timedelta(hours=governor.SUBJECT_HOURS))
    return _Past(
        overall=governing.left_since(cursor, now - timedelta(minutes=governor.OVERALL_MINUTES)),
        counted={
            case: governor.count_automatic(
                [
                    (one["subject"], one["created_at"])
                    for one in sent
                    if one["contact_email"] == row["contact_email"]
                ],
                row["subject"],
                now,
            )
            for case, row in found.items()
        },
        unreachable=governing.unreachable(
            cursor, emails, now - timedelta(days=governor.UNREACHABLE_DAYS)
        ),
        today=today,
        recent=recent,
        automatic=deliveries.consecutive_automatic(
            cursor, [row["thread_id"] for row in found.values()]
        ),
        repeated=deliveries.repeated_bodies(
            cursor,
            {case: (row["contact_email"], drafts[case].body) for case, row in found.items()},
            now - timedelta(days=REPEAT_DAYS),
        ),
        newer=messages.newer_than(
            cursor, {case: (row["thread_id"], row["received_at"]) for case, row in found.items()}
        ),
    )


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
        past = await batch.workspace.db.read(_past, found, drafts, batch.now())
        stopped = batch.house.stopped
        signs = await asyncio.to_thread(
            can_sign, batch.house.settings, batch.workspace.organization
        )

        def work(case: str) -> Decision:
            shown = decide(case, understood[case], plans[case].plans)
            if not plans[case].embedded:
                return shown
            return stricter(shown, decide(case, understood[case].judged, plans[case].embedded))

        def decide(case: str, said: Classification, planned: Sequence[Plan]) -> Decision:
            seen = evidence[case]
            thread, contact = past.recent.get(case, (0, 0))
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
                    repeated_body=case in past.repeated,
                    consecutive_auto_replies=past.automatic.get(found[case]["thread_id"], 0),
                    auto_sends_today=past.today,
                    replies_in_thread_10min=thread,
                    replies_to_contact_180min=contact,
                    replies_overall_10min=past.overall,
                    automatic_to_contact=past.counted[case],
                    unreachable=found[case]["contact_email"] in past.unreachable,
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
                self._send(cursor, batch, found[case], now)
                batch.outcomes[case] = str(Outcome.AUTO_SEND)

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
        letter = letter_or_refuse(cursor, workspace, row)
        outgoing = render(
            workspace, letter, hostname=batch.house.settings.smtp_hostname, auto=True, now=now
        )
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

"""Stage *route*: where a case goes, gate by gate, and what follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.core.briefing import Briefing
from data.records.core.principals import system
from data.records.core.screening import Verdict
from data.records.core.understanding import Classification, Priority
from data.records.mail.approval_kinds import REPLY
from data.records.mail.deciding import Decision, Outcome
from data.records.mail.drafting import Checked, Draft
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Examined, Plans, Routed, Written
from data.states import CaseState, MessageStatus
from data.store.core import approvals, audit, journal
from data.store.core.database import Connection
from data.store.core.notifications import notify
from data.store.mail import attached_files, cases, questions
from data.store.mail.cases import CaseRow
from data.store.mail.moves import move
from data.store.mail.parts import keep_by_branch
from flows.core.batch import Batch
from flows.mail.leaving.approving import allow, ask
from flows.mail.leaving.letters import Letter
from flows.mail.leaving.outbox import enqueue
from flows.mail.leaving.prepared_replies import Ready, await_person, leave_by_itself
from flows.mail.leaving.signing import is_signing_ready
from flows.mail.line.case_family import hand_messages_on
from flows.mail.line.case_texts import list_readings, read_case_rows
from flows.mail.line.earlier_departures import read_departures
from flows.mail.line.evidence import gather_evidence
from flows.mail.line.judging import CaseInWork, Judging
from flows.mail.line.leaks import hold_case_back, quarantine_leaks
from flows.mail.line.parted_portions import Whole, find_parting, name_holding_part
from flows.mail.line.parting import part_case
from flows.mail.line.staleness import explain_staleness
from flows.mail.people.reviewing import work_again
from flows.mail.stages.case_stage import CaseStage
from tasks.mail.case_text import case_text
from tasks.mail.check.finding import CANARY
from tasks.mail.classify.message_parts import narrow_classification
from tasks.mail.read import Reading

ENDS = {
    Outcome.REVIEW: (CaseState.IN_REVIEW, MessageStatus.DRAFT_READY),
    Outcome.ESCALATE: (CaseState.ESCALATED, MessageStatus.ESCALATED),
    Outcome.ARCHIVE: (CaseState.ARCHIVED, MessageStatus.ARCHIVED),
}


class RouteStage(CaseStage[Routed]):
    """Compares policy and evidence; alone decides what may leave without a person."""

    name = "route"
    output = Routed

    async def perform(
        self, batch: Batch, ids: Sequence[str]
    ) -> Mapping[str, Routed | PosternError]:
        """Evaluate every gate for each case, and for each of its parts."""
        in_work = await _gather_cases(batch, ids)
        judging = await _build_judging(batch, in_work)

        def route_all() -> dict[str, Routed]:
            return {case: _route_case(judging, work) for case, work in in_work.items()}

        decisions = await asyncio.to_thread(route_all)
        await self._prepare_letters(batch, in_work, decisions)
        return decisions

    async def _prepare_letters(
        self, batch: Batch, in_work: Mapping[str, CaseInWork], decisions: Mapping[str, Routed]
    ) -> None:
        """Word what a person will have to approve; render, sign and keep what leaves by itself."""
        house, workspace = batch.house, batch.workspace
        last = {case: work.row.message_ids[-1] for case, work in in_work.items()}
        parents = await batch.read_results("parse", Reading, list(last.values()))
        attached = await workspace.db.read(attached_files.list_of_cases, list(in_work))

        def make_ready(case: str, decision: Routed) -> Ready:
            leaving = decision.parting.first if decision.parting else None
            draft = leaving.draft if leaving else in_work[case].written.whole
            if not draft.body.strip():
                return Ready(None)
            letter = Letter(
                recipients=in_work[case].evidence.recipients,
                draft=draft,
                parent=parents[last[case]],
                files=attached.get(case, ()),
            )
            outcome = leaving.decision.outcome if leaving else decision.outcome
            if outcome is Outcome.AUTO_SEND:
                return leave_by_itself(house, workspace, case, letter)
            return await_person(workspace, case, letter)

        def make_all_ready() -> dict[str, Ready]:
            return {case: make_ready(case, decision) for case, decision in decisions.items()}

        worked_by_case = await asyncio.to_thread(make_all_ready)
        leaving = [worked.outgoing.raw for worked in worked_by_case.values() if worked.outgoing]
        await workspace.keep_bytes(leaving, batch.now())
        batch.ready.update(worked_by_case)

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Routed], now: datetime
    ) -> None:
        """Put each case where it goes; one of which a part may leave becomes two before."""
        results = self._put_back_answered(cursor, batch, results, now)
        if not results:
            return
        case_by_id = cases.read_cases(cursor, list(results))
        keep_by_branch(cursor, "decision", {case: routed.parts for case, routed in results.items()})
        results = {
            case: self._part_case(cursor, batch, case_by_id[case], decision, now)
            for case, decision in results.items()
        }
        drafted = cases.list_with_drafts(cursor, list(results))
        cases.change(
            cursor,
            [
                {
                    "id": case,
                    "outcome": str(decision.outcome),
                    "would_auto_send": decision.would_auto_send,
                    "assignee": decision.assignee,
                    "note": decision.reason,
                    "has_draft": case in drafted,
                    "drafted_at": now,
                    "verdict": _choose_verdict(case_by_id[case].verdict, decision),
                }
                for case, decision in results.items()
            ],
        )
        for outcome, (state, status) in ENDS.items():
            ids = [case for case, decision in results.items() if decision.outcome is outcome]
            move(cursor, ids, state, actor=self.name, now=now)
            items = [item for case in ids for item in case_by_id[case].message_ids]
            if outcome is Outcome.ARCHIVE:
                for case in ids:
                    hand_messages_on(cursor, case_by_id[case], self.name, now)
            move(cursor, items, status, actor=self.name, now=now, of=ids)
            batch.outcomes.update(dict.fromkeys(ids, str(outcome)))
        cases.advance_versions(cursor, list(results), now)
        waiting = [
            ready.request
            for case, decision in results.items()
            if decision.outcome in (Outcome.REVIEW, Outcome.ESCALATE)
            and (ready := batch.ready[case]).request is not None
        ]
        approvals.open_many(cursor, REPLY, waiting, opened_by=self.name, now=now)
        self._tell_urgent(cursor, results, case_by_id, now)
        for case, decision in results.items():
            if decision.outcome is Outcome.AUTO_SEND:
                batch.outcomes[case] = str(Outcome.AUTO_SEND)
                self._send_reply(cursor, batch, case_by_id[case], now)
        quarantine_leaks(cursor, case_by_id, now)

    def _put_back_answered(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Routed], now: datetime
    ) -> Mapping[str, Routed]:
        """Have cases worked on again whose question was answered since their context was gathered.

        Whoever answered found them in work, with a draft to come that does not know the answer.
        """
        answered = questions.list_last_answers(cursor, list(results))
        begun = journal.read_begin_times(cursor, "context", list(answered)) if answered else {}
        again = {case for case, at in begun.items() if answered[case] > at}
        for case, row in cases.read_cases(cursor, sorted(again)).items():
            work_again(cursor, case, row.message_ids, "context", system(self.name), now)
            batch.outcomes[case] = "answered meanwhile, worked on again"
        return {case: decision for case, decision in results.items() if case not in again}

    def _part_case(
        self, cursor: Connection, batch: Batch, row: CaseRow, decision: Routed, now: datetime
    ) -> Routed:
        """Part a case whose first parts may leave; return what is decided on the case itself."""
        if decision.parting is None:
            return decision
        workspace, parting = batch.workspace, decision.parting
        rest = part_case(cursor, workspace, row, parting, actor=self.name, now=now)
        ask(cursor, workspace, [rest], self.name, now)
        notify(cursor, "parted", {rest: f"{parting.rest.decision.reason} {row.subject}"}, now)
        return Routed.model_validate(dict(parting.first.decision))

    def _tell_urgent(
        self,
        cursor: Connection,
        results: Mapping[str, Decision],
        case_by_id: Mapping[str, CaseRow],
        now: datetime,
    ) -> None:
        urgent = {
            case: f"urgent: {case_by_id[case].subject}"
            for case, decision in results.items()
            if case_by_id[case].priority == Priority.URGENT
            and decision.outcome in (Outcome.REVIEW, Outcome.ESCALATE)
        }
        notify(cursor, "urgent", urgent, now)

    def _send_reply(self, cursor: Connection, batch: Batch, row: CaseRow, now: datetime) -> None:
        """Approve in the name of the policy."""
        workspace, ready = batch.workspace, batch.ready[row.id]
        fault = explain_staleness(cursor, row) or ready.fault
        outgoing, request = ready.outgoing, ready.request
        if fault or outgoing is None or request is None:
            hold_case_back(cursor, row, fault or "there is no reply that can leave", now)
            ask(cursor, workspace, [row.id], self.name, now)
            batch.outcomes[row.id] = str(Outcome.REVIEW)
            return
        policy = system("policy")
        approval = allow(cursor, workspace, REPLY, request, policy, now)
        undo_seconds = workspace.policy.undo_seconds
        enqueue(cursor, row, outgoing, approval, undo_seconds=undo_seconds, now=now)
        detail = f"approval {approval.id}, sha256 {outgoing.sha256}"
        subject = f"case:{row.id}"
        audit.append(
            cursor, actor=policy.name, action="approve", subject=subject, detail=detail, now=now
        )


def _choose_verdict(before: str, decision: Decision) -> str:
    """Return under which verdict a case is listed: its messages may be flagged only as one."""
    is_held = any(gate.name == "screening" and not gate.passed for gate in decision.gates)
    return str(Verdict.FLAGGED) if is_held and before == Verdict.CLEAN else before


async def _gather_cases(batch: Batch, ids: Sequence[str]) -> dict[str, CaseInWork]:
    """Return each case with what the stages before have made of it."""
    case_by_id = await read_case_rows(batch, ids)
    evidence = await gather_evidence(batch, case_by_id)
    readings = await list_readings(batch, case_by_id)
    understood = await batch.read_results("classify", Classification, ids)
    briefings = await batch.read_results("context", Briefing, ids)
    plans = await batch.read_results("plan", Plans, ids)
    drafts = await batch.read_results("draft", Written, ids)
    checks = await batch.read_results("check", Examined, ids)
    return {
        case: CaseInWork(
            row=case_by_id[case],
            text=case_text(readings[case]).text,
            evidence=evidence[case],
            classification=understood[case],
            briefing=briefings[case],
            plans=plans[case],
            written=drafts[case],
            checked=checks[case],
        )
        for case in ids
    }


async def _build_judging(batch: Batch, in_work: Mapping[str, CaseInWork]) -> Judging:
    """Return who routes a batch, with what has left before it."""
    organization = batch.workspace.organization
    rows = {case: work.row for case, work in in_work.items()}
    drafts = {case: work.written for case, work in in_work.items()}
    return Judging(
        batch=batch,
        departures=await batch.workspace.db.read(
            read_departures, rows, drafts, organization, batch.now()
        ),
        stopped=batch.house.stopped,
        signing_ready=await asyncio.to_thread(is_signing_ready, batch.house.settings, organization),
    )


def _route_case(judging: Judging, work: CaseInWork) -> Routed:
    """Return where a case goes, and where each of its parts would go by itself."""
    classification, drafted = work.classification, work.written
    planned, checked = work.plans, work.checked
    whole = Whole(
        workspace=judging.batch.workspace,
        row=work.row,
        text=work.text,
        seen=classification,
        briefing=work.briefing,
        written=drafted,
        plans=planned.plans,
    )

    def judge(places: Sequence[int], draft: Draft, checked: Checked) -> Decision:
        mine = [planned.plans[place] for place in places]
        own = [plan for place in places for plan in _pick_embedded_plans(planned, place)]
        return judging.decide(
            work, narrow_classification(classification, places), mine, own, draft, checked
        )

    decided = judging.decide(
        work, classification, planned.plans, planned.embedded, drafted, checked
    )
    parts = tuple(
        judge([place], part, checked.branches[place]) for place, part in enumerate(drafted.parts)
    )
    # What repeats a private mark stays together: the message goes to the quarantine as a whole.
    leaks = any(finding.check == CANARY for finding in checked.findings)
    parting = None if leaks else find_parting(whole, decided, parts, judge)
    decided = name_holding_part(decided, parts, classification)
    if parting is not None or decided.outcome is Outcome.AUTO_SEND:
        judging.leaving.append(work.row)
    return Routed.model_validate({**dict(decided), "parts": parts, "parting": parting})


def _pick_embedded_plans(planned: Plans, place: int) -> Sequence[Plan]:
    """Return what the embedded provider plans for a part, where a model's plans are shown."""
    if planned.by_itself:
        return planned.by_itself[place]
    return planned.embedded

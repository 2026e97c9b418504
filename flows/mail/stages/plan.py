"""Stage *plan*: typed actions for every branch of a case."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from data.errors import PosternError
from data.ids import branch_id
from data.records.core.briefing import Briefing, Snippet
from data.records.core.understanding import Classification
from data.records.mail.planning import Plan
from data.records.mail.stage_outputs import Plans
from data.states import BranchState
from data.store.core.database import Connection
from data.store.mail import actions
from data.store.mail.cases import CaseRow
from data.store.mail.moves import move
from data.store.mail.parts import keep_by_branch
from flows.core.batch import Batch
from flows.core.thinker import Thinker
from flows.mail.knowing.plan_known import gather_known
from flows.mail.line.case_texts import list_readings, read_case_rows
from flows.mail.line.evidence import gather_evidence
from flows.mail.line.mail_line import mail_line_of
from flows.mail.line.part_context import keep_context, widen_briefings
from flows.mail.line.plan_execution import carry_out_plans
from flows.mail.stages.case_stage import CaseStage
from flows.mail.thinking.line_agents import PLANNER
from flows.mail.thinking.plan_by_model import plan_each
from tasks.mail.case_text import case_text
from tasks.mail.context.late_snippets import looked_up
from tasks.mail.plan.addressed import whole_left_to
from tasks.mail.plan.plan_cases import PlanGround, ToPlan, plan_cases


class PlanStage(CaseStage[Plans]):
    """Plans each branch by itself."""

    name = "plan"
    output = Plans

    async def perform(self, batch: Batch, ids: Sequence[str]) -> Mapping[str, Plans | PosternError]:
        """Plan for every intent of each case."""
        case_by_id = await read_case_rows(batch, ids)
        evidence = await gather_evidence(batch, case_by_id)
        understood = await batch.read_results("classify", Classification, ids)
        briefings = await batch.read_results("context", Briefing, ids)
        readings = await list_readings(batch, case_by_id)
        texts = {case: case_text(readings[case]) for case in ids}
        widened = await widen_briefings(batch, understood, briefings, texts)
        batch.keep_results("context", {}, widened)
        briefings = briefings | widened

        plan_known = await gather_known(batch, case_by_id)
        hours = timedelta(hours=batch.house.settings.owner_answer_hours)
        ground = PlanGround(
            **vars(mail_line_of(batch.workspace).ground),
            rules=plan_known.rules,
            tickets=plan_known.tickets,
            until=batch.now() + hours,
        )
        matters = {
            case: ToPlan(
                email=case_by_id[case].contact_email,
                thread_id=case_by_id[case].thread_id,
                subject=texts[case].subject,
                text=texts[case].text,
                automated=evidence[case].automated,
                verdict=evidence[case].screening.verdict,
                attachments=evidence[case].attachments,
                sealed=evidence[case].sealed,
                first_contact=briefings[case].is_first_contact,
                briefing=briefings[case],
                asked=plan_known.asked[case],
                said=understanding,
                left_to=whole_left_to(
                    [reading.mail for reading in readings[case]],
                    texts[case].text,
                    batch.workspace.organization,
                ),
            )
            for case, understanding in understood.items()
        }
        if batch.house.thinker is not None:
            matters = await _plan_by_models(batch, batch.house.thinker, case_by_id, ground, matters)
        planned_cases = await batch.house.work.compute_each(
            plan_cases, ground, list(matters.values())
        )
        return {
            case: Plans(**planned._asdict())
            for case, planned in zip(matters, planned_cases, strict=True)
        }

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Plans], now: datetime
    ) -> None:
        """Write each branch's plan, and do what of it nobody has to approve."""
        plans_by_case = {case: output.plans for case, output in results.items()}
        keep_by_branch(cursor, "plan", plans_by_case)
        with_more_context = [
            case
            for case, output in results.items()
            if len(output.plans) > 1 or _has_looked_up(output)
        ]
        keep_context(cursor, batch, with_more_context, now)
        actions.write_planned(cursor, plans_by_case, now)
        carry_out_plans(cursor, batch, plans_by_case, now)
        settled_branches = [
            branch_id(case, position)
            for case, plans in plans_by_case.items()
            for position, plan in enumerate(plans)
            if not plan.asks
        ]
        move(cursor, settled_branches, BranchState.DONE, actor=self.name, now=now)


async def _plan_by_models(
    batch: Batch,
    thinker: Thinker,
    case_by_id: Mapping[str, CaseRow],
    ground: PlanGround,
    matters: Mapping[str, ToPlan],
) -> dict[str, ToPlan]:
    """Return the cases with a model's plans, beside those by rules that it was held to."""
    understood = {case: matter.said for case, matter in matters.items()}
    briefings = {case: matter.briefing for case, matter in matters.items()}

    def plan_by_rules() -> tuple[dict[str, tuple[Plan, ...]], dict[str, tuple[Plan, ...]]]:
        rule_plans = {
            case: PLANNER.embedded(ground, matter, matter.said) for case, matter in matters.items()
        }
        held_to = {
            case: PLANNER.embedded(ground, matter, matter.said.judged)
            for case, matter in matters.items()
        }
        return rule_plans, held_to

    rule_plans, held_to = await asyncio.to_thread(plan_by_rules)
    model_plans, sources = await plan_each(
        batch, thinker, case_by_id, understood, briefings, rule_plans
    )
    briefings |= _join_looked_up(batch, case_by_id, briefings, sources)
    return {
        case: replace(
            matters[case], briefing=briefings[case], shown=tuple(plans), judged=held_to[case]
        )
        for case, plans in model_plans.items()
    }


def _join_looked_up(
    batch: Batch,
    case_by_id: Mapping[str, CaseRow],
    briefings: Mapping[str, Briefing],
    sources: Mapping[str, Sequence[Snippet]],
) -> dict[str, Briefing]:
    """Return the briefings that what models looked up has joined, kept for the stages to come."""
    budget = batch.house.settings.context_tokens
    more_by_case = {
        case: looked_up(
            briefings[case],
            pieces,
            [f"message:{message_id}" for message_id in case_by_id[case].message_ids],
            budget,
        )
        for case, pieces in sources.items()
        if pieces
    }
    joined = {
        case: briefing for case, briefing in more_by_case.items() if briefing is not briefings[case]
    }
    batch.keep_results("context", {}, joined)
    return joined


def _has_looked_up(plans: Plans) -> bool:
    return any(plan.lookups for plan in plans.plans)

"""Stage *plan*: typed actions for every branch of a case."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from data.errors import PosternError
from data.records.briefing import Briefing
from data.records.planning import Plan
from data.records.record import Record
from data.records.understanding import Classification
from data.states import BranchState
from data.store.database import Connection, update
from data.store.moves import move
from flows.asking import plan_each
from flows.carrying import carry_out
from flows.evidence import evidence_of, is_first_contact
from flows.plan_finish import Matter, finish, gather_known
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows, case_text, readings_of
from tasks.plan import plan


class Plans(Record):
    """The plan of each branch, in the order of the intents."""

    plans: tuple[Plan, ...]
    embedded: tuple[Plan, ...] = ()
    """What the embedded provider plans for what it understood, where a model's plans are shown."""

    @property
    def provider(self) -> str:
        """Who planned, a model's name where any branch was planned by one."""
        return next((one.provider for one in self.plans if one.provider != "local"), "local")


class PlanStage(CaseStage[Plans]):
    """Plans each branch by itself."""

    name = "plan"
    output = Plans

    async def perform(self, batch: Batch, ids: Sequence[str]) -> Mapping[str, Plans | PosternError]:
        """Plan for every intent of each case."""
        found = await case_rows(batch, ids)
        evidence = await evidence_of(batch, found)
        understood = await batch.results("classify", Classification, ids)
        briefings = await batch.results("context", Briefing, ids)

        def rules(case: str, seen: Classification) -> tuple[Plan, ...]:
            return tuple(
                plan(
                    intent,
                    seen,
                    briefings[case],
                    batch.workspace.policy,
                    automated=evidence[case].automated,
                    first_contact=is_first_contact(briefings[case]),
                )
                for intent in seen.intents
            )

        def work() -> tuple[dict[str, tuple[Plan, ...]], dict[str, tuple[Plan, ...]]]:
            shown = {case: rules(case, seen) for case, seen in understood.items()}
            judged = {
                case: rules(case, seen.judged)
                for case, seen in understood.items()
                if batch.house.thinker is not None
            }
            return shown, judged

        shown, judged = await asyncio.to_thread(work)
        if batch.house.thinker is not None:
            shown = await plan_each(batch, batch.house.thinker, found, understood, briefings, shown)
        known = await gather_known(batch, found)
        readings = await readings_of(batch, found)
        matters = {
            case: Matter(
                row=found[case],
                text=case_text(readings[case]),
                evidence=evidence[case],
                briefing=briefings[case],
                asked=known.asked[case],
            )
            for case in shown
        }

        def finished() -> dict[str, Plans]:
            return {
                case: Plans(
                    plans=finish(batch, known, matters[case], understood[case], plans),
                    embedded=finish(
                        batch, known, matters[case], understood[case].judged, judged.get(case, ())
                    )
                    if case in judged
                    else (),
                )
                for case, plans in shown.items()
            }

        return await asyncio.to_thread(finished)

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Plans], now: datetime
    ) -> None:
        """Write each branch's plan, and do what of it nobody has to approve."""
        planned = {
            f"{case}-{position}": made.model_dump_json()
            for case, plans in results.items()
            for position, made in enumerate(plans.plans)
        }
        update(cursor, "branches", [{"id": key, "plan": text} for key, text in planned.items()])
        carry_out(cursor, batch, {case: made.plans for case, made in results.items()}, now)
        settled = [
            f"{case}-{position}"
            for case, plans in results.items()
            for position, made in enumerate(plans.plans)
            if not made.asks
        ]
        move(cursor, settled, BranchState.DONE, actor=self.name, now=now)

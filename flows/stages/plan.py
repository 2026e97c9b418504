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
from flows.evidence import evidence_of, is_first_contact
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows
from tasks.plan import plan


class Plans(Record):
    """The plan of each branch, in the order of the intents."""

    plans: tuple[Plan, ...]


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

        def work() -> dict[str, Plans | PosternError]:
            return {
                case: Plans(
                    plans=tuple(
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
                )
                for case, seen in understood.items()
            }

        return await asyncio.to_thread(work)

    def settle(
        self, cursor: Connection, batch: Batch, results: Mapping[str, Plans], now: datetime
    ) -> None:
        """Write each branch's plan."""
        planned = {
            f"{case}-{position}": made.model_dump_json()
            for case, plans in results.items()
            for position, made in enumerate(plans.plans)
        }
        update(cursor, "branches", [{"id": key, "plan": text} for key, text in planned.items()])
        move(cursor, list(planned), BranchState.DONE, actor=self.name, now=now)

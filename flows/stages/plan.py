"""Stage *plan*: typed actions for every branch of a case."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from flows.part_context import keep_context, with_parts
from flows.plan_finish import Matter, finish, gather_known
from flows.stage import Batch
from flows.stages.case_stage import CaseStage, case_rows, case_text, readings_of
from tasks.parts import narrowed, words_of
from tasks.plan import plan


class Plans(Record):
    """The plan of each branch, in the order of the intents."""

    plans: tuple[Plan, ...]
    embedded: tuple[Plan, ...] = ()
    """What the embedded provider plans for what it understood, where a model's plans are shown."""
    by_itself: tuple[tuple[Plan, ...], ...] = ()
    """The same by branch: what it plans for what it understands of the branch's words alone."""

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
        readings = await readings_of(batch, found)
        texts = {case: case_text(readings[case]) for case in ids}
        widened = await with_parts(batch, understood, briefings, texts)
        batch.keep("context", {}, widened)
        briefings = briefings | widened

        def rules(case: str, seen: Classification) -> tuple[Plan, ...]:
            return tuple(
                plan(
                    intent,
                    narrowed(seen, [place]),
                    briefings[case],
                    batch.workspace.policy,
                    automated=evidence[case].automated,
                    first_contact=is_first_contact(briefings[case]),
                )
                for place, intent in enumerate(seen.intents)
            )

        def work() -> tuple[dict[str, tuple[Plan, ...]], dict[str, tuple[Plan, ...]]]:
            shown = {case: rules(case, seen) for case, seen in understood.items()}
            judged = {
                case: rules(case, seen.judged)
                for case, seen in understood.items()
                if batch.house.thinker is not None
            }
            return shown, judged

        def each(case: str) -> tuple[tuple[Plan, ...], ...]:
            """Plan by the embedded provider's understanding of each branch's words alone."""
            seen, matter = understood[case], matters[case]
            if seen.embedded is None or not seen.parts:
                return ()
            spoken = words_of(matter.text.text, seen.intents)
            made: list[tuple[Plan, ...]] = []
            for place, words in enumerate(spoken):
                alone = narrowed(seen, [place]).judged
                own = replace(matter, text=matter.text.model_copy(update={"text": words}))
                made.append(finish(batch, known, own, alone, rules(case, alone)))
            return tuple(made)

        shown, judged = await asyncio.to_thread(work)
        if batch.house.thinker is not None:
            shown = await plan_each(batch, batch.house.thinker, found, understood, briefings, shown)
        known = await gather_known(batch, found)
        matters = {
            case: Matter(
                row=found[case],
                text=texts[case],
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
                    by_itself=each(case),
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
        several = [case for case, plans in results.items() if len(plans.plans) > 1]
        keep_context(cursor, batch, several, now)
        carry_out(cursor, batch, {case: made.plans for case, made in results.items()}, now)
        settled = [
            f"{case}-{position}"
            for case, plans in results.items()
            for position, made in enumerate(plans.plans)
            if not made.asks
        ]
        move(cursor, settled, BranchState.DONE, actor=self.name, now=now)

"""The requests of the stage *plan* to models: what to do about each wish, and what it states.

What a model looked up first is told with its plan, and goes on to the draft as sources.
"""

from collections.abc import Mapping, Sequence

from data.records.core.asking import Brief, Charge, ModelFaultError
from data.records.core.briefing import Briefing, Snippet
from data.records.core.understanding import Classification, Intent
from data.records.mail.planning import Plan, Slot
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.core.thinker import Thinker, make_marker
from flows.mail.thinking.asking import each, explain_fault
from flows.mail.thinking.line_agents import EXTRACTOR, PLANNER
from flows.mail.thinking.lookups import Looked, ask_with_tools, offers
from flows.mail.thinking.planning_tools import ToolScope
from tasks.mail.classify.message_parts import narrow_classification
from tasks.mail.plan.plan_form import narrow_plan, plan_question
from tasks.mail.plan.slots_form import extract_question, read_slots


async def plan_each(
    batch: Batch,
    thinker: Thinker,
    case_by_id: Mapping[str, CaseRow],
    understanding_by_case: Mapping[str, Classification],
    briefings: Mapping[str, Briefing],
    embedded: Mapping[str, Sequence[Plan]],
) -> tuple[dict[str, tuple[Plan, ...]], dict[str, list[Snippet]]]:
    """Have a model plan every branch of each case, within what the embedded plan allows.

    Returns:
        the plans of each case, and what models have looked up for those that they planned.

    """
    brief = thinker.read_brief(batch.workspace, PLANNER.slug)
    branches = {
        f"{case} {number}": (case, intent, embedded[case][number])
        for case in embedded
        for number, intent in enumerate(understanding_by_case[case].intents)
    }

    looked = {key: Looked() for key in branches}

    async def plan(key: str) -> Plan:
        case, intent, own = branches[key]
        part_understanding = narrow_classification(
            understanding_by_case[case], [int(key.rpartition(" ")[2])]
        )
        return await _planned(
            batch,
            thinker,
            brief,
            case_by_id[case],
            part_understanding,
            intent,
            briefings[case],
            own,
            looked[key],
        )

    def failed(key: str, error: ModelFaultError) -> Plan:
        looked[key].sources.clear()
        return branches[key][2].model_copy(update={"fallback": explain_fault(error)})

    plan_by_branch = await each(PLANNER.stage, list(branches), plan, failed)
    plan_by_branch = {
        key: one.model_copy(update={"lookups": tuple(looked[key].lookups)})
        for key, one in plan_by_branch.items()
    }
    keys = {
        case: [f"{case} {number}" for number in range(len(understanding_by_case[case].intents))]
        for case in embedded
    }
    sources = {
        case: [source for key in own for source in looked[key].sources]
        for case, own in keys.items()
    }
    return {case: tuple(plan_by_branch[key] for key in own) for case, own in keys.items()}, sources


async def _planned(
    batch: Batch,
    thinker: Thinker,
    brief: Brief,
    row: CaseRow,
    classification: Classification,
    intent: Intent,
    briefing: Briefing,
    own: Plan,
    looked: Looked,
) -> Plan:
    most, marker = thinker.settings.llm_lookups, make_marker()
    question = plan_question(
        intent,
        classification,
        briefing,
        brief=brief,
        marker=marker,
        tools=offers(brief.tools, PLANNER) if most else (),
    )
    scope = ToolScope(
        batch.workspace,
        row.id,
        row.thread_id,
        row.contact_email,
        batch.now(),
        batch.house,
    )
    reply = await ask_with_tools(thinker, scope, question, marker, looked, most=most)
    narrowed_plan = narrow_plan(
        own, reply.content, classification, intent, batch.workspace.policy, reply.model
    )
    slots = await _slots(batch, thinker, row, intent.text) if narrowed_plan.handed else ()
    return narrowed_plan.model_copy(update={"slots": slots})


async def _slots(batch: Batch, thinker: Thinker, row: CaseRow, words: str) -> tuple[Slot, ...]:
    """Have a model say what a wish states; without an answer the embedded provider does."""
    brief = thinker.read_brief(batch.workspace, EXTRACTOR.slug)
    question = extract_question(words, brief=brief, marker=make_marker())
    try:
        reply = await thinker.ask(
            batch.workspace, question, Charge(item=row.id, sender=row.contact_email)
        )
        return read_slots(words, reply.content)
    except ModelFaultError:
        return ()

"""The request of the stage *draft* to a model: the reply to each branch of a case."""

from collections.abc import Mapping, Sequence

from data.records.core.asking import Charge, ModelFaultError
from data.records.core.briefing import Briefing
from data.records.core.parsed_mail import Address
from data.records.core.understanding import Classification
from data.records.mail.drafting import Draft
from data.records.mail.planning import Plan
from data.records.mail.redrafting import RedraftWish
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.core.thinker import Thinker, make_marker
from flows.mail.line.mail_line import mail_line_of
from flows.mail.thinking.asking import each, explain_fault
from flows.mail.thinking.line_agents import DRAFTER
from tasks.mail.classify.message_parts import narrow_classification
from tasks.mail.draft.draft_form import draft_question, read_draft
from tasks.mail.read import Reading


async def draft_each(
    batch: Batch,
    thinker: Thinker,
    case_by_id: Mapping[str, CaseRow],
    readings: Mapping[str, Sequence[Reading]],
    understanding_by_case: Mapping[str, Classification],
    briefings: Mapping[str, Briefing],
    plans: Mapping[str, Sequence[Plan]],
    embedded: Mapping[str, Sequence[Draft]],
    wished: Mapping[str, RedraftWish],
) -> dict[str, tuple[Draft, ...]]:
    """Have a model write the reply to each branch that has one; what it writes can be watched."""
    brief = thinker.read_brief(batch.workspace, DRAFTER.slug)
    workspace = batch.workspace
    branches = {
        f"{case} {place}": (case, place)
        for case, own in embedded.items()
        for place in range(len(own))
    }
    ids = [key for key, (case, place) in branches.items() if plans[case][place].replies]

    async def write(key: str) -> Draft:
        case, number = branches[key]
        part_understanding = narrow_classification(understanding_by_case[case], [number])
        question = draft_question(
            [(reading.mail, reading.segments) for reading in readings[case]],
            part_understanding,
            [plans[case][number]],
            briefings[case],
            workspace.organization,
            mail_line_of(workspace).saved_replies,
            brief=brief,
            marker=make_marker(),
            wish=wished.get(case),
        )
        row, place = case_by_id[case], (workspace.slug, case, number)
        thinker.partial[place] = ""
        try:
            reply = await thinker.ask(
                workspace,
                question,
                Charge(item=case, sender=row.contact_email),
                on_text=lambda text: thinker.partial.__setitem__(place, text),
            )
        finally:
            thinker.partial.pop(place, None)
        return read_draft(
            reply.content,
            subject=readings[case][-1].mail.subject,
            sender=Address(name=row.contact_name, email=row.contact_email),
            classification=part_understanding,
            briefing=briefings[case],
            organization=workspace.organization,
            policy=workspace.policy,
            model=reply.model,
        )

    def failed(key: str, error: ModelFaultError) -> Draft:
        case, number = branches[key]
        return embedded[case][number].model_copy(update={"fallback": explain_fault(error)})

    drafts_by_part = await each(DRAFTER.stage, ids, write, failed)
    return {
        case: tuple(drafts_by_part.get(f"{case} {place}", one) for place, one in enumerate(own))
        for case, own in embedded.items()
    }

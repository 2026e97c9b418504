"""The request of the stage *classify* to a model: what a case is about."""

from collections.abc import Mapping, Sequence

from data.records.core.asking import Charge, ModelFaultError
from data.records.core.briefing import Briefing
from data.records.core.understanding import Classification
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.core.thinker import Thinker, make_marker
from flows.mail.thinking.asking import each, explain_fault
from flows.mail.thinking.line_agents import CLASSIFIER
from tasks.mail.classify.classify_form import classify_question, read_classification
from tasks.mail.read import Reading


async def classify_each(
    batch: Batch,
    thinker: Thinker,
    case_by_id: Mapping[str, CaseRow],
    readings: Mapping[str, Sequence[Reading]],
    texts: Mapping[str, str],
    briefings: Mapping[str, Briefing],
    embedded: Mapping[str, Classification],
) -> dict[str, Classification]:
    """Have a model say what each case is about."""
    brief = thinker.read_brief(batch.workspace, CLASSIFIER.slug)

    async def classify(case: str) -> Classification:
        question = classify_question(
            [(reading.mail, reading.segments) for reading in readings[case]],
            texts[case],
            briefings[case],
            brief=brief,
            marker=make_marker(),
        )
        reply = await thinker.ask(
            batch.workspace, question, Charge(item=case, sender=case_by_id[case].contact_email)
        )
        return read_classification(embedded[case], reply.content, texts[case], reply.model)

    def failed(case: str, error: ModelFaultError) -> Classification:
        return embedded[case].model_copy(update={"fallback": explain_fault(error)})

    return await each(CLASSIFIER.stage, list(embedded), classify, failed)

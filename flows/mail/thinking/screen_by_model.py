"""The request of the stage *screen* to a model: look for attempts to steer who reads a message."""

from collections.abc import Mapping

from data.records.core.asking import Charge, Fault, ModelFaultError, Question
from data.records.core.screening import Screening, Verdict
from flows.core.batch import Batch
from flows.core.thinker import Thinker, make_marker
from flows.mail.thinking.asking import each
from flows.mail.thinking.line_agents import GUARD
from tasks.core.asking.model_view import model_view
from tasks.mail.read import Reading
from tasks.mail.screen.guard_form import guard_questions, read_guard


async def guard_each(
    batch: Batch,
    thinker: Thinker,
    readings: Mapping[str, Reading],
    screenings: Mapping[str, Screening],
    senders: Mapping[str, str],
) -> dict[str, Screening]:
    """Have the guard look at every message that the rules let through; its word can only flag."""
    ids = [item for item, said in screenings.items() if said.verdict is not Verdict.QUARANTINE]
    brief = thinker.read_brief(batch.workspace, GUARD.slug)

    async def look(item: str) -> Screening:
        reading = readings[item]
        questions = guard_questions(
            reading.mail,
            reading.segments,
            brief=brief,
            marker=make_marker(),
        )
        answers: list[object | Fault] = []
        for question in questions:
            answers.append(await _guarded_ask(batch, thinker, question, item, senders[item]))
            if isinstance(answers[-1], Fault):
                break  # one fault flags; the other windows would cost and change nothing
        return read_guard(screenings[item], answers, model_view(reading.mail, reading.segments))

    def failed(item: str, error: ModelFaultError) -> Screening:
        return read_guard(screenings[item], [error.fault], "")

    return {**screenings, **await each(GUARD.stage, ids, look, failed)}


async def _guarded_ask(
    batch: Batch, thinker: Thinker, question: Question, item: str, sender: str
) -> object | Fault:
    try:
        charge = Charge(item=item, sender=sender)
        return (await thinker.ask(batch.workspace, question, charge)).content
    except ModelFaultError as error:
        return error.fault

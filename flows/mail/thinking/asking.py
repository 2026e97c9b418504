"""What the stages ask of models, case by case, side by side; a fault leaves the embedded answer.

Nobody waits beyond the stage's time limit: what is not answered by then counts as a timeout.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from data.asking import Charge, Fault, ModelFaultError, Question
from data.records.core.understanding import Classification
from data.records.mail.briefing import Briefing
from data.records.mail.drafting import Draft
from data.records.mail.mail import Address
from data.records.mail.planning import Plan
from data.records.mail.redrafting import RedraftWish
from data.records.mail.screening import Screening, Verdict
from data.store.mail.cases import CaseRow
from flows.core.batch import Batch
from flows.core.bindings import BINDINGS
from flows.core.thinker import Thinker, new_marker
from flows.mail.thinking.line_agents import CLASSIFIER, DRAFTER, GUARD
from tasks.core.model_view import model_view
from tasks.mail.asking.drafting import draft_question, drafted
from tasks.mail.asking.guard import guard_questions, guarded
from tasks.mail.asking.understanding import classify_question, understood
from tasks.mail.classify.parts import narrowed
from tasks.mail.read import Reading

Made = TypeVar("Made")
SHARE = 0.9
"""Share of a stage's time limit that models get."""


async def guard_each(
    batch: Batch,
    thinker: Thinker,
    readings: Mapping[str, Reading],
    screenings: Mapping[str, Screening],
    senders: Mapping[str, str],
) -> dict[str, Screening]:
    """Have the guard look at every message that the rules let through; its word can only flag."""
    ids = [item for item, said in screenings.items() if said.verdict is not Verdict.QUARANTINE]
    brief = thinker.brief(batch.workspace, GUARD.slug)

    async def look(item: str) -> Screening:
        reading = readings[item]
        questions = guard_questions(
            reading.mail,
            reading.segments,
            brief=brief,
            marker=new_marker(),
        )
        answers: list[object | Fault] = []
        for question in questions:
            answers.append(await _guarded_ask(batch, thinker, question, item, senders[item]))
            if isinstance(answers[-1], Fault):
                break  # one fault flags; the other windows would cost and change nothing
        return guarded(screenings[item], answers, model_view(reading.mail, reading.segments))

    def failed(item: str, error: ModelFaultError) -> Screening:
        return guarded(screenings[item], [error.fault], "")

    return {**screenings, **await each(GUARD.stage, ids, look, failed)}


async def _guarded_ask(
    batch: Batch, thinker: Thinker, question: Question, item: str, sender: str
) -> object | Fault:
    try:
        charge = Charge(item=item, sender=sender)
        return (await thinker.ask(batch.workspace, question, charge)).content
    except ModelFaultError as error:
        return error.fault


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
    brief = thinker.brief(batch.workspace, CLASSIFIER.slug)

    async def classify(case: str) -> Classification:
        question = classify_question(
            [(reading.mail, reading.segments) for reading in readings[case]],
            texts[case],
            briefings[case],
            brief=brief,
            marker=new_marker(),
        )
        reply = await thinker.ask(
            batch.workspace, question, Charge(item=case, sender=case_by_id[case].contact_email)
        )
        return understood(embedded[case], reply.content, texts[case], reply.model)

    def failed(case: str, error: ModelFaultError) -> Classification:
        return embedded[case].model_copy(update={"fallback": explain_fault(error)})

    return await each(CLASSIFIER.stage, list(embedded), classify, failed)


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
    brief = thinker.brief(batch.workspace, DRAFTER.slug)
    workspace = batch.workspace
    branches = {
        f"{case} {place}": (case, place)
        for case, own in embedded.items()
        for place in range(len(own))
    }
    ids = [key for key, (case, place) in branches.items() if plans[case][place].replies]

    async def write(key: str) -> Draft:
        case, number = branches[key]
        part_understanding = narrowed(understanding_by_case[case], [number])
        question = draft_question(
            [(reading.mail, reading.segments) for reading in readings[case]],
            part_understanding,
            [plans[case][number]],
            briefings[case],
            workspace.organization,
            workspace.saved_replies,
            brief=brief,
            marker=new_marker(),
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
        return drafted(
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


async def each(
    stage: str,
    ids: Sequence[str],
    ask: Callable[[str], Awaitable[Made]],
    failed: Callable[[str, ModelFaultError], Made],
) -> dict[str, Made]:
    """Ask for all ids side by side within the stage's time; a fault gives what `failed` returns."""
    deadline = asyncio.get_running_loop().time() + BINDINGS[stage].timeout * SHARE

    async def one(item: str) -> Made:
        try:
            async with asyncio.timeout_at(deadline):
                return await ask(item)
        except TimeoutError:
            return failed(item, ModelFaultError(Fault.TIMEOUT))
        except ModelFaultError as error:
            return failed(item, error)

    answers = await asyncio.gather(*(one(item) for item in ids))
    return dict(zip(ids, answers, strict=True))


def explain_fault(error: ModelFaultError) -> str:
    """Return a fault as a sentence for reviewers."""
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."

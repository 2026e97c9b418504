"""The embedded agent in a turn: what it looks up for a message, and what it says."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from data.errors import PosternError
from data.records.agents.agents import Agent
from data.records.agents.turns import CallFailure, FailureCode, MoveKind
from data.records.core.asking import Fault, ModelFaultError
from data.records.core.tools import Effect, ToolResult
from data.store.agents import chats
from flows.agents.calls import CallOutcome, Calls
from flows.agents.extracting import may_pick_up_facts, pick_up_facts
from flows.agents.memory_results import build_remembered_result
from tasks.agents.about_case import CaseQuestion, find_case_question, list_matter_suggestions
from tasks.agents.calling import OrderedCall
from tasks.agents.conversing import (
    Answer,
    answer_open_gap,
    build_help,
    choose_call,
    escape_words,
    find_knowledge_call,
    limit_to_entries,
    list_further_calls,
    replace_tasks_question,
    tell_refused,
    tell_result,
)
from tasks.agents.going_on import EarlierQuestion, understand_follow_up
from tasks.agents.parting import add_undone, join_answers, list_asked_parts, split_open_question
from tasks.agents.remembering.memory_answers import add_recalled, find_recall_call, tell_picked_up
from tasks.agents.stating import has_statement
from tasks.agents.triage import Triage, has_deed, is_follow_up, triage_message
from tasks.core.language.lists import language_of
from tasks.core.wording import word_sentence

log = logging.getLogger("postern.agents")


async def answer_without_model(
    calls: Calls, agent: Agent, meant: Triage, text: str, instead_of: PosternError | None = None
) -> Answer:
    """Answer in the language of the question, and say what was ordered beside it.

    Where a model was to answer, it is said that none did; `instead_of` is why.
    """
    text = meant.asked or text
    of_case = find_case_question(text, calls.tools.declarations)
    recognized = of_case.language if of_case is not None else meant.language
    language = await choose_language(calls, recognized or language_of(text))
    if instead_of is not None and (became := _describe_effects(calls, language)):
        why = f": {_describe_why(instead_of)}" if _describe_why(instead_of) else ""
        return Answer(pieces=(word_sentence(language, "broken_off", why=why), *became))
    if (gap := answer_open_gap(text, _list_suggestions(calls), language)) is not None:
        answer = gap
    elif of_case is None and (several := meant.several or split_open_question(text, meant)):
        answer = await _answer_questions(calls, agent, several, language)
    else:
        answer = await _answer_in_language(calls, agent, meant, text, language, of_case)
        looked_up = find_knowledge_call(text, calls.tools.declarations) is not None
        single = of_case is not None or meant.of_entries is not None
        if answer.declined and looked_up and not single and (parts := list_asked_parts(text)):
            apart = await _answer_questions(calls, agent, parts, language)
            answer = answer if apart.declined else apart
        answer = add_undone(answer, meant, language)
    if instead_of is None:
        return answer
    return answer.model_copy(
        update={"pieces": (_describe_missing_model(instead_of, language), *answer.pieces)}
    )


def _list_suggestions(calls: Calls) -> tuple[str, ...]:
    """Return what the agent suggests to ask, in every language."""
    agent = calls.manifest.agent
    return (*agent.suggestions, *chain.from_iterable(agent.suggestions_in.values()))


async def choose_language(calls: Calls, recognized: str) -> str:
    """Return the language to answer in: the one that who asks has chosen, else the recognized."""
    calling = calls.calling
    preferred = await calling.workspace.db.read(chats.read_preferences, calling.principal.id)
    return preferred.language or recognized


def _describe_effects(calls: Calls, language: str) -> tuple[str, ...]:
    """Return what became of what a model has begun, where it changed something, or may have.

    Then nothing is done in its place: it could be the same once more.
    """
    may_have = [
        outcome
        for outcome in calls.effects
        if isinstance(outcome, ToolResult) or outcome.code is FailureCode.INTERNAL_ERROR
    ]
    return (
        tuple(_describe_effect(outcome, language) for outcome in calls.effects) if may_have else ()
    )


def _describe_effect(outcome: CallOutcome, language: str) -> str:
    if isinstance(outcome, ToolResult):
        titles = ", ".join(item.title for item in outcome.items)
        return escape_words(outcome.sentence or titles)
    unclear = outcome.code is FailureCode.INTERNAL_ERROR
    return tell_refused(outcome.sentence, language, unclear=unclear).text


def describe_unknown_effects(calls: Calls) -> tuple[str, ...]:
    """Return what is said below a model's answer of calls whose effect nobody knows."""
    return tuple(
        f"*{escape_words(outcome.sentence)}*"
        for outcome in calls.effects
        if isinstance(outcome, CallFailure) and outcome.code is FailureCode.INTERNAL_ERROR
    )


def _describe_missing_model(why: PosternError, language: str) -> str:
    """Return the sentence that no model answered; a cap and the kill switch are named."""
    if _describe_why(why):
        return word_sentence(language, "no_model_why", why=_describe_why(why))
    return word_sentence(language, "no_model")


def _describe_why(why: PosternError) -> str:
    """Return why no model answered, where who asks has to know: a cap, or the kill switch."""
    is_told = isinstance(why, ModelFaultError) and why.fault in (Fault.BUDGET, Fault.STOPPED)
    return escape_words(str(why)) if is_told else ""


async def _answer_questions(
    calls: Calls, agent: Agent, questions: Sequence[str], language: str
) -> Answer:
    """Answer the questions of one message in order, and name those that have no answer."""
    answers: list[tuple[str, Answer]] = []
    last: OrderedCall | None = None
    for place, question in enumerate(questions):
        before = [EarlierQuestion(asked=each) for each in questions[:place]]
        joined = f"& {question}" if place else question
        meant = understand_follow_up(joined, before) or triage_message(question)
        call = choose_call(meant, question, calls.tools.declarations)
        if call is None or call != last:  # *did Ana pay and how much does she owe* is one look-up
            answers.append(
                (question, await _answer_in_language(calls, agent, meant, question, language, None))
            )
        last = call
    return join_answers(answers, language)


async def _answer_in_language(
    calls: Calls,
    agent: Agent,
    meant: Triage,
    text: str,
    language: str,
    of_case: CaseQuestion | None,
) -> Answer:
    """Look up what answers a message, and word the answer; `of_case` is what it asks of a case.

    A plain question to which its own tool has no answer is looked up in the knowledge as well, and
    among what is remembered.
    What is said by the way is noted, where the agent notes such things, and acknowledged.
    """
    offered = calls.tools.declarations
    meant = replace_tasks_question(meant, offered)
    before = calls.calling
    calls.calling = replace(before, language=language)
    open_question = meant.intent is None and meant.order is None and of_case is None
    open_question = open_question and not has_deed(meant) and not is_follow_up(meant)
    stated = open_question and await asyncio.to_thread(has_statement, text)
    recall = find_recall_call(text, offered) if open_question and not stated else None
    recalled = await make_call(calls, recall) if recall is not None else None
    call = of_case.call if of_case is not None else choose_call(meant, text, offered)
    result = await make_call(calls, call) if call is not None else None
    if meant.of_entries is not None and isinstance(result, ToolResult):
        result = limit_to_entries(result, text, meant.of_entries)
    elsewhere = list_further_calls(meant, call, result, text, offered) if of_case is None else []
    for further in elsewhere:
        instead = await make_call(calls, further)
        if isinstance(instead, ToolResult) and (instead.items or instead.sentence):
            meant, result = Triage(language=meant.language), instead
            break
    if isinstance(result, ToolResult) and result.refused and elsewhere:
        told_before = find_recall_call(text, offered)
        recalled = await make_call(calls, told_before) if told_before is not None else None
    calls.calling = before
    if isinstance(result, CallFailure):
        reads = call is not None and calls.tools.read_declaration(call.name).effect is Effect.NONE
        return build_refusal(result, language, reads=reads)
    now = calls.calling.house.clock()
    here = now.astimezone(ZoneInfo(calls.calling.workspace.organization.timezone))
    kind = calls.calling.occasion.about.partition(":")[0] if calls.calling.occasion else ""
    own = calls.manifest.agent.suggestions_for(language)
    suggestions = list_matter_suggestions(kind, language) if kind else own
    answer = tell_result(
        meant, result, build_help(suggestions, language), here, language, agent.name
    )
    if stated:
        return await _add_acknowledgement(calls, answer, language)
    return add_recalled(answer, None if isinstance(recalled, CallFailure) else recalled, language)


async def _add_acknowledgement(calls: Calls, answer: Answer, language: str) -> Answer:
    """Return what is said to a statement: what became of it, behind what the knowledge has of it.

    It is noted before it is said to be; reading the message once more later counts it once.
    """
    learns = may_pick_up_facts(calls.manifest) and not calls.replays
    results = await _pick_up_facts(calls) if learns else []
    remembers = any(declared.name == "remember" for declared in calls.tools.declarations)
    first = len(answer.sources) + 1
    acknowledged = tell_picked_up(results, language, first, remembers=remembers)
    if not answer.sources:
        return acknowledged
    return Answer(
        pieces=(*answer.pieces, *acknowledged.pieces),
        sources=(*answer.sources, *acknowledged.sources),
    )


async def _pick_up_facts(calls: Calls) -> list[ToolResult]:
    """Note what the message states, as a move of the turn; nothing where that fails."""

    async def note() -> JsonValue:
        picked_up = await pick_up_facts(calls.calling.house, calls.calling.workspace, calls.turn)
        results: list[JsonValue] = []
        changes: list[JsonValue] = []
        for each in picked_up:
            results.append(build_remembered_result(each.remembered).model_dump(mode="json"))
            changes += [change.model_dump(mode="json") for change in each.changes]
        return {"results": results, "changes": changes}

    try:
        noted = await calls.journal.do_move(MoveKind.EXTRACT, note, name="note", durable=True)
    except PosternError as error:
        log.warning("turn %s: nothing was noted: %s", calls.turn.id, error)
        return []
    results = noted.get("results") if isinstance(noted, dict) else None
    listed = results if isinstance(results, list) else []
    return [ToolResult.model_validate(each) for each in listed]


async def make_call(calls: Calls, call: OrderedCall) -> CallOutcome:
    """Make one call."""
    (outcome,) = await calls.make_calls([(call.name, dict(call.arguments))])
    return outcome


def build_refusal(failure: CallFailure, language: str, *, reads: bool = False) -> Answer:
    """Return what is said where a call gave nothing; `reads` of one that changes nothing."""
    unclear = failure.code is FailureCode.INTERNAL_ERROR
    denied = failure.code is FailureCode.PERMISSION_DENIED
    return tell_refused(failure.sentence, language, unclear=unclear, declined=reads and not denied)

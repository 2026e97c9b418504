"""A turn: one input, the moves that it takes, and the answer (docs/agents.md#turns)."""

import logging
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from data.errors import PosternError
from data.records.agents.agents import Agent
from data.records.agents.chats import AuthorKind, ChatMessage
from data.records.agents.turns import MoveKind, Turn
from data.records.core.principals import Principal
from data.records.core.streams import StreamEvent
from data.records.core.tools import Source, ToolResult
from data.states import TurnState
from data.store.agents import agents, chats, turns
from data.store.core.database import Connection
from flows.agents.extracting import begin_extracting, extract
from flows.agents.journal import Journal
from flows.agents.memory import occasion_of
from flows.agents.thinking import think
from flows.core.house import House
from flows.core.streams import Stream
from flows.core.tools import Calling, Toolbox, ToolCallError
from flows.core.workspace import Workspace
from tasks.agents.addressing import without_mentions
from tasks.agents.calling import ToolCall
from tasks.agents.conversing import Answer, call_for, help_for, tell
from tasks.agents.remembering.telling import (
    memory_call_for,
    recall_call_for,
    tell_wish,
    with_recalled,
)
from tasks.agents.triage import Triage, is_plain, triage

log = logging.getLogger("postern.agents")
WITHOUT_MODEL = "*No model answered; this is what I can say without one.*"


async def run_turn(
    house: House, workspace: Workspace, tools: Toolbox, turn: Turn, principal: Principal
) -> str:
    """Take a turn to its end, and tell whoever listens; return how it ended."""
    stream = house.streams.open(turn.id)
    try:
        agent = await workspace.db.read(agents.agent, turn.agent)
        asked = await workspace.db.read(chats.message, turn.asked)
        chat = await workspace.db.read(chats.chat_worked_on, turn.id)
        occasion = await occasion_of(house, workspace, chat, asked, agent.slug)
        calling = Calling(house, workspace, principal, occasion)
        own = tools.for_whom(principal, workspace.slug, agent.tools)
        journal = Journal(house, workspace, turn.id)
        await journal.load()
        answer = await _work(calling, agent, turn, own, journal, asked, stream)
        await _respond(calling, agent, turn, answer, stream)
        house.run_aside(extract(house, workspace, turn), f"extract {turn.id}")
    except Exception as error:  # a turn says why it ended, and takes no other with it
        expected = isinstance(error, PosternError)
        note = str(error) if expected else "Postern made a mistake; the engine's log says which"
        if not expected:
            log.exception("turn %s failed", turn.id)
        await workspace.db.write(turns.end, turn.id, TurnState.FAILED, note, house.clock())
        stream.put(StreamEvent(kind="failed", text=note))
        return TurnState.FAILED
    finally:
        stream.end()
    return TurnState.COMPLETED


async def _work(
    calling: Calling,
    agent: Agent,
    turn: Turn,
    tools: Toolbox,
    journal: Journal,
    asked: ChatMessage,
    stream: Stream,
) -> Answer:
    """Find out what is meant, and have the model answer it, or the embedded agent.

    What is recognized for certain needs no model: greetings, the time, what an agent can do, a
    plain order, and what is to be remembered. Where no model answers, the embedded agent does.
    """
    text = without_mentions(asked.text) or asked.text

    async def recognize() -> JsonValue:
        return triage(text).model_dump(mode="json")

    if (wanted := memory_call_for(text, tools.declarations)) is not None:
        wish, wished = wanted
        done = await _act(calling, tools, journal, wished, stream) if wished is not None else None
        return tell_wish(wish, done)
    meant = Triage.model_validate(await journal.move(MoveKind.TRIAGE, recognize))
    thinker = calling.house.thinker
    if thinker is None or is_plain(meant):
        return await _answer_embedded(calling, agent, tools, journal, meant, text, stream)

    def on_move(words: str) -> None:
        stream.put(StreamEvent(kind="move", text=words))

    try:
        return await think(thinker, calling, turn, asked, tools, journal, on_move)
    except PosternError as error:
        log.warning("turn %s: no answer of a model: %s", turn.id, error)
        answer = await _answer_embedded(calling, agent, tools, journal, meant, text, stream)
        return answer.model_copy(update={"pieces": (WITHOUT_MODEL, *answer.pieces)})


async def _answer_embedded(
    calling: Calling,
    agent: Agent,
    tools: Toolbox,
    journal: Journal,
    meant: Triage,
    text: str,
    stream: Stream,
) -> Answer:
    """Look up what answers it, and word the answer."""
    open_question = meant.intent is None and meant.order is None
    recall = recall_call_for(text, tools.declarations) if open_question else None
    recalled = await _act(calling, tools, journal, recall, stream) if recall is not None else None
    call = call_for(meant, text, tools.declarations)
    result = await _act(calling, tools, journal, call, stream) if call is not None else None
    now = calling.house.clock().astimezone(ZoneInfo(calling.workspace.organization.timezone))
    return with_recalled(tell(meant, result, help_for(agent.suggestions), now), recalled, text)


async def _act(
    calling: Calling, tools: Toolbox, journal: Journal, call: ToolCall, stream: Stream
) -> ToolResult | None:
    """Call a tool; None where it cannot be called, which the answer then says."""
    declaration = tools.declaration(call.name)
    stream.put(StreamEvent(kind="move", text=declaration.description))

    async def work() -> JsonValue:
        result = await tools.call(calling, call.name, call.arguments)
        return result.model_dump(mode="json")

    try:
        given = await journal.move(
            MoveKind.ACT,
            work,
            name=call.name,
            given=dict(call.arguments),
            effect=declaration.effect,
        )
    except ToolCallError:
        return None
    return ToolResult.model_validate(given)


async def _respond(
    calling: Calling, agent: Agent, turn: Turn, answer: Answer, stream: Stream
) -> None:
    """Say an answer, piece by piece, and keep it with the end of its turn in one transaction."""
    for number, piece in enumerate(answer.pieces):
        stream.put(StreamEvent(kind="text", text=f"\n\n{piece}" if number else piece))
    pause = timedelta(minutes=calling.house.settings.chat_session_minutes)
    await calling.workspace.db.write(
        _keep_answer, agent, turn, answer.text, answer.sources, pause, calling.house.clock()
    )
    stream.put(StreamEvent(kind="done", sources=answer.sources))


def _keep_answer(
    cursor: Connection,
    agent: Agent,
    turn: Turn,
    text: str,
    sources: tuple[Source, ...],
    pause: timedelta,
    now: datetime,
) -> None:
    """Write what an agent says, unless its turn is at its end already."""
    if not turns.end(cursor, turn.id, TurnState.COMPLETED, "", now):
        return
    begin_extracting(cursor, turn, now)
    chats.say(
        cursor,
        turn.chat_id,
        chats.Author(AuthorKind.AGENT, agent.slug, agent.name),
        text,
        now=now,
        pause=pause,
        sources=sources,
        reply_to=turn.asked,
        turn_id=turn.id,
    )

"""A turn: one input, the moves that it takes, and the answer (docs/agents.md#turns)."""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from pydantic import JsonValue

from data.errors import PosternError
from data.portable import read_portable
from data.records.agents.agents import Agent, AgentVersion, Restrictions
from data.records.agents.chats import AuthorKind, Chat, ChatMessage
from data.records.agents.turns import CallFailure, Move, MoveKind, Turn
from data.records.core.principals import Principal
from data.records.core.streams import StreamEvent
from data.states import TurnState
from data.store.agents import agents, chats, intents, turns
from data.store.core import teams as team_store
from data.store.core import turn_seals
from data.store.core.database import Connection
from data.window_pages import with_pages
from flows.agents.assembling import ContextError
from flows.agents.available import read_version
from flows.agents.calls import Calls, TurnLimits, TurnWaitsError
from flows.agents.embedded import (
    answer_without_model,
    build_refusal,
    choose_language,
    describe_unknown_effects,
    make_call,
)
from flows.agents.ending import end_open_calls, end_turn_in_words
from flows.agents.extracting import begin_extracting, extract_facts, may_pick_up_facts
from flows.agents.going_on import read_follow_up
from flows.agents.journal import Journal
from flows.agents.library import group_libraries
from flows.agents.memory_layers import read_occasion
from flows.agents.onboarding import onboard_person, read_answers_in_turn
from flows.agents.own_role import read_acting_principal
from flows.agents.services import add_services
from flows.agents.shadowing import keep_shadow_answer
from flows.agents.speaking import Speaker
from flows.agents.thinking import answer_with_model
from flows.core.house import House
from flows.core.tools import Calling, Toolbox
from flows.core.workspace import Workspace
from tasks.agents.addressing import cut_mentions
from tasks.agents.conversing import Answer, is_answered_without_model
from tasks.agents.parting import hint_of, recognize_message
from tasks.agents.remembering.memory_answers import (
    find_memory_wish,
    may_be_known_elsewhere,
    tell_wish,
)
from tasks.agents.short_forms import write_out_short_forms
from tasks.agents.triage import LOOKUPS, Triage

log = logging.getLogger("postern.agents")
WAITING = "waiting"
"""What `run_turn` returns of a turn that a person has to decide in."""
MOST_TRIES = 3
"""How often a turn is begun that an engine was ended over."""
_NOT_TAKEN_UP = "The agent has gone another way meanwhile."
"""Why a call of an earlier try did not happen that the last one has not come to."""
_PLACES = 1_000_000
"""Events for which a try of a turn has places; those of a later try stand behind them."""


async def run_turn(
    house: House,
    workspace: Workspace,
    tools: Toolbox,
    turn: Turn,
    principal: Principal,
) -> str:
    """Take a turn to its end, or to where a person has to decide; return which of them it was."""
    speaker = Speaker(house.streams.open(turn.id))
    journal = Journal(house, workspace, turn)
    try:
        async with asyncio.timeout(house.settings.turn_seconds):
            calling = Calling(house, workspace, principal)
            learns = await _take_turn_to_end(calling, tools, turn, journal, speaker)
        if learns:
            house.run_aside(extract_facts(house, workspace, turn), f"extract {turn.id}")
    except TurnWaitsError:
        await workspace.db.write(turns.reset_tries, turn.id)
        speaker.send(StreamEvent(kind="waiting"))
        return WAITING
    except Exception as error:  # a turn says why it ended, and takes no other with it
        note = _describe_failure(error, house.settings.turn_seconds)
        if not isinstance(error, PosternError | TimeoutError):
            log.exception("turn %s failed", turn.id)

        pause = timedelta(minutes=house.settings.chat_session_minutes)

        def end(cursor: Connection) -> None:
            journal.write_moves(cursor)
            end_turn_in_words(
                cursor,
                turn.id,
                note,
                "Postern",
                house.clock(),
                partial_text=speaker.stream.said,
                pause=pause,
            )

        await workspace.db.write(end)
        speaker.send(StreamEvent(kind="failed", text=note))
        return TurnState.FAILED
    finally:
        speaker.stream.end()
    return TurnState.COMPLETED


def _describe_failure(error: Exception, seconds: float) -> str:
    """Return why a turn failed, in a sentence for who asked."""
    if isinstance(error, TimeoutError):
        return f"It took longer than {seconds:g} seconds, so it was ended. Ask again."
    if isinstance(error, PosternError):
        return str(error)
    return "Postern made a mistake; the engine's log says which"


class TurnStart(NamedTuple):
    """What the state says of a turn at its beginning."""

    agent: Agent
    version: AgentVersion
    chat: Chat
    waiting: list[ChatMessage]
    """The messages that it answers, oldest first."""
    moves: list[Move]
    switched_on: frozenset[str]
    """Plain questions that need no model here."""
    restrictions: Restrictions
    """What the assignments take away by which who asks has the agent."""

    @property
    def text(self) -> str:
        """What is to be answered, without the names that agents are called by."""
        return "\n\n".join(cut_mentions(message.text) or message.text for message in self.waiting)


def read_start(cursor: Connection, turn: Turn, teams: Collection[str]) -> TurnStart:
    """Return what the state says of a turn at its beginning."""
    return TurnStart(
        agents.read_agent(cursor, turn.agent),
        read_version(cursor, turn.agent, turn.agent_version),
        chats.read_chat_of_turn(cursor, turn.id),
        [chats.read_message(cursor, message_id) for message_id in (*turn.also, turn.asked)],
        turns.list_moves(cursor, turn.id),
        intents.list_switched_on(cursor),
        agents.read_restrictions(cursor, turn.agent, turn.asked_by, teams),
    )


async def _take_turn_to_end(
    calling: Calling, tools: Toolbox, turn: Turn, journal: Journal, speaker: Speaker
) -> bool:
    """Read what holds for the turn once, find the answer, and say it; return whether it learns."""
    if turn.tries > MOST_TRIES:
        raise PosternError(f"It was begun {MOST_TRIES} times and never came to its end.")
    house, workspace = calling.house, calling.workspace
    teams = await house.control.read_once(team_store.list_teams_of, workspace.slug, turn.asked_by)
    begun = await workspace.db.read(read_start, turn, teams)
    speaker.stream.first = _PLACES * (turn.tries - 1 + (MOST_TRIES + 1) * len(begun.moves))
    asked, agent = begun.waiting[-1], begun.agent
    journal.load_moves(begun.moves)
    calls = await build_calls(calling, tools, turn, begun, journal, speaker, teams)
    began = await onboard_person(calls, asked, begun.text)
    answer = began.answer
    if answer is None:
        own = await read_answers_in_turn(calls)
        calls.calling = replace(calls.calling, settings={**calls.calling.settings, **own})
        answer = await work_out_answer(calls, agent, asked, began.text, begun.switched_on, speaker)
        if began.thanks:
            answer = answer.model_copy(update={"pieces": (began.thanks, *answer.pieces)})
    await _say_answer(calls, agent, answer, speaker)
    return may_pick_up_facts(calls.manifest)


async def build_calls(
    calling: Calling,
    tools: Toolbox,
    turn: Turn,
    begun: TurnStart,
    journal: Journal,
    speaker: Speaker,
    teams: Collection[str],
) -> Calls:
    """Return the calls that a turn may make, held by what its version and its asker may do."""
    house, workspace = calling.house, calling.workspace
    agent = begun.agent
    occasion = await read_occasion(house, workspace, begun.chat, begun.waiting[-1], agent.slug)
    manifest = read_portable(begun.version.manifest)
    role = manifest.agent.governance.role or ""
    principal = await read_acting_principal(house, workspace, turn, agent, role, calling.principal)
    calling = replace(
        calling,
        principal=principal,
        occasion=occasion,
        settings=manifest.agent.configuration,
        libraries=group_libraries(manifest.agent),
    )
    limits = TurnLimits.from_manifest(manifest, begun.chat.channel, begun.restrictions)
    shown = limits.choose_shown(add_services(tools, workspace), calling)
    on_move = speaker.tell_move
    return Calls(calling, turn, shown, journal, manifest, limits, on_move, tuple(sorted(teams)))


async def work_out_answer(
    calls: Calls,
    agent: Agent,
    asked: ChatMessage,
    text: str,
    switched_on: frozenset[str],
    speaker: Speaker,
) -> Answer:
    """Find out what is meant, and have the model answer it, or the embedded agent.

    What is recognized for certain needs no model: greetings, the time, what an agent can do, a
    plain order, and what is to be remembered. What comes to nothing that way, or fails, is left to
    the model, in silence; where no model answers, the embedded agent does.
    """
    in_full = write_out_short_forms(text)
    thinker = calls.calling.house.thinker
    going_on = await read_follow_up(calls, asked, in_full) if thinker is None else None

    async def look_at() -> JsonValue:
        return (going_on or recognize_message(in_full)).model_dump(mode="json")

    memory_call = find_memory_wish(text, calls.tools.declarations) if going_on is None else None
    if memory_call is not None:
        wish, wished = memory_call
        done = await make_call(calls, wished) if wished is not None else None
        if isinstance(done, CallFailure):
            return build_refusal(done, await choose_language(calls, wish.language))
        if not may_be_known_elsewhere(wish, done):
            return tell_wish(wish, done, await choose_language(calls, wish.language))
    meant = Triage()
    try:
        meant = Triage.model_validate(await calls.journal.do_move(MoveKind.TRIAGE, look_at))
        plain = is_answered_without_model(meant, in_full, calls.tools.declarations, switched_on)
        if thinker is None or plain:
            answer = await answer_without_model(calls, agent, meant, in_full)
            if thinker is None or not answer.declined:
                return answer
    except TurnWaitsError:
        raise
    except Exception:
        if thinker is None or calls.effects:
            raise  # nobody else can answer, or something was changed that is not to be done twice
        log.exception("turn %s: not answered without the model", calls.turn.id)
    speaker.guard = calls.calling.workspace.canary
    try:
        answer = await answer_with_model(
            thinker, calls, asked, text, hint_of(meant), speaker.say_so_far
        )
    except (TurnWaitsError, ContextError):
        raise
    except PosternError as error:
        log.warning("turn %s: no answer of a model: %s", calls.turn.id, error)
        speaker.retract()
        return await answer_without_model(calls, agent, meant, in_full, instead_of=error)
    if meant.intent in LOOKUPS and not meant.besides and not calls.replays:
        calls.calling.house.run_aside(
            keep_shadow_answer(calls, meant, in_full), f"shadow {calls.turn.id}"
        )
    return answer.model_copy(update={"pieces": (*answer.pieces, *describe_unknown_effects(calls))})


async def _say_answer(calls: Calls, agent: Agent, answer: Answer, speaker: Speaker) -> None:
    """Say an answer, and keep it with the end of its turn in one transaction."""
    speaker.say(answer.text)
    house = calls.calling.house
    pause = timedelta(minutes=house.settings.chat_session_minutes)
    await calls.calling.workspace.db.write(_keep_answer, agent, calls, answer, pause, house.clock())
    speaker.send(StreamEvent(kind="done", sources=with_pages(answer.sources)))


def _keep_answer(
    cursor: Connection,
    agent: Agent,
    calls: Calls,
    answer: Answer,
    pause: timedelta,
    now: datetime,
) -> None:
    """Write what an agent says, unless its turn is at its end already."""
    turn = calls.turn
    calls.journal.write_moves(cursor)
    if not turns.end(cursor, turn.id, TurnState.COMPLETED, "", now):
        return
    if not calls.journal.only_reads:
        turns.note_to_show(cursor, turn.id)
    if calls.journal.is_resumed:
        end_open_calls(cursor, turn.id, _NOT_TAKEN_UP, "Postern", now)
    if calls.labels:
        turns.set_labels(cursor, turn.id, calls.labels)
    turn_seals.seal(cursor, turn.id, now)
    if may_pick_up_facts(calls.manifest):
        begin_extracting(cursor, turn, now)
    chats.add_message(
        cursor,
        turn.chat_id,
        chats.Author(AuthorKind.AGENT, agent.slug, agent.name),
        answer.text,
        now=now,
        pause=pause,
        sources=answer.sources,
        reply_to=turn.asked,
        turn_id=turn.id,
    )

"""The context of a turn before a model thinks: the assembly says what, the platform fetches it.

An assembly is an entry of the library (docs/agents.md#library). It takes from what the chat opens
and reaches nothing beside it; what it looks up is a call of the agent's own tool, with its gates.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from zoneinfo import ZoneInfo

from pydantic import JsonValue

from data.errors import PosternError
from data.records.agents.chats import AuthorKind, ChatMessage
from data.records.agents.turns import CallFailure, MoveKind, Turn
from data.records.core.record import Record
from data.records.core.tools import OF_STRANGERS, Label, Source
from data.store.agents import chats, memories, turns
from data.store.core.database import Connection
from data.strategy_format import Assembly
from flows.agents.about import describe_matter
from flows.agents.business import labels_of_profile, read_told_profile
from flows.agents.calls import Calls, TurnWaitsError
from flows.agents.library import read_strategy
from flows.agents.memory import KnownLayers, recall_layers
from flows.agents.memory_layers import list_readable_layers
from flows.agents.onboarding import label_answers
from flows.core.thinker import make_marker
from tasks.agents.thinking import TurnContext, build_chat_request, build_result_text, sources_of

PAUSES = (0.1, 0.2)
"""Seconds before the context is assembled a second and a third time."""
_INDEX, _LOOK_UP = "list_knowledge", "answer_from_knowledge"


class ContextError(PosternError):
    """The context of a turn could not be assembled: there is no answer without it."""


class AssembledRequest(Record):
    """What a turn begins with, as the journal keeps it."""

    marker: str
    """Of the turn's fences."""
    request: str
    """What the model is asked first."""
    labels: tuple[Label, ...]
    """What that brings before the model."""


class ChosenAssembly(Record):
    """The assembly that a turn works by, as the journal keeps it."""

    by: str
    """Name, version and hash, e.g. `grounded@0+9f2c11e07a3b`."""
    assembly: Assembly


async def assemble_request(
    calls: Calls, asked: ChatMessage, text: str, hint: str
) -> tuple[AssembledRequest, list[Source]]:
    """Return what the model is asked first, with the sources that it may name by number.

    Args:
        calls: those of the turn.
        asked: the message that began it.
        text: what is asked, with what was said just before.
        hint: what was recognized in it by its words alone.

    Raises:
        ContextError: it could not be assembled, tried three times.

    """
    chosen = ChosenAssembly.model_validate(
        await _do_with_retries(
            lambda: calls.journal.do_move(
                MoveKind.THINK, lambda: _choose_assembly(calls), name="by"
            )
        )
    )
    assembly = chosen.assembly
    matter, sources = await describe_matter(calls)
    looked_up: dict[str, str] = {}
    if assembly.knowledge:
        looked_up |= await _look_up_by_tool(calls, _LOOK_UP, {"question": text[:2000]}, sources)
    if assembly.index:
        looked_up |= await _look_up_by_tool(calls, _INDEX, {}, sources)

    async def work() -> JsonValue:
        beside = TurnContext(matter=matter, looked_up=looked_up, hint=hint)
        return (await _build_request(calls, asked, text, assembly, beside)).model_dump(mode="json")

    first = await _do_with_retries(
        lambda: calls.journal.do_move(MoveKind.THINK, work, name="assemble")
    )
    return AssembledRequest.model_validate(first), sources


async def _do_with_retries(work: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
    """Do a move, and where that fails once and once more.

    Raises:
        ContextError: it failed three times.

    """
    for pause in PAUSES:
        try:
            return await work()
        except TurnWaitsError:
            raise
        except PosternError:
            await asyncio.sleep(pause)
    try:
        return await work()
    except TurnWaitsError:
        raise
    except PosternError as error:
        raise ContextError(
            f"What it has to know could not be put together ({error}). Ask again."
        ) from error


async def _choose_assembly(calls: Calls) -> JsonValue:
    """Return the assembly that the agent's manifest names, with the number of messages it wants."""
    memory = calls.manifest.agent.memory
    assembly, use = await calls.calling.workspace.db.read(read_strategy, Assembly, memory.assembly)
    if memory.recent_messages is not None:
        assembly = assembly.model_copy(update={"messages": memory.recent_messages})
    return ChosenAssembly(by=use.version_id, assembly=assembly).model_dump(mode="json")


async def _look_up_by_tool(
    calls: Calls, name: str, arguments: JsonValue, sources: list[Source]
) -> dict[str, str]:
    """Return what the agent's own tool gives, by the tool's name; nothing where it has not it."""
    if name not in calls.tools:
        return {}
    (outcome,) = await calls.make_calls([(name, arguments)])
    if isinstance(outcome, CallFailure) or not (outcome.items or outcome.sentence):
        return {}
    text = build_result_text(outcome, len(sources) + 1)
    sources.extend(sources_of(outcome))
    return {name: text}


async def _build_request(
    calls: Calls, asked: ChatMessage, text: str, assembly: Assembly, beside: TurnContext
) -> AssembledRequest:
    """Return what the model is asked first, and what comes before it with that."""
    house, workspace = calls.calling.house, calls.calling.workspace
    occasion = calls.calling.occasion
    earlier: Sequence[ChatMessage] = ()
    if assembly.messages:
        earlier, _ = await workspace.db.read(
            chats.list_messages,
            asked.chat_id,
            before=asked.place,
            limit=assembly.messages,
            session=asked.session,
        )
    known_layers = KnownLayers({}, frozenset())
    if occasion is not None:
        known_layers = await recall_layers(house, workspace, occasion, text, assembly.memory)
    if assembly.profile:
        profile = await read_told_profile(workspace)
        beside = beside.model_copy(update={"about_us": profile.text})
        known_layers = known_layers._replace(
            labels=known_layers.labels | labels_of_profile(profile)
        )
    if assembly.index and occasion is not None:
        sizes = await workspace.db.read(memories.count_by_layer, list_readable_layers(occasion))
        beside = beside.model_copy(update={"remembered": sizes})
    if assembly.pending:
        pending = await workspace.db.read(_list_pending, calls.turn)
        beside = beside.model_copy(update={"pending": tuple(pending)})
    if asked.reply_to:
        replied = await workspace.db.read(chats.read_message, asked.reply_to)
        beside = beside.model_copy(update={"replies_to": replied})
    answered_by_asker = label_answers(calls.manifest.agent, dict(calls.calling.settings))
    beside = beside.model_copy(update={"asker": answered_by_asker})
    preferred = await workspace.db.read(chats.read_preferences, calls.calling.principal.id)
    answered = [message.turn_id for message in earlier]
    if beside.replies_to is not None:
        answered.append(beside.replies_to.turn_id)
    labels = known_layers.labels | await workspace.db.read(turns.read_labels, answered)
    if any(message.author is AuthorKind.AGENT and not message.turn_id for message in earlier):
        labels |= OF_STRANGERS  # a program says so: what it rested on is written down nowhere
    now = house.clock().astimezone(ZoneInfo(workspace.organization.timezone))
    marker = make_marker()
    request = build_chat_request(
        marker,
        asked.model_copy(update={"text": text}),
        earlier,
        known_layers.texts,
        preferred,
        f"{now:%A %-d %B %Y, %H:%M %Z}",
        beside,
    )
    return AssembledRequest(marker=marker, request=request, labels=tuple(sorted(labels)))


def _list_pending(cursor: Connection, turn: Turn) -> list[str]:
    """Return what other turns of the chat still work on, in the words that began them."""
    others = [other for other in turns.list_active(cursor, turn.chat_id) if other.id != turn.id]
    waiting = turns.list_awaiting(cursor, [other.id for other in others])
    words = {True: "waits for a person to say yes", False: "under way"}
    return [
        f"{chats.read_message(cursor, other.asked).text[:300]} "
        f"({other.agent}, {words[other.id in waiting]})"
        for other in others
    ]

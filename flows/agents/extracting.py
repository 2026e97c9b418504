"""Extraction of facts from what people say, after the answer and not in its way.

A failure marks the turn, by the move `extract`, and fails nothing. It is done again after a
restart, and a message counts once however often it is read.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from data.errors import PosternError
from data.manifest import Manifest
from data.portable import read_portable
from data.records.agents.chats import Chat, ChatKind, ChatMessage
from data.records.agents.memories import (
    ORGANIZATION_LAYER,
    Candidate,
    Evidence,
    Layer,
    LayerKind,
    MemoryPolicy,
    Provenance,
    Remembered,
    ReviewMode,
)
from data.records.agents.turns import Move, MoveKind, Turn
from data.records.core.tools import Change, ToolResult
from data.states import MoveState
from data.store.agents import chats, turns
from data.store.agents import memories as store
from data.store.core.database import Connection
from data.strategy_format import Extraction
from flows.agents.available import read_version
from flows.agents.changes import list_remembered_changes
from flows.agents.library import read_strategy
from flows.agents.memory import build_memories
from flows.core.house import House
from flows.core.workspace import Workspace
from tasks.agents.addressing import cut_mentions
from tasks.agents.going_on import is_correction
from tasks.agents.remembering.layer_choice import place_sentence
from tasks.agents.remembering.memorable_statements import is_wanted, kind_of
from tasks.agents.remembering.memory_orders import find_wish
from tasks.agents.short_forms import write_out_short_forms
from tasks.agents.statement import parse_statement
from tasks.agents.stating import has_statement
from tasks.agents.triage import is_question_or_order
from tasks.core.words.sentences import sentences

log = logging.getLogger("postern.memory")
ORDINAL = 1_000_000
"""Place of the move among those of its turn: behind all others."""
_MAKES_TASKS = frozenset({"add_task", "propose_task", "add_event"})
_SIGNIFICANCE = {"name": 0.9, "prefer": 0.7, "charge": 0.7}


class _AnsweredMessage(NamedTuple):
    """A message with the chat it stands in, and what was said just before."""

    chat: Chat
    message: ChatMessage
    before: str


class PickedUpFact(NamedTuple):
    """What became of a sentence that is worth remembering."""

    remembered: Remembered
    changes: tuple[Change, ...]
    """What of it can be taken back."""


def begin_extracting(cursor: Connection, turn: Turn, now: datetime) -> None:
    """Write down, with the answer of a turn, that its message is still to be read for facts."""
    move = Move(ordinal=ORDINAL, kind=MoveKind.EXTRACT, state=MoveState.RUNNING, began_at=now)
    turns.add_moves(cursor, turn.id, [move])


def may_pick_up_facts(manifest: Manifest) -> bool:
    """Return whether an agent picks up by itself what people say by the way."""
    return manifest.agent.capability_level == "learning"


async def extract_facts(house: House, workspace: Workspace, turn: Turn) -> str:
    """Remember what the message of a turn says that is worth it; return how that ended."""
    try:
        picked_up = await pick_up_facts(house, workspace, turn)
        state, result = MoveState.DONE, _build_result(picked_up)
    except PosternError as error:
        state, result = MoveState.FAILED, str(error)
        log.warning("nothing was picked up of turn %s: %s", turn.id, error)
    await workspace.db.write(turns.end_move, turn.id, ORDINAL, state, result, house.clock())
    return state


async def resume_extracting(house: House, workspace: Workspace) -> int:
    """Read what an engine before this one left unread; return how many turns that were."""
    left = await workspace.db.read(turns.list_to_extract)
    for turn in left:
        async with workspace.erasing:  # whose erasing waits for what is read by then
            reading = house.run_aside(extract_facts(house, workspace, turn), f"extract {turn.id}")
        await reading
    return len(left)


def _build_result(picked_up: Sequence[PickedUpFact]) -> JsonValue:
    """Return what became of what was picked up: in words, and so that it can be taken back."""
    outcomes = ", ".join(each.remembered.outcome for each in picked_up)
    changes = tuple(change for each in picked_up for change in each.changes)
    return ToolResult(sentence=outcomes, changes=changes).model_dump(mode="json")


async def pick_up_facts(house: House, workspace: Workspace, turn: Turn) -> list[PickedUpFact]:
    """Remember what the messages of a turn say; each sentence counts once, however often read."""
    policy, extraction = await workspace.db.read(_read_what_to_keep, turn)
    memories = build_memories(house, workspace)
    picked_up = []
    noted = await workspace.db.read(_list_noted_tasks, turn)
    for turn_texts in await workspace.db.read(_list_messages_answered, turn):
        text = cut_mentions(turn_texts.message.text)
        if find_wish(text) is not None:
            continue
        for sentence in sentences(text)[: extraction.sentences]:
            if any(words in sentence for words in noted):
                continue
            candidate = find_candidate(sentence, turn_texts, turn, policy, extraction)
            if candidate is not None:
                remembered = await memories.remember(candidate)
                changes = list_remembered_changes(remembered, candidate.text)
                picked_up.append(PickedUpFact(remembered, changes))
    return picked_up


def _list_noted_tasks(cursor: Connection, turn: Turn) -> list[str]:
    """Return the words that became tasks in a turn: they are on a list, and over with their day."""
    return [
        str(move.given.get("words"))
        for move in turns.list_moves(cursor, turn.id)
        if move.name in _MAKES_TASKS and move.state is MoveState.DONE
        and isinstance(move.given, dict) and move.given.get("words")
    ]  # fmt: skip


def _read_what_to_keep(cursor: Connection, turn: Turn) -> tuple[MemoryPolicy, Extraction]:
    """Return what the organization lets agents keep, and what the turn's agent wants to keep.

    Raises:
        NotFoundError: the library has the agent's strategy not any more.

    """
    manifest = read_portable(read_version(cursor, turn.agent, turn.agent_version).manifest)
    extraction, _ = read_strategy(cursor, Extraction, manifest.agent.memory.extraction)
    return store.read_policy(cursor), extraction


def find_candidate(
    sentence: str,
    turn_texts: _AnsweredMessage,
    turn: Turn,
    policy: MemoryPolicy,
    extraction: Extraction,
) -> Candidate | None:
    """Return a sentence as what may be remembered, in its layer; None where it is not to be.

    What somebody says to an agent alone stays with that person: where it holds for more than one,
    it is noted for whom it seems meant, and the person shares it or does not.
    """
    in_full = write_out_short_forms(sentence)
    kind = place_sentence(in_full).place.layer
    if kind is None or is_question_or_order(in_full) or is_correction(in_full):
        return None
    if not has_statement(in_full):
        return None
    if kind not in extraction.layers or not is_wanted(extraction, sentence):
        return None
    layer, meant = _choose_layer(turn_texts.chat, turn_texts.message.author_id, kind)
    mode = policy.mode(layer.kind)
    if mode is ReviewMode.OFF:
        return None
    statement = parse_statement(sentence)
    own_chat = layer.kind == _LAYER_OF_CHAT.get(turn_texts.chat.kind)
    evidence = Evidence(
        words=sentence,
        said_by=turn_texts.message.author_name,
        provenance=Provenance.PERSON,
        chat_id=turn_texts.chat.id,
        turn_id=turn.id,
        message_id=turn_texts.message.id,
        said_at=turn_texts.message.said_at,
    )
    return Candidate(
        layer=layer,
        text=sentence,
        kind=kind_of(extraction, sentence)
        or ("preference" if statement.slot.startswith("prefer") else "fact"),
        context=turn_texts.before if own_chat else "",
        significance=_SIGNIFICANCE.get(statement.slot.partition(" ")[0], 0.5),
        meant_for=meant,
        needs_yes=extraction.review or mode is ReviewMode.REVIEW,
        agent=turn.agent,
        author=turn_texts.message.author_id,
        author_name=turn_texts.message.author_name,
        evidence=(evidence,),
    )


_LAYER_OF_CHAT = {
    ChatKind.DIRECT: LayerKind.USER,
    ChatKind.TEAM: LayerKind.TEAM,
    ChatKind.ORGANIZATION: LayerKind.ORGANIZATION,
}


def _choose_layer(chat: Chat, person: str, kind: LayerKind) -> tuple[Layer, LayerKind | None]:
    """Return the layer for what somebody says in a chat, and for whom it seems meant otherwise."""
    if kind is LayerKind.TEAM and chat.kind is ChatKind.TEAM:
        return Layer(kind=LayerKind.TEAM, owner=chat.team), None
    if kind is LayerKind.ORGANIZATION and chat.kind is not ChatKind.DIRECT:
        return ORGANIZATION_LAYER, None
    own = Layer(kind=LayerKind.USER, owner=person)
    return own, kind if kind is not LayerKind.USER else None


def _list_messages_answered(cursor: Connection, turn: Turn) -> list[_AnsweredMessage]:
    """Return the messages that a turn answers, the oldest first."""
    chat, turn_texts = chats.read_chat_of_turn(cursor, turn.id), []
    for message_id in (*turn.also, turn.asked):
        message = chats.read_message(cursor, message_id)
        earlier, _ = chats.list_messages(cursor, turn.chat_id, before=message.place, limit=1)
        turn_texts.append(_AnsweredMessage(chat, message, earlier[0].text[:500] if earlier else ""))
    return turn_texts

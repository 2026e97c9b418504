"""Histories of requests: what each answered call has added, and the call that it goes on from.

The system prompt of the first request is kept once for all that have the same, so that a history
holds what differs.
"""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from data.errors import NotFoundError
from data.records.core.messages import (
    ModelMessages,
    ModelRequest,
    ModelResponse,
    SystemPart,
    messages_from,
    messages_text,
)
from data.records.core.model_views import RequestView
from data.store.core.database import Connection
from data.store.core.statements import first, insert, records
from data.store.core.usage import Call


def keep_call(
    cursor: Connection,
    call: Call,
    request: ModelRequest,
    response: ModelResponse,
    follows: str | None = None,
) -> None:
    """Keep what a call has added to a history; nothing for a turn that was ended meanwhile.

    Args:
        cursor: an open transaction.
        call: the call, which says for whom it was.
        request: what was sent and had not been sent before.
        response: what came back.
        follows: the call before it in the same history.

    """
    ended = "SELECT 1 FROM turns WHERE id = ? AND state <> 'active'"
    if call.turn is not None and first(cursor, ended, [call.turn]) is not None:
        return
    system = "".join(part.text for part in request.parts if isinstance(part, SystemPart))
    asked = ModelRequest(
        parts=tuple(part for part in request.parts if not isinstance(part, SystemPart))
    )
    insert(
        cursor,
        "model_messages",
        [
            {
                "call_id": call.id,
                "follows": follows,
                "turn": call.turn,
                "item_id": call.item_id,
                "sender": call.sender,
                "asked_at": call.started_at,
                "prompt": _keep_prompt(cursor, system) if system else "",
                "messages": messages_text(ModelMessages(messages=(asked, response))),
            }
        ],
    )


def _keep_prompt(cursor: Connection, system: str) -> str:
    """Return the hash under which a system prompt is kept."""
    text = system.encode("utf-8", "replace").decode("utf-8")
    digest = sha256(text.encode()).hexdigest()
    if first(cursor, "SELECT 1 FROM model_prompts WHERE hash = ?", [digest]) is None:
        insert(cursor, "model_prompts", [{"hash": digest, "text": text}])
    return digest


class _Exchange(NamedTuple):
    """What one call has added to a history."""

    messages: str
    """JSON."""
    system: str | None
    """The system prompt of its request; None where it goes on from another call."""


_CHAIN = (
    "WITH RECURSIVE chain AS ("
    "SELECT m.*, 0 AS back FROM model_messages m WHERE m.call_id = ? "
    "UNION ALL SELECT m.*, chain.back + 1 FROM model_messages m JOIN chain "
    "ON m.call_id = chain.follows) "
    "SELECT c.messages, p.text AS system FROM chain c "
    "LEFT JOIN model_prompts p ON p.hash = c.prompt ORDER BY c.back DESC"
)


def read_history(cursor: Connection, call_id: str) -> ModelMessages:
    """Return all that went to and fro up to the answer of a call, to go on from.

    Raises:
        NotFoundError: it is not kept: the call has no answer, or retention has removed it.
        StoreError: a part of it cannot be read.

    """
    chain = records(cursor, _Exchange, _CHAIN, [call_id])
    if not chain:
        raise NotFoundError(f"no history is kept of call {call_id!r}")
    whole = ModelMessages()
    for row in chain:
        request, *rest = messages_from(row.messages).messages
        if row.system is not None and isinstance(request, ModelRequest):
            request = ModelRequest(parts=(SystemPart(text=row.system), *request.parts))
        whole = whole.followed_by(request, *rest)
    return whole


class _RequestRow(NamedTuple):
    """One request that was answered; what it added to a history is still text."""

    call_id: str
    follows: str | None
    turn: str | None
    asked_at: datetime
    prompt: str
    messages: str
    agent: str
    model: str
    outcome: str


def list_of_items(cursor: Connection, ids: Sequence[str]) -> tuple[RequestView, ...]:
    """Return what models were asked about messages and cases, oldest first, without the prompts."""
    requests = records(
        cursor,
        _RequestRow,
        "SELECT m.call_id, m.follows, m.turn, m.asked_at, m.prompt, m.messages, c.agent, c.model, "
        "c.outcome FROM model_messages m JOIN model_calls c ON c.id = m.call_id "
        "WHERE m.item_id IN (SELECT unnest(?)) ORDER BY m.asked_at, m.call_id",
        [list(ids)],
    )
    return tuple(
        RequestView.model_validate(
            row._asdict() | {"messages": messages_from(row.messages).messages}
        )
        for row in requests
    )


def forget_before(cursor: Connection, before: datetime) -> None:
    """Remove what was asked before a time; that it was asked, and its cost, stay."""
    cursor.execute("DELETE FROM model_messages WHERE asked_at < ?", [before])
    forget_prompts(cursor)


def forget_prompts(cursor: Connection) -> None:
    """Remove the system prompts that no history has any more."""
    cursor.execute(
        "DELETE FROM model_prompts WHERE hash NOT IN (SELECT prompt FROM model_messages)"
    )

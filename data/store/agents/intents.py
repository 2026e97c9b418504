"""Plain questions by kind: answered without a model or not, and what would have been answered."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from data.records.agents.chats import ChatKind
from data.records.agents.intents import IntentSwitch, ShadowAnswer
from data.store.core.database import Connection
from data.store.core.statements import insert, records, validate_rows

_SHOWN = 5
_READABLE = (
    "SELECT s.turn_id, asked.text AS asked, s.would_say, coalesce(answer.text, '') AS said, "
    "s.said_at FROM chat_shadows s JOIN turns t ON t.id = s.turn_id "
    "JOIN chats c ON c.id = t.chat_id JOIN chat_messages asked ON asked.id = t.asked "
    "LEFT JOIN chat_messages answer ON answer.turn_id = t.id AND answer.author = 'agent' "
    f"WHERE s.intent = ? AND (t.asked_by = ? OR c.kind = '{ChatKind.ORGANIZATION}') "
    f"ORDER BY s.said_at DESC, s.turn_id LIMIT {_SHOWN}"
)
"""The newest of one kind that somebody may read: asked by that person, or before everybody."""


def list_switched_on(cursor: Connection) -> frozenset[str]:
    """Return the kinds of plain questions that are answered without a model."""
    switched = cursor.execute("SELECT intent FROM chat_intents WHERE switched_on").fetchall()
    return frozenset(str(intent) for (intent,) in switched)


def set_switch(
    cursor: Connection, intent: str, actor: str, now: datetime, *, switched_on: bool
) -> None:
    """Have plain questions of a kind answered without a model, or with it."""
    cursor.execute("DELETE FROM chat_intents WHERE intent = ?", [intent])
    row = {
        "intent": intent,
        "switched_on": switched_on,
        "changed_by": actor,
        "changed_at": now,
    }
    insert(cursor, "chat_intents", [row])


def add_shadow(
    cursor: Connection, turn_id: str, intent: str, would_say: str, now: datetime
) -> None:
    """Keep what would have been answered in a turn."""
    row = {"turn_id": turn_id, "intent": intent, "would_say": would_say, "said_at": now}
    insert(cursor, "chat_shadows", [row])


class AnsweredTwiceRow(NamedTuple):
    """A question that was answered without the model in the shadow of the model's own answer."""

    without_model: str
    by_model: str


def list_answered_twice(cursor: Connection, intent: str, *, limit: int) -> list[AnsweredTwiceRow]:
    """Return the newest answers of a kind that the model gave too."""
    return records(
        cursor,
        AnsweredTwiceRow,
        "SELECT s.would_say AS without_model, answer.text AS by_model FROM chat_shadows s "
        "JOIN chat_messages answer ON answer.turn_id = s.turn_id AND answer.author = 'agent' "
        "WHERE s.intent = ? ORDER BY s.said_at DESC, s.turn_id LIMIT ?",
        [intent, limit],
    )


def list_switches(
    cursor: Connection, intents: Collection[str], viewer: str
) -> tuple[IntentSwitch, ...]:
    """Return each kind with whether it is switched on, and what a person may read of it."""
    switch_by_intent = {
        kept_switch.intent: kept_switch
        for kept_switch in validate_rows(cursor, IntentSwitch, "SELECT * FROM chat_intents")
    }
    counted = cursor.execute("SELECT intent, count(*) FROM chat_shadows GROUP BY intent").fetchall()
    count_by_intent = {str(intent): int(count) for intent, count in counted}
    listed = []
    for intent in sorted(intents):
        shadows = validate_rows(cursor, ShadowAnswer, _READABLE, [intent, viewer])
        counts = {"seen": count_by_intent.get(intent, 0), "shadows": tuple(shadows)}
        kept_switch = switch_by_intent.get(intent, IntentSwitch(intent=intent))
        listed.append(kept_switch.model_copy(update=counts))
    return tuple(listed)

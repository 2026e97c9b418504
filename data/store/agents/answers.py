"""Answers of people to the questions that an agent asks of each of them.

An agent that is installed in the place of a deleted one has its slug, and none of its answers:
each row bears the version that its agent was installed with.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from pydantic import TypeAdapter

from data.records.core.manifest_format import SettingValue
from data.store.core.database import Connection
from data.store.core.statements import columns, records

_VALUE: TypeAdapter[SettingValue] = TypeAdapter(SettingValue)


class AnswerRow(NamedTuple):
    """One question to one person."""

    agent: str
    user_id: str
    field: str
    value: str
    """JSON; empty while it is asked and not answered."""
    chat_id: str
    """The chat it is asked in; empty for an answer that was given elsewhere."""
    began_by: str
    """Id of the message that is answered once all is known."""
    answered_by: str
    """Id of the message that answered it."""
    changed_at: datetime


_ROW = columns(AnswerRow)
_OF_AGENT = "agent = ? AND since = (SELECT since FROM agents WHERE slug = agent_answers.agent)"


def read_rows(cursor: Connection, agent: str, user_id: str) -> dict[str, AnswerRow]:
    """Return what was asked of a person, and answered, by the question's name."""
    listed = records(
        cursor,
        AnswerRow,
        f"SELECT {_ROW} FROM agent_answers WHERE {_OF_AGENT} AND user_id = ? ORDER BY field",
        [agent, user_id],
    )
    return {row.field: row for row in listed}


def read_values(cursor: Connection, agent: str, user_id: str) -> dict[str, SettingValue]:
    """Return what a person has answered an agent, by the question's name."""
    return {
        field: _VALUE.validate_json(row.value)
        for field, row in read_rows(cursor, agent, user_id).items()
        if row.value
    }


def note_question(cursor: Connection, row: AnswerRow) -> None:
    """Write down that a question is asked, in the place of any other that is."""
    cursor.execute(
        "DELETE FROM agent_answers WHERE agent = ? AND user_id = ? AND (field = ? OR value = '')",
        [row.agent, row.user_id, row.field],
    )
    _write_row(cursor, row)


def keep_answers(
    cursor: Connection,
    agent: str,
    user_id: str,
    values: Mapping[str, SettingValue | None],
    now: datetime,
    *,
    answered_by: str = "",
    began_by: str = "",
) -> None:
    """Keep what a person has answered; None takes an answer away."""
    for field, value in values.items():
        cursor.execute(
            "DELETE FROM agent_answers WHERE agent = ? AND user_id = ? AND field = ?",
            [agent, user_id, field],
        )
        if value is not None:
            written = _VALUE.dump_json(value).decode()
            row = AnswerRow(agent, user_id, field, written, "", began_by, answered_by, now)
            _write_row(cursor, row)


def _write_row(cursor: Connection, row: AnswerRow) -> None:
    """Write a row as the agent's that has the slug now."""
    names = ", ".join(row._fields)
    marks = ", ".join("?" for _ in row)
    cursor.execute(
        f"INSERT INTO agent_answers ({names}, since) SELECT {marks}, since FROM agents "
        "WHERE slug = ?",
        [*row, row.agent],
    )

"""Tools over the review queue: what waits for a person, how much, and since when."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field

from data.records.core.record import Record
from data.records.core.tools import Fact, Item, Label, Source, ToolDeclaration, ToolResult
from data.records.mail.stage_outputs import Routed
from data.store.core import journal
from data.store.core.database import Connection
from data.store.mail import cases
from flows.core.tools import Calling, Tool
from flows.mail.knowing.mail_search import search

GROUP = "queue"
_SHOWN = 10
_FILTERS = ("category", "priority", "assignee")


class Waiting(Record):
    """Which waiting cases are asked for; what is empty leaves the choice open."""

    priority: str = Field(default="", description="`urgent`, `high`, `normal` or `low`")
    category: str = ""
    assignee: str = Field(default="", description="address of a person")
    words: str = Field(default="", max_length=500, description="words of the mail or its sender")


async def _waiting_cases(calling: Calling, given: Waiting) -> ToolResult:
    asked = await search(calling.house, calling.workspace, given.words)

    def read(cursor: Connection) -> tuple[list[dict[str, Any]], int, dict[str, str]]:
        filters = {name: getattr(given, name) for name in _FILTERS}
        page, total = cases.queue(
            cursor,
            states=cases.QUEUE_STATES,
            filters=filters,
            search=asked.query,
            found=asked.ids,
            limit=_SHOWN,
            offset=0,
        )
        return page, total, journal.results(cursor, "route", [row["id"] for row in page])

    page, total, routes = await calling.workspace.db.read(read)
    now = calling.house.clock()
    return ToolResult(
        items=tuple(_item(row, routes.get(row["id"]), now) for row in page), total=total
    )


def _item(row: Mapping[str, Any], route: str | None, now: datetime) -> Item:
    """Return one waiting case; the words of the mail are a stranger's."""
    sender = row["contact_name"] or row["contact_email"]
    since = row["drafted_at"] or row["created_at"]
    facts = [
        Fact(name="from", value=sender),
        Fact(name="waits for", value=_lasting(now - since)),
        Fact(name="priority", value=row["priority"] or ""),
        Fact(name="category", value=row["category"] or ""),
        Fact(name="with", value=row["assignee"] or ""),
        Fact(name="why a person", value=Routed.model_validate_json(route).reason if route else ""),
    ]
    return Item(
        title=row["subject"] or "(no subject)",
        facts=tuple(fact for fact in facts if fact.value),
        text=row["preview"],
        source=Source(kind="case", id=row["id"], title=row["subject"] or "(no subject)"),
    )


def _lasting(passed: Any) -> str:  # noqa: ANN401  # a timedelta; DuckDB's rows are untyped
    minutes = int(passed.total_seconds() // 60)
    for size, word in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            number = minutes // size
            return f"{number} {word}{'' if number == 1 else 's'}"
    return "less than a minute"


QUEUE_TOOLS = (
    Tool(
        ToolDeclaration(
            name="waiting_cases",
            group=GROUP,
            description="Lists cases that wait for a person, urgent ones and the oldest first.",
            labels=frozenset({Label.PRIVATE, Label.UNTRUSTED}),
        ),
        Waiting,
        _waiting_cases,
    ),
)

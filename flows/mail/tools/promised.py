"""A tool over the ledger of promises: what replies that have left say we will do."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from pydantic import Field

from data.records.core.record import Record
from data.records.core.tools import (
    OWN,
    Fact,
    Item,
    Source,
    ToolResult,
    declare_lookup,
)
from data.records.mail.promises import PromiseState
from data.store.core.database import Connection
from data.store.core.statements import RowPage
from data.store.mail import contact_cards, promises
from data.store.mail.contact_cards import CardRow
from data.store.mail.promises import PromiseRow
from flows.core.tools import Calling, Tool
from flows.mail.tools.wording import say, say_period
from tasks.core.calendar.periods import period_in, split_question

_SHOWN, _CONTACTS = 10, 5


class Promised(Record):
    """Which promises are asked for; with nothing said, both open and overdue ones."""

    state: PromiseState | None = None
    words: str = Field(
        default="",
        max_length=500,
        description="to whom and when it was promised, e.g. `Ana Lind last week`; also kept ones",
    )
    language: str = Field(default="en", description="`en`, `de`, `fr` or `es`")


async def _list_promises(calling: Calling, promised: Promised) -> ToolResult:
    if promised.words:
        return await _promised_to(calling, promised)
    today = calling.workspace.organization.day(calling.house.clock())

    def read(cursor: Connection) -> list[RowPage[PromiseRow]]:
        states = [promised.state] if promised.state else ["overdue", "open"]
        return [
            promises.list_page(cursor, state=state, case="", today=today, limit=_SHOWN, offset=0)
            for state in states
        ]

    pages = await calling.workspace.db.read(read)
    rows = [row for page, _ in pages for row in page][:_SHOWN]
    return ToolResult(items=promise_items(rows), total=sum(total for _, total in pages))


async def _promised_to(calling: Calling, promised: Promised) -> ToolResult:
    """Return what somebody was promised, or what was promised on some days, kept or not."""
    organization = calling.workspace.organization
    today = organization.day(calling.house.clock())
    name_words, _ = split_question(promised.words, promised.language)
    period = period_in(promised.words, promised.language, today)

    def read(cursor: Connection) -> tuple[list[CardRow], list[PromiseRow], int]:
        cards = contact_cards.list_named(cursor, name_words, limit=_CONTACTS) if name_words else []
        emails = [card.email for card in cards] if name_words else None
        made = period.moments(ZoneInfo(organization.timezone)) if period is not None else None
        rows, total = promises.list_made(cursor, emails, made, today=today, limit=_SHOWN)
        return cards, rows, total

    cards, rows, total = await calling.workspace.db.read(read)
    if name_words and not cards:
        return ToolResult(sentence=say(calling, "contacts_none"), refused=True)
    to_whom = ", ".join(card.name or card.email for card in cards) or say(calling, "anybody")
    days = f" {say_period(calling, period)}" if period is not None else ""
    number = "none" if not total else "one" if total == 1 else "many"
    sentence = say(calling, f"promised_to_{number}", who=to_whom, days=days, total=total)
    return ToolResult(items=promise_items(rows), total=total, sentence=sentence)


def promise_items(rows: Sequence[PromiseRow]) -> tuple[Item, ...]:
    """Return promises as an agent is told them."""
    return tuple(
        Item(
            title=row.sentence,
            facts=(
                Fact(name="due", value=row.due_on.isoformat()),
                Fact(name="to", value=row.contact_email),
                Fact(name="state", value=row.state),
            ),
            source=Source(kind="case", id=row.case_id, title=row.sentence, quote=row.sentence),
        )
        for row in rows
    )


PROMISE_TOOLS = (
    Tool(
        declare_lookup(
            "list_promises",
            "queue",
            "Lists what replies promised and is not kept yet, overdue ones first, or to whom.",
            OWN,
        ),
        Promised,
        _list_promises,
    ),
)

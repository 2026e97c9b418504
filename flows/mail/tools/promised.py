"""A tool over the ledger of promises: what replies that have left say we will do."""

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
from data.store.mail import promises
from data.store.mail.promises import PromiseRow
from flows.core.tools import Calling, Tool

_SHOWN = 10


class Promised(Record):
    """Which promises are asked for; none of the two chooses both open and overdue ones."""

    state: PromiseState | None = None


async def _list_promises(calling: Calling, promised: Promised) -> ToolResult:
    today = calling.workspace.organization.day(calling.house.clock())

    def read(cursor: Connection) -> list[tuple[list[PromiseRow], int]]:
        states = [promised.state] if promised.state else ["overdue", "open"]
        return [
            promises.list_page(cursor, state=state, case="", today=today, limit=_SHOWN, offset=0)
            for state in states
        ]

    pages = await calling.workspace.db.read(read)
    rows = [row for page, _ in pages for row in page][:_SHOWN]
    items = tuple(
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
    return ToolResult(items=items, total=sum(total for _, total in pages))


PROMISE_TOOLS = (
    Tool(
        declare_lookup(
            "list_promises",
            "queue",
            "Lists what replies promised and is not kept yet, overdue ones first.",
            OWN,
        ),
        Promised,
        _list_promises,
    ),
)

"""Mail with several wishes, and what became of each part of it, for tests of the whole line."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from data.records.mail.views import CaseView
from flows.api.mail.review.case_view import case_view
from flows.delivery import delivery_batch
from tests.core.small import Line
from tests.mail.line.sending_by_itself import open_live

KNOWN = "How long does the repair of a table loom take?"
MONEY = "Also, I was charged twice on my last invoice, please refund the second payment."
BOTH = f"Hello,\n\n{KNOWN}\n\n{MONEY}\n"
ANSWER = "A repair of a table loom takes 12 working days."
FOLLOWS = "you will get a separate answer"


@asynccontextmanager
async def open_parts(
    home: Path, *, answer_parts: str = "when_ready", undo_seconds: int = 60
) -> AsyncIterator[Line]:
    """Open a line that sends by itself what is good enough, and may answer parts of a message."""
    async with open_live(home, undo_seconds) as line:
        given = {"answer_parts": answer_parts, "confidence_threshold": 0.8}
        line.workspace.policy = line.workspace.policy.model_copy(update=given)
        yield line


async def cases_of(line: Line) -> list[dict[str, Any]]:
    """Return the cases that nothing took over, in the order in which they came about."""
    return await line.rows(
        "SELECT * FROM cases WHERE state <> 'superseded' ORDER BY created_at, part_of NULLS FIRST"
    )


async def both(line: Line) -> tuple[CaseView, CaseView]:
    """Return the case that was answered first, and the one that has the rest."""
    first, rest = await cases_of(line)
    views = [await view(line, str(row["id"])) for row in (first, rest)]
    return views[0], views[1]


async def view(line: Line, case_id: str) -> CaseView:
    """Return a case as a reviewer gets it."""
    return await case_view(line.house, line.workspace, case_id)


def body(case: CaseView) -> str:
    """Return the newest draft's text."""
    return case.revisions[-1].draft.body


async def leave(line: Line) -> None:
    """Let the undo window end, and send what is due."""
    line.clock.forward(120)
    await delivery_batch(line.house, line.workspace)

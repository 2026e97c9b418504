"""Requests to models about a case, and the draft that one is writing."""

import asyncio
from collections.abc import AsyncGenerator

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from data.records.core.model_views import PartialDraft, RequestView
from data.store.core import histories
from data.store.mail import cases
from flows.api.core.context import HouseOf, WorkspaceOf
from flows.api.core.event_stream import stream_events
from flows.core.house import House

router = APIRouter(prefix="/v1/{org}", tags=["models"])
EVERY, LONGEST = 0.1, 300.0
"""Seconds between two looks at a draft, and that one stream lasts at most."""


@router.get("/cases/{case_id}/requests")
async def list_requests(case_id: str, workspace: WorkspaceOf) -> tuple[RequestView, ...]:
    """Return what models were asked about a case and its messages, and what they answered."""
    case = await workspace.db.read(cases.read_row, case_id)
    return await workspace.db.read(histories.list_of_items, [case_id, *case.message_ids])


@router.get("/cases/{case_id}/draft")
async def partial_draft(case_id: str, house: HouseOf, workspace: WorkspaceOf) -> PartialDraft:
    """Return the draft that a model is writing for a case, as far as it has come."""
    await workspace.db.read(cases.read_row, case_id)
    return _read_partial(house, workspace.slug, case_id)


@router.get("/cases/{case_id}/draft/stream")
async def stream_draft(case_id: str, house: HouseOf, workspace: WorkspaceOf) -> StreamingResponse:
    """Send the draft that a model is writing as server-sent events, until it is written."""
    await workspace.db.read(cases.read_row, case_id)
    slug = workspace.slug
    return stream_events(_stream_partial(house, slug, case_id))


async def _stream_partial(house: House, slug: str, case_id: str) -> AsyncGenerator[str]:
    """Yield an event whenever the text has grown, and a last one when nobody writes any more."""
    last: PartialDraft | None = None
    for _ in range(int(LONGEST / EVERY)):
        streamed = _read_partial(house, slug, case_id)
        if streamed != last:
            yield f"event: draft\ndata: {streamed.model_dump_json()}\n\n"
            last = streamed
        if not streamed.writing:
            return
        await asyncio.sleep(EVERY)


def _read_partial(house: House, slug: str, case_id: str) -> PartialDraft:
    written = house.thinker.partial if house.thinker is not None else {}
    parts = [own for own in sorted(written) if own[:2] == (slug, case_id)]
    text = "\n\n".join(written[own] for own in parts) if parts else None
    return PartialDraft(writing=text is not None, text=text or "")

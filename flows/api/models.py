"""Language models: who thinks, what it costs and may cost, and the draft that is being written."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from data.manifest_format import ModelTier
from data.records.core.caps import Cap, CapKey, CapView, SetCap
from data.records.core.model_views import (
    ModelsView,
    PartialDraft,
    RequestView,
    TriedModel,
    TryModel,
)
from data.store.agents import agents
from data.store.core import caps, histories, usage, users
from data.store.mail import cases
from flows.api.context import FOR_ADMINISTRATORS, HouseOf, PrincipalOf, WorkspaceOf
from flows.core.capping import check_subject
from flows.core.house import House
from flows.mail.thinking.model_figures import models_view
from flows.mail.thinking.model_trial import try_model

router = APIRouter(prefix="/v1/{org}", tags=["models"])
EVERY, LONGEST = 0.1, 300.0
"""Seconds between two looks at a draft, and that one stream lasts at most."""


@router.get("/models")
async def models(house: HouseOf, workspace: WorkspaceOf) -> ModelsView:
    """Return who thinks, the caps, and what this organization has used."""
    return await workspace.db.read(models_view, house.settings, house.clock())


@router.post("/models/try", dependencies=[FOR_ADMINISTRATORS])
async def try_a_model(
    order: TryModel, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> TriedModel:
    """Ask the model of a class one short question, within the caps; no mail goes to it.

    With settings that are not kept it is asked as they say, and they count for nothing else.
    """
    return await try_model(house, workspace, principal, ModelTier(order.tier), order.change)


@router.get("/caps")
async def list_caps(house: HouseOf, workspace: WorkspaceOf) -> tuple[CapView, ...]:
    """List the caps on what models use, those of the settings too, with what is used of each."""
    return await workspace.db.read(usage.caps_view, house.settings.model_caps, house.clock())


@router.put("/caps", dependencies=[FOR_ADMINISTRATORS])
async def set_cap(
    order: Cap, house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> SetCap:
    """Set a cap, in the place of one for the same; it counts from the next call on."""
    user_ids = {user.id for user in await house.control.read(users.users)}
    team_ids = {team.id for team in await house.control.read(users.teams, workspace.slug)}
    slugs = {agent.slug for agent in await workspace.db.read(agents.installed)}
    await asyncio.to_thread(check_subject, order, workspace.folder, user_ids, team_ids, slugs)
    return await workspace.db.write(caps.put, order, actor=principal.name, now=house.clock())


@router.delete("/caps", status_code=204, dependencies=[FOR_ADMINISTRATORS])
async def remove_cap(
    key: Annotated[CapKey, Query()], house: HouseOf, workspace: WorkspaceOf, principal: PrincipalOf
) -> None:
    """Take a cap away that was set, so that what the settings say holds again."""
    await workspace.db.write(caps.remove, key, actor=principal.name, now=house.clock())


@router.get("/cases/{case_id}/requests")
async def list_requests(case_id: str, workspace: WorkspaceOf) -> tuple[RequestView, ...]:
    """Return what models were asked about a case and its messages, and what they answered."""
    case = await workspace.db.read(cases.read_row, case_id)
    return await workspace.db.read(histories.of_items, [case_id, *case.message_ids])


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
    return StreamingResponse(_stream_partial(house, slug, case_id), media_type="text/event-stream")


async def _stream_partial(house: House, slug: str, case_id: str) -> AsyncIterator[str]:
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

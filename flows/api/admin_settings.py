"""The settings as they are, filters of others, and what is kept how long."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from data.records.core.kept_settings import (
    RestoreSettings,
    SetSettings,
    SettingsChange,
    SettingsEffect,
    SettingsVersions,
)
from data.records.core.model_views import ModelSetup
from data.records.core.retention_views import RetentionView
from data.records.core.setting_views import FilterList, OutgoingView, SettingList
from data.records.core.version_diff import VersionDiff
from data.settings import config_path
from data.store.agents import chats
from data.store.core import kept_settings, upkeeps
from flows.api.core.context import FOR_ADMINISTRATORS, AdminOf, HouseOf, WorkspaceOf
from flows.core.kept_settings import list_changeable
from flows.core.model_setup import describe_model_setup
from flows.core.retention import list_retention_times
from flows.core.setting_list import list_settings
from flows.health.filters import list_filters
from flows.health.outgoing import look_at_outgoing
from flows.mail.people import changing_settings

router = APIRouter(prefix="/v1", tags=["administration"])


@router.get("/settings", dependencies=[FOR_ADMINISTRATORS])
async def show_settings(house: HouseOf) -> SettingList:
    """List every setting with its value, and where that comes from; no secret is told."""
    return SettingList(
        file=str(config_path().absolute()), items=tuple(list_settings(house.settings, house.kept))
    )


@router.put("/settings")
async def change_settings(order: SetSettings, house: HouseOf, admin: AdminOf) -> SettingsEffect:
    """Keep settings that may be changed while Postern runs; they count at once."""
    return await changing_settings.change_settings(house, order, admin, chats.list_idle_of_programs)


@router.post("/settings/preview", dependencies=[FOR_ADMINISTRATORS])
async def preview_settings(change: SettingsChange, house: HouseOf) -> SettingsEffect:
    """Say what a change would delete, and when; nothing is kept."""
    return await changing_settings.preview_settings(house, change, chats.list_idle_of_programs)


@router.get("/settings/versions", dependencies=[FOR_ADMINISTRATORS])
async def list_versions(house: HouseOf) -> SettingsVersions:
    """List what was kept here after each change, the newest first; no secret is told."""
    return SettingsVersions(items=await house.control.read(kept_settings.list_versions))


@router.get("/settings/diff", dependencies=[FOR_ADMINISTRATORS])
async def compare_versions(
    house: HouseOf,
    before: Annotated[int, Query(ge=0, description="0: the defaults, before the first")],
    after: Annotated[int, Query(ge=0)],
) -> VersionDiff:
    """Return how two versions of the settings that are kept here differ."""
    return await house.control.read(changing_settings.compare, before, after)


@router.post("/settings/restore")
async def restore_settings(
    order: RestoreSettings, house: HouseOf, admin: AdminOf
) -> SettingsEffect:
    """Let earlier settings count again, as one more version; passwords stay as they are."""
    return await changing_settings.restore_settings(
        house, order, admin, chats.list_idle_of_programs
    )


@router.get("/filters", dependencies=[FOR_ADMINISTRATORS])
async def show_filters(
    house: HouseOf,
    ask: Annotated[bool, Query(description="whether those that are on are asked")] = False,
) -> FilterList:
    """List the spam filters of others, whether each is on, and asked, whether it answers."""
    return await list_filters(house.settings, list_changeable(house), house.kept, ask=ask)


@router.get("/outgoing", dependencies=[FOR_ADMINISTRATORS])
async def show_outgoing(
    house: HouseOf,
    ask: Annotated[bool, Query(description="whether the relay is signed in to")] = False,
) -> OutgoingView:
    """Say how approved replies leave, and asked, whether the relay lets us in; no mail goes."""
    return await look_at_outgoing(house.settings, list_changeable(house), house.kept, ask=ask)


@router.get("/model-setup", dependencies=[FOR_ADMINISTRATORS])
async def show_model_setup(house: HouseOf) -> ModelSetup:
    """Say who thinks, with which models and prices, and whether that may be changed here."""
    return await asyncio.to_thread(describe_model_setup, house)


@router.get("/{org}/retention")
async def show_retention(house: HouseOf, workspace: WorkspaceOf) -> RetentionView:
    """Say what is kept how long, where that is set, and what was removed lately."""
    return RetentionView(
        kept=list_retention_times(house.settings, list_changeable(house), house.kept),
        upkeeps=await workspace.db.read(upkeeps.list_upkeeps),
    )

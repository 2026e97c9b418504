"""The settings as they are, and where each is set; for administrators."""

from fastapi import APIRouter

from data.records.core.setting_views import SettingList
from data.settings import config_path
from flows.api.context import FOR_ADMINISTRATORS, HouseOf
from flows.core.setting_list import list_settings

router = APIRouter(prefix="/v1", tags=["administration"])


@router.get("/settings", dependencies=[FOR_ADMINISTRATORS])
async def show_settings(house: HouseOf) -> SettingList:
    """List every setting with its value, and where that comes from; no secret is told."""
    return SettingList(
        file=str(config_path().absolute()), items=tuple(list_settings(house.settings))
    )

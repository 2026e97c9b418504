"""A search, by the running engine or, without one, in the state itself."""

from typing import Any

from data.settings import Settings
from flows.api.message_page import message_page
from flows.cli.in_house import in_house
from flows.core.house import House
from flows.core.workspace import Workspace
from flows.operating.control_state import organization_named
from flows.operating.engine_api import Engine


def found_mail(settings: Settings, slug: str | None, typed: str, limit: int) -> dict[str, Any]:
    """Return one page of an organization's inbox, as the API answers it.

    Raises:
        SearchError: the search cannot be understood.
        NotFoundError: there is no such organization.
        StoreBusyError: an engine holds the state and does not answer.

    """
    organization = organization_named(settings, slug).slug
    engine = Engine.find(settings)
    if engine is not None:
        page: dict[str, Any] = engine.get(f"/v1/{organization}/messages", q=typed, limit=limit)
        return page

    async def act(house: House, workspace: Workspace) -> dict[str, Any]:
        page = await message_page(house, workspace, typed, limit=limit)
        return page | {"items": [line.model_dump(mode="json") for line in page["items"]]}

    return in_house(settings, organization, act)

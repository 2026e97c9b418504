"""A search, by the running engine or, without one, in the state itself."""

from typing import Any

from data.settings import Settings
from data.store import messages
from flows.api.lines import message_line
from flows.cli.control_state import organization_named
from flows.cli.engine_api import Engine
from flows.cli.in_house import in_house
from flows.knowing.mail_search import search
from flows.wiring import House
from flows.workspace import Workspace


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
        found = await search(house, workspace, typed)
        rows, total = await workspace.db.read(
            messages.lines,
            status=None,
            search=found.query,
            found=found.ids,
            limit=limit,
            offset=0,
        )
        items = [message_line(row).model_dump(mode="json") for row in rows]
        return {"items": items, "total": total, "unsearched": found.unsearched}

    return in_house(settings, organization, act)

"""Handling rules: from the engine when it runs, else from the state itself."""

import asyncio

from data.records.mail.rules import RuleView
from data.settings import Settings
from data.store.core.database import Database
from flows.mail.people import ruling
from flows.operating.control_state import organization_named
from flows.operating.engine_api import Engine


def known_rules(settings: Settings, slug: str | None) -> list[RuleView]:
    """Return every rule, newest first.

    Raises:
        NotFoundError: there is no such organization.
        StoreBusyError: an engine holds the state and does not answer.

    """
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    if engine is not None:
        items = engine.get(f"/v1/{organization.slug}/rules")["items"]
        return [RuleView.model_validate(item) for item in items]
    return asyncio.run(_read(settings, organization.slug))


async def _read(settings: Settings, slug: str) -> list[RuleView]:
    path = settings.organizations / slug / "state.duckdb"
    database = await asyncio.to_thread(Database, path, "organization")
    try:
        return await database.read(ruling.views)
    finally:
        database.close()

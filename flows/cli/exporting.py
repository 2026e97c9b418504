"""A table from the running engine, or from the state when none runs."""

import asyncio

import polars as pl

from data.settings import Settings
from data.store.core.database import Database
from flows.export import export_frame, read_parquet
from flows.operating.control_state import organization_named
from flows.operating.engine_api import Engine


def read_frame(settings: Settings, slug: str | None, what: str) -> pl.DataFrame:
    """Return the table `what` of an organization.

    Raises:
        NotFoundError: there is no such organization.
        StoreBusyError: an engine holds the state and does not answer.

    """
    organization = organization_named(settings, slug)
    engine = Engine.find(settings)
    if engine is not None:
        return read_parquet(engine.fetch(f"/v1/{organization.slug}/export/{what}"))
    return asyncio.run(_read(settings, organization.slug, what))


async def _read(settings: Settings, slug: str, what: str) -> pl.DataFrame:
    path = settings.organizations / slug / "state.duckdb"
    database = await asyncio.to_thread(Database, path, "organization")
    try:
        return await database.read(export_frame, what)
    finally:
        database.close()

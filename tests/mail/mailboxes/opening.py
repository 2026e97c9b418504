"""A desk over a home that no engine holds."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from connectors.routes import RouteTable
from connectors.spool import Spool
from data.records.core.organization import Organization
from data.settings import Settings
from data.store.core import control
from data.store.core.database import Database
from flows.mail.polling.desk import MailboxDesk


@asynccontextmanager
async def open_desk(settings: Settings, organization: Organization) -> AsyncIterator[MailboxDesk]:
    """Open what polling needs while no engine runs.

    Raises:
        StoreBusyError: another process holds the state.

    """
    folder = settings.organizations / organization.slug
    state = Database(settings.home / "control.duckdb", "control")
    try:
        keys = await state.read(control.read_keys, organization.slug)
    finally:
        state.close()
    db = Database(folder / "state.duckdb", "organization")
    try:
        yield MailboxDesk(
            organization=organization,
            folder=folder,
            loop_secret=keys.loop_secret,
            db=db,
            spool=Spool.from_settings(settings),
            routes=RouteTable(settings.routes_file),
            largest=settings.message_size_limit,
        )
    finally:
        db.close()

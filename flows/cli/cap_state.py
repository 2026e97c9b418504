"""Caps on what models use: through the engine when it runs, else in the state itself."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from data.records.core.caps import Cap, CapKey, CapView
from data.settings import Settings
from data.store.core import caps, usage
from data.store.core.database import Connection, Database
from flows.cli.user_state import known_users
from flows.core.capping import check_subject
from flows.operating.engine_api import Engine
from flows.operating.given import command_line_principal

Answer = TypeVar("Answer")


def known_caps(settings: Settings, slug: str) -> list[CapView]:
    """Return the caps of an organization, with what is used of each.

    Raises:
        StoreBusyError: an engine holds the state and does not answer.

    """
    engine = Engine.find(settings)
    if engine is not None:
        return [CapView.model_validate(one) for one in engine.get(f"/v1/{slug}/caps")]
    return list(
        _in_state(
            settings, slug, lambda cursor: usage.caps_view(cursor, settings.model_caps, _now())
        )
    )


def set_cap(settings: Settings, slug: str, cap: Cap) -> None:
    """Set a cap.

    Raises:
        NotFoundError: whom it names is not there.

    """
    engine = Engine.find(settings)
    if engine is not None:
        engine.put(f"/v1/{slug}/caps", cap.model_dump(mode="json"))
        return
    users = {user.id for user in known_users(settings)}
    check_subject(cap, settings.organizations / slug, users)
    actor = command_line_principal().name
    _in_state(settings, slug, lambda cursor: caps.put(cursor, cap, actor=actor, now=_now()))


def remove_cap(settings: Settings, slug: str, key: CapKey) -> None:
    """Take a cap away that was set.

    Raises:
        NotFoundError: none was.

    """
    engine = Engine.find(settings)
    if engine is not None:
        engine.delete(f"/v1/{slug}/caps", **key.model_dump(mode="json"))
        return
    actor = command_line_principal().name
    _in_state(settings, slug, lambda cursor: caps.remove(cursor, key, actor=actor, now=_now()))


def _in_state(settings: Settings, slug: str, work: Callable[[Connection], Answer]) -> Answer:
    async def open_and_work() -> Answer:
        path = settings.organizations / slug / "state.duckdb"
        database = await asyncio.to_thread(Database, path, "organization")
        try:
            return await database.write(work)
        finally:
            await asyncio.to_thread(database.close)

    return asyncio.run(open_and_work())


def _now() -> datetime:
    return datetime.now(UTC)

"""Tokens and webhook secrets: through the engine when it runs, else in the control state."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Concatenate, ParamSpec, TypeVar

from data.records.core.organization import Organization
from data.records.core.tokens import NewToken, TokenEntry
from data.settings import Settings
from data.store.core import control
from data.store.core.database import Connection, Database
from flows.operating.engine_api import Engine, operator_token

Result = TypeVar("Result")
Given = ParamSpec("Given")


def known_tokens(settings: Settings) -> list[TokenEntry]:
    """Return every token that was ever made, by user."""
    engine = Engine.find(settings)
    if engine is not None:
        return [TokenEntry.model_validate(one) for one in engine.get("/v1/tokens")]
    return asyncio.run(_write(settings, control.tokens))


def add_token(settings: Settings, given: NewToken) -> str:
    """Make a token; return it, which is the only time that anybody sees it."""
    engine = Engine.find(settings)
    if engine is not None:
        return str(engine.post("/v1/tokens", given.model_dump(mode="json"))["token"])
    now = datetime.now(UTC)
    if given.user_id:
        return asyncio.run(_write(settings, control.add_token_of, given.user_id, now))
    wanted = (given.user, given.role, given.organization, now)
    return asyncio.run(_write(settings, control.add_token, *wanted))


def revoke_token(settings: Settings, token_id: str) -> None:
    """Take a token back.

    Raises:
        NotFoundError: no token in use has this id.
        ConflictError: it is the operator's own.

    """
    engine = Engine.find(settings)
    if engine is not None:
        engine.delete(f"/v1/tokens/{token_id}")
        return
    own = operator_token(settings)
    asyncio.run(_write(settings, control.revoke_token, token_id, own, datetime.now(UTC)))


def webhook_secret(settings: Settings, organization: Organization) -> str:
    """Return the secret that signs what others hand in for an organization."""
    engine = Engine.find(settings)
    if engine is not None:
        found = engine.get(f"/v1/organizations/{organization.slug}/webhook")
        return str(found["webhook_secret"])
    return asyncio.run(_write(settings, control.keys, organization.slug)).webhook_secret


async def _write(
    settings: Settings,
    work: Callable[Concatenate[Connection, Given], Result],
    *args: Given.args,
    **kwargs: Given.kwargs,
) -> Result:
    """Work on the control state of an engine that does not run."""
    database = Database(settings.home / "control.duckdb", "control")
    try:
        return await database.write(work, *args, **kwargs)
    finally:
        database.close()

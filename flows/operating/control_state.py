"""Organizations: through the engine when it runs, else in the control state itself."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

from connectors.routes import write_routes
from data.errors import NotFoundError
from data.records.core.organization import Dkim, Organization, Route
from data.settings import Settings
from data.store.core import control
from data.store.core.database import Connection, Database
from flows.mail.leaving.endpoint_keys import completed
from flows.operating.engine_api import Engine

Result = TypeVar("Result")
Given = ParamSpec("Given")


def known_organizations(settings: Settings) -> list[Organization]:
    """Return every organization by slug.

    Raises:
        StoreError: no engine answers and the control state cannot be opened.

    """
    engine = Engine.find(settings)
    if engine is not None:
        listed = engine.get("/v1/organizations")
        return [Organization.model_validate(item) for item in _items(listed)]
    if not (settings.home / "control.duckdb").exists():
        return []
    return asyncio.run(_read(settings, control.organizations))


def organization_named(settings: Settings, slug: str | None) -> Organization:
    """Return the organization of that slug; without one, the only one there is.

    Raises:
        NotFoundError: there is none, or there are several and no slug was given.

    """
    known = {item.slug: item for item in known_organizations(settings)}
    if not known:
        raise NotFoundError(no_organization())
    if slug is None and len(known) == 1:
        return next(iter(known.values()))
    if slug is None:
        raise NotFoundError(f"say which organization with --organization: {', '.join(known)}")
    if slug not in known:
        raise NotFoundError(f"there is no organization {slug!r}; there are: {', '.join(known)}")
    return known[slug]


def no_organization() -> str:
    """Return the sentence that says how to make the first organization."""
    return (
        "there is no organization yet; make one with `postern organization add SLUG "
        "--name NAME --address ADDRESS`, or look at the sample with `postern demo`"
    )


def add_organization(settings: Settings, organization: Organization) -> None:
    """Make an organization with its routes.

    Raises:
        ConflictError: its slug or an address is taken.
        StoreBusyError: an engine holds the state and does not answer yet.

    """
    engine = Engine.find(settings)
    if engine is not None:
        engine.post("/v1/organizations", organization.model_dump(mode="json"))
        return
    settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    asyncio.run(_add(settings, organization))


def set_dkim(settings: Settings, organization: Organization, dkim: Dkim | None) -> None:
    """Store how an organization signs its replies; None for not at all."""
    engine = Engine.find(settings)
    if engine is not None:
        body = {"dkim": dkim.model_dump(mode="json") if dkim else None}
        engine.put(f"/v1/organizations/{organization.slug}/dkim", body)
        return
    asyncio.run(_change(settings, control.set_dkim, organization.slug, dkim))


def known_routes(settings: Settings) -> list[Route]:
    """Return every route by pattern.

    Raises:
        StoreError: no engine answers and the control state cannot be opened.

    """
    engine = Engine.find(settings)
    if engine is not None:
        return [Route.model_validate(item) for item in _items(engine.get("/v1/routes"))]
    if not (settings.home / "control.duckdb").exists():
        return []
    return asyncio.run(_read(settings, control.routes))


def set_route(settings: Settings, route: Route) -> Route:
    """Make a route, or change one; return it with the name of its key.

    Raises:
        ConflictError: the pattern belongs to another organization.
        ManifestError: an endpoint's URL is missing or cannot be called.

    """
    engine = Engine.find(settings)
    if engine is not None:
        return Route.model_validate(engine.post("/v1/routes", route.model_dump(mode="json")))
    route = completed(settings, route)
    asyncio.run(_change(settings, control.set_route, route))
    return route


def remove_route(settings: Settings, pattern: str) -> None:
    """Forget a route.

    Raises:
        NotFoundError: there is no such route.

    """
    engine = Engine.find(settings)
    if engine is not None:
        engine.delete("/v1/routes", pattern=pattern)
        return
    asyncio.run(_change(settings, control.remove_route, pattern))


def load_now(settings: Settings, slug: str) -> dict[str, Any] | None:
    """Have the engine load an organization's sources; return what it tells, None when none runs.

    Keys: changed, errors and warnings; see `flows.sync.Synced`.
    """
    engine = Engine.find(settings)
    if engine is None:
        return None
    told: dict[str, Any] = engine.post(f"/v1/organizations/{slug}/sync", {})
    return told


async def _add(settings: Settings, organization: Organization) -> None:
    now = datetime.now(UTC)
    await _change(settings, control.add_organization, organization, control.new_keys(), now)


async def _change(
    settings: Settings,
    change: Callable[Concatenate[Connection, Given], object],
    *args: Given.args,
    **kwargs: Given.kwargs,
) -> None:
    """Change the control state of an engine that does not run, and write the routes' file."""
    database = Database(settings.home / "control.duckdb", "control")
    try:
        await database.write(change, *args, **kwargs)
        routes: list[Route] = await database.read(control.routes)
        write_routes(settings.routes_file, routes, len(routes))
    finally:
        database.close()


async def _read(settings: Settings, work: Callable[[Connection], Result]) -> Result:
    database = Database(settings.home / "control.duckdb", "control")
    try:
        return await database.read(work)
    finally:
        database.close()


def _items(listed: Any) -> list[Any]:  # noqa: ANN401  # JSON
    return list(listed["items"] if isinstance(listed, dict) else listed)

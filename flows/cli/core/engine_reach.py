"""The engine that a command reaches, and the organization that it is about."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from flows.operating.engine_api import Engine

OrganizationOption = Annotated[
    str | None, typer.Option("--organization", help="Slug; the only organization when left out.")
]
"""The option by which a command is told which organization is meant."""


def engine_and_slug(ctx: typer.Context, organization: str | None) -> "tuple[Engine, str]":
    """Return the engine, and the slug of the organization; the only one where none is named.

    Raises:
        NotFoundError: there is none, or there are several and none was named.

    """
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    return engine, organization_named(engine, organization).slug


def engine_at(ctx: typer.Context, organization: str | None) -> tuple["Engine", str]:
    """Return the engine, and the path below which an organization is."""
    engine, slug = engine_and_slug(ctx, organization)
    return engine, f"/v1/{slug}"

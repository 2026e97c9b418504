"""`postern route list | set | remove`: what happens to mail for an address."""

from typing import Annotated, Literal

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import print_json_lines, print_table, say, settings_of

group = typer.Typer(
    help="Routes: which mail is accepted, and what happens to it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
RouteModeName = Literal["agent", "accept", "hold", "endpoint", "bounce", "reject"]
"""The values of `RouteMode`, which is not loaded for a help text."""
PatternArgument = Annotated[str, typer.Argument(help="An address, *@domain or local@*.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="route", short_help="List, set and remove routes.")


@group.command("list")
def show_all(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show every route: pattern, organization, mode, and where an endpoint is."""
    from data.records.core.organization import Route
    from flows.operating.engine_api import engine_of

    routes = [Route.model_validate(item) for item in engine_of(ctx).get("/v1/routes")]
    if json:
        print_json_lines(routes)
        return
    print_table(
        ("pattern", "organization", "mode", "forwarded to"),
        ((route.pattern, route.organization, str(route.mode), route.url) for route in routes),
    )


@group.command("set")
def set_route(
    ctx: typer.Context,
    pattern: PatternArgument,
    mode: Annotated[RouteModeName, typer.Option(help="What happens to its mail.")],
    organization: Annotated[
        str | None, typer.Option(help="Its slug; the only one when left out.")
    ] = None,
    url: Annotated[
        str, typer.Option(help="Where to forward to, with mode endpoint: an https URL.")
    ] = "",
    key: Annotated[
        str,
        typer.Option(help="Name of the key that signs; the organization's slug when left out."),
    ] = "",
) -> None:
    """Make a route, or change one. The most specific pattern counts.

    \b
    postern route set "*@harbor.example" --mode hold
    postern route set orders@harbor.example --mode endpoint --url https://shop.example/mail
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError
    from data.records.core.organization import Route, RouteMode
    from flows.mail.leaving import endpoint_keys

    if not all(pattern.rpartition("@")[::2]):
        raise ManifestError(f"{pattern!r} is no pattern; write name@domain, *@domain or local@*")
    engine, slug = engine_and_slug(ctx, organization)
    wanted_route = Route(
        pattern=pattern, organization=slug, mode=RouteMode(mode), url=url, secret=key
    )
    route = Route.model_validate(engine.post("/v1/routes", wanted_route.model_dump(mode="json")))
    say(f"Mail for {route.pattern} has mode {route.mode} for {slug!r}.")
    if route.url:
        path = endpoint_keys.folder(settings_of(ctx)) / route.secret
        say(f"It is forwarded to {route.url}, signed with the key in {path};")
        say("give that key to whoever runs the endpoint.")


@group.command("remove")
def remove(ctx: typer.Context, pattern: PatternArgument) -> None:
    """Forget a route; its mail is refused from then on."""
    from flows.operating.engine_api import engine_of

    engine_of(ctx).delete("/v1/routes", pattern=pattern)
    say(f"The route {pattern!r} is gone; `postern route list` shows what is left.")

"""`postern filters` and `postern retention`: who else screens mail, and what is kept how long."""

from typing import Annotated

import typer

from flows.operating.given import console, inert, say

Slug = Annotated[
    str | None, typer.Option("--organization", help="Slug; the only organization when left out.")
]
Json = Annotated[bool, typer.Option("--json", help="As one JSON object.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Show spam filters of others, and whether they answer.")(filters)
    app.command(short_help="Show what is kept how long, and what was removed.")(retention)


def filters(
    ctx: typer.Context,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask those that are on; no mail goes.")
    ] = False,
    json: Json = False,
) -> None:
    """Show whether SpamAssassin and rspamd are asked about mail, and how to switch them on."""
    from data.records.core.setting_views import FilterList
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    given = engine.get("/v1/filters", ask="true") if ask else engine.get("/v1/filters")
    known = FilterList.model_validate(given)
    if json:
        print(known.model_dump_json())  # output of the command
        return
    for one in known.items:
        if not one.address:
            say(f'{one.name} is off. To switch it on: {one.setting} = "{one.example}"')
            continue
        answers = {None: "was not asked now", True: "answers", False: "does not answer"}
        say(
            f"{one.name} at {inert(one.address, 200)} {answers[one.answers]}. {one.trouble}".strip()
        )


def retention(ctx: typer.Context, organization: Slug = None, json: Json = False) -> None:
    """Show what is kept how long, which setting says so, and what the last upkeep removed."""
    from rich.table import Table
    from rich.text import Text

    from data.records.core.retention_views import RetentionView
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    slug = organization_named(engine, organization).slug
    view = RetentionView.model_validate(engine.get(f"/v1/{slug}/retention"))
    if json:
        print(view.model_dump_json())  # output of the command
        return
    table = Table("what", "kept", "setting", box=None, pad_edge=False)
    for one in view.kept:
        table.add_row(Text(one.what), one.words, one.setting or "fixed")
    console().print(table)
    if not view.upkeeps:
        say("The nightly upkeep has not run yet.")
        return
    last = view.upkeeps[0]
    say(f"Last upkeep, {last.tidied_at:%Y-%m-%d %H:%M} UTC: {last.sentence}")

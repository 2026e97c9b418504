"""`postern calendar …`: calendar files (RFC 5545) in and out."""

from pathlib import Path
from typing import Annotated

import typer

from data.counting import plural
from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import make_inert, say

group = typer.Typer(
    help="The organization's events and one's own, as files of other calendars.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="calendar", short_help="Take calendar files over, and write one.")


@group.command("import")
def import_file(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="A calendar file (.ics).", exists=True, dir_okay=False)
    ],
    organization: OrganizationOption = None,
    everybody: Annotated[
        bool, typer.Option("--everybody", help="As events of the organization, not one's own.")
    ] = False,
) -> None:
    """Take the events of a calendar file over; what is there already becomes as the file has it."""
    from data.records.core.calendar import CalendarFile, Imported

    ics = file.read_text(encoding="utf-8", errors="replace")
    engine, slug = engine_and_slug(ctx, organization)
    body = CalendarFile(ics=ics, for_everybody=everybody).model_dump(mode="json")
    imported = Imported.model_validate(engine.post(f"/v1/{slug}/calendar", body))
    for left in imported.left_out:
        say(f"Left out: {make_inert(left)}")
    say(f"{plural(imported.added, 'event')} added, {imported.changed} changed.")


@group.command("export")
def export_file(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write it.")],
    organization: OrganizationOption = None,
) -> None:
    """Write the organization's events and one's own into a calendar file."""
    engine, slug = engine_and_slug(ctx, organization)
    file.write_bytes(engine.fetch(f"/v1/{slug}/calendar.ics"))
    say(f"Written to {file}.")

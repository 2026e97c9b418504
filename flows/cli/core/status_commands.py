"""`postern status | export | config`: looking at what is there."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import console, hand_over, print_json_lines, say, settings_of

if TYPE_CHECKING:
    from data.records.core.setting_views import SettingView

TABLES = "messages, threads, cases, branches, actions, decisions, deliveries, tickets or promises."
"""What `flows.export.WHAT` holds, which is not loaded for a help text."""


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Show what runs, and where the mail is.")(status)
    app.command(short_help="Write a whole table to a file.")(export)
    app.command(short_help="Show every setting and its source.")(config)


def status(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show what runs, what waits in the spool, and where the mail of each organization is."""
    import orjson

    from flows.operating.status_report import draw_status, read_status

    status_read = read_status(settings_of(ctx))
    if json:
        print(orjson.dumps(status_read, option=orjson.OPT_INDENT_2).decode())  # output
        return
    draw_status(status_read, console())


def export(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(help=TABLES)],
    organization: Annotated[
        str | None, typer.Option(help="Slug; the only organization when left out.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="jsonl, parquet or csv.")] = "jsonl",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; else standard output.")
    ] = None,
) -> None:
    """Write a whole table, from the running engine or, without one, from the state itself.

    \b
    postern export messages --format csv -o messages.csv
    postern export decisions --organization harbor | jq .reason
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import NotFoundError
    from flows.export import FORMATS, WHAT, encode, read_parquet

    if what not in WHAT:
        raise NotFoundError(f"{what!r} cannot be exported; choose one of {', '.join(WHAT)}")
    if form not in FORMATS:
        raise NotFoundError(f"there is no format {form!r}; choose one of {', '.join(FORMATS)}")
    if form == "parquet" and output is None and sys.stdout.isatty():
        raise NotFoundError("Parquet is not for the terminal; name a file with -o")
    engine, slug = engine_and_slug(ctx, organization)
    frame = read_parquet(engine.fetch(f"/v1/{slug}/export/{what}"))
    content = encode(frame, form)
    if hand_over(content, output):
        rows = what if frame.height != 1 else "row of " + what
        say(f"Wrote {frame.height} {rows} to {output}.")


def _settings_here(ctx: typer.Context) -> "list[SettingView]":
    """Return the settings as this folder gives them, and what is kept in Postern beside that."""
    from contextlib import suppress

    from data.errors import PosternError
    from data.records.core.setting_views import SettingList
    from flows.core.setting_list import KEPT_HERE, list_settings
    from flows.operating.engine_api import engine_of

    here = list_settings(settings_of(ctx))
    from_postern: dict[str, SettingView] = {}
    with suppress(PosternError):  # what this folder gives can be told in any case
        listed = SettingList.model_validate(engine_of(ctx).get("/v1/settings")).items
        from_postern = {setting.name: setting for setting in listed if setting.source == KEPT_HERE}
    return [
        from_postern.get(setting.name, setting) if setting.source == "default" else setting
        for setting in here
    ]


def config(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per setting.")] = False,
) -> None:
    """Show every setting: its value, where that comes from, and what it means.

    Passwords and keys are never shown.
    """
    from rich.table import Table
    from rich.text import Text

    settings = _settings_here(ctx)
    if json:
        print_json_lines(settings)
        return
    table = Table("setting", "value", "from", "meaning", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    for setting in settings:
        style = "" if setting.source == "default" else "bold"
        table.add_row(
            Text(setting.name, style), Text(setting.value, style), setting.source, setting.help
        )
    console().print(table, markup=False)

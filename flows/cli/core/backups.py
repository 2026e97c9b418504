"""`postern backups list | verify`: which backups were made, and whether one is whole."""

import time
from typing import Annotated

import typer

from data.counting import plural
from flows.operating.command_context import make_inert, print_json_lines, print_table, say

group = typer.Typer(help="Backups that were made.", no_args_is_help=True, rich_markup_mode=None)
LOOK_EVERY = 0.5
"""Seconds between two looks at a backup that is being read."""


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="backups", short_help="List backups, and verify one.")


@group.command("list")
def list_backups(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show the backups that were made or tried, the newest first."""
    from data.records.core.backup_views import BackupList
    from flows.operating.engine_api import engine_of

    items = BackupList.model_validate(engine_of(ctx).get("/v1/backups")).items
    if json:
        print_json_lines(items)
        return
    if not items:
        say("None was made yet; `postern backup` makes one.")
        return
    lines = []
    for item in items:
        again = f"{item.verified_at:%Y-%m-%d %H:%M} UTC" if item.verified_at else "never"
        cells = (
            item.id,
            f"{item.begun_at:%Y-%m-%d %H:%M} UTC",
            item.state.value + ("" if item.there or item.state != "made" else ", folder is gone"),
            str(sum(item.organizations.values())),
            item.folder,
            f"{again}: {item.verify_fault}" if item.verify_fault else again,
        )
        lines.append(cells)
    head = ("id", "begun", "state", "messages", "folder", "read again")
    print_table(head, lines, longest=120)


@group.command("verify")
def verify(
    ctx: typer.Context, id: Annotated[str, typer.Argument(help="As `list` shows it.")]
) -> None:
    """Read every file of a backup and compare it with what was copied; needs a running engine.

    Without one, `postern restore FOLDER --check` does the same.
    """
    from data.errors import NotFoundError
    from data.records.core.backup_views import BackupList
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    if not engine.running:
        raise NotFoundError("no engine runs; `postern restore FOLDER --check` reads a backup")
    engine.post(f"/v1/backups/{id}/verify", {})
    while True:
        items = BackupList.model_validate(engine.get("/v1/backups")).items
        entry = next(item for item in items if item.id == id)
        if not entry.busy:
            break
        time.sleep(LOOK_EVERY)
    if entry.verify_fault:
        say(f"It is not whole: {make_inert(entry.verify_fault)}")
        raise typer.Exit(1)
    say(f"It is whole: {plural(entry.files, 'file')}, {entry.size} bytes.")

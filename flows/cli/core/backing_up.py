"""`postern backup | restore`: a verified copy of the home, and putting it back."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from data.counting import plural
from flows.operating.command_context import say, settings_of


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Copy everything that cannot be made anew, also while it runs.")(backup)
    app.command(short_help="Check a backup, and put it back.")(restore)


def backup(
    ctx: typer.Context,
    to: Annotated[
        Path | None, typer.Option(help="Folder to make (default: backups/TIME under the home).")
    ] = None,
) -> None:
    """Copy states, archives, spool, sources and keys into a folder, and check the copies.

    The engine may run: mail is taken in and answered meanwhile. The folder holds secrets and mail;
    copy it to another machine.

    \b
    postern backup --to /mnt/backup/postern-monday
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import StoreError
    from data.store.core.backups import BackUp, Made
    from flows.operating.engine_api import engine_of

    settings, engine = settings_of(ctx), engine_of(ctx)
    folder = to or settings.home / "backups" / f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    if not engine.running and not (settings.home / "control.duckdb").exists():
        raise StoreError(f"{str(settings.home)!r} holds no state; there is nothing to back up")
    order = BackUp(folder=str(folder.absolute()))
    made_backup = Made.model_validate(engine.post("/v1/backup", order.model_dump()))
    print(made_backup.folder)  # output of the command
    counts = made_backup.organizations.items()
    counts_text = ", ".join(f"{plural(number, 'message')} of {slug}" for slug, number in counts)
    say(
        f"Copied {plural(made_backup.files, 'file')}, {made_backup.size} bytes: "
        f"{counts_text or 'no organization'}."
    )
    if made_backup.missing:
        say(f"{made_backup.missing} raw messages are no longer kept here (`archive_days`).")
    for slug in made_backup.unchecked:
        say(f"The state of {slug} cannot be opened: it is copied as it is, see `postern doctor`.")


def restore(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Folder that `postern backup` made.")],
    check: Annotated[bool, typer.Option("--check", help="Only read and compare it all.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Set aside what the home holds already.")
    ] = False,
) -> None:
    """Check every file of a backup, and put it into the home; no engine may run.

    Sending is stopped then, because replies that waited may have left since the backup was made.
    """
    from data.store.core.backups import verify_backup
    from flows.cli.core.restoring import put_back

    settings = settings_of(ctx)
    whole = verify_backup(folder)
    when = f"{whole.made_at:%Y-%m-%d %H:%M} UTC"
    say(f"The backup of {when} is whole: {plural(len(whole.files), 'file')}, {whole.size} bytes.")
    if check:
        return
    aside = put_back(settings, folder, replace=replace)
    if aside is not None:
        say(f"What was there lies in {aside}.")
    say(
        "Restored. Sending is stopped: start, compare the outbox with the relay's log, cancel what "
        "has left already, then `postern resume-sending`."
    )
    if (folder / "postern.toml").exists():
        say(f"Its settings are in {folder / 'postern.toml'}; they were not put anywhere.")

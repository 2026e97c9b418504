"""`postern doctor | stop-sending | resume-sending`: when something is wrong."""

import os
from typing import Annotated

import typer

from flows.operating.command_context import console, say, settings_of


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Check everything; say what to do.")(doctor)
    app.command("stop-sending", short_help="Throw the kill switch.")(stop_sending)
    app.command("resume-sending", short_help="Release the kill switch.")(resume_sending)


def doctor(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Check the machine, the folders, the ports and the processes; say what to do.

    Ends with status 1 when a check fails; a warning is no failure.
    """
    from rich.table import Table
    from rich.text import Text

    from flows.doctor.findings import examine

    findings = examine(settings_of(ctx))
    if json:
        for finding in findings:
            print(finding.model_dump_json())  # output of the command
    else:
        colors = {"ok": "green", "warn": "yellow", "fail": "bold red"}
        table = Table(show_header=False, box=None, pad_edge=False)
        for finding in findings:
            words = finding.sentence + (f" {finding.remedy}" if finding.remedy else "")
            table.add_row(Text(finding.status, colors[finding.status]), finding.name, Text(words))
        console().print(table)
    if any(finding.status == "fail" for finding in findings):
        raise typer.Exit(1)


def stop_sending(ctx: typer.Context) -> None:
    """Throw the kill switch: nothing leaves any more, from this moment on.

    The sender looks at the switch just before it hands a message over. Mail is still received and
    worked on.
    """
    from data.errors import StoreError

    switch = settings_of(ctx).stop_file
    try:
        switch.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        switch.write_text(f"stopped on the command line by uid {os.getuid()}\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"cannot write {str(switch)!r}: {error.strerror}; stop the engine instead"
        ) from error
    say(f"Sending is stopped ({switch}); `postern resume-sending` releases it.")


def resume_sending(ctx: typer.Context) -> None:
    """Release the kill switch: approved replies leave again."""
    from data.errors import StoreError

    switch = settings_of(ctx).stop_file
    if not switch.exists():
        say("Sending was not stopped.")
        return
    try:
        switch.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot remove {str(switch)!r}: {error.strerror}; remove it as its owner"
        ) from error
    say("Sending goes on.")

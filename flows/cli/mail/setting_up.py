"""`postern setup`: the first steps of an organization, and a test mail followed to its draft."""

import time
from typing import Annotated

import typer

from flows.operating.command_context import console, make_inert, say, settings_of

LOOK_EVERY, LONGEST = 1.0, 180.0
"""Seconds between two looks at a test mail, and that it is followed at most."""


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Show the first steps, and send a test mail.")(setup)


def setup(
    ctx: typer.Context,
    organization: Annotated[
        str | None, typer.Option("--organization", help="Slug; the only one when left out.")
    ] = None,
    test: Annotated[
        str, typer.Option("--test", help="Text of a test mail that is followed to its draft.")
    ] = "",
) -> None:
    """Show which of the first steps are done, as the state says, and what is missing.

    Before there is an organization it prints the link that makes the first one.

    \b
    postern setup
    postern setup --test "Hello, when are you open?"
    """  # noqa: D301  # \b keeps the lines of the examples
    from rich.table import Table
    from rich.text import Text

    from data.records.mail.setting_up import Setup
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import known_organizations, organization_named
    from flows.operating.startup_lines import begin_lines

    engine = engine_of(ctx)
    begin = begin_lines(settings_of(ctx)) if engine.running else []
    if begin and not known_organizations(engine):
        for line in begin:
            say(line)
        return
    slug = organization_named(engine, organization).slug
    if test:
        if not engine.running:
            say("No engine runs, so nothing works on a test mail; start it with `postern up`.")
            raise typer.Exit(1)
        order = {"subject": "A test mail", "text": test}
        trial = engine.post(f"/v1/{slug}/setup/trial", order)
        status_said = ""
        for _ in range(int(LONGEST / LOOK_EVERY)):
            mail = engine.get(f"/v1/{slug}/setup/trial/{trial['id']}")
            if mail["status"] != status_said:
                status_said = mail["status"]
                say(f"{trial['id']}: {status_said}")
            if mail["drafted"]:
                say(f"Its draft waits in the review queue: case {mail['case_id']}.")
                return
            time.sleep(LOOK_EVERY)
        say(f"No draft yet. {make_inert(mail['note'])}")
        raise typer.Exit(1)
    setup_view = Setup.model_validate(engine.get(f"/v1/{slug}/setup"))
    table = Table(show_header=False, box=None, pad_edge=False)
    for step in setup_view.steps:
        mark = Text("done", "green") if step.done else Text("to do", "yellow")
        table.add_row(mark, step.name.value, Text(make_inert(step.sentence, 200)))
    console().print(table)

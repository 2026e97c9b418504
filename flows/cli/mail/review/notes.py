"""`postern case note | notes`: what colleagues write to each other beside a case."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import CaseArgument, group, read_case
from flows.operating.command_context import make_inert, say


@group.command("note")
def note(
    ctx: typer.Context,
    case: CaseArgument,
    text: Annotated[str, typer.Argument(help="The note; `@` before a name tells that colleague.")],
    organization: OrganizationOption = None,
) -> None:
    """Write a note for colleagues on a case; it never leaves."""
    engine, root = engine_at(ctx, organization)
    engine.post(f"{root}/cases/{case}/notes", {"text": text})
    say("Noted.")


@group.command("notes")
def notes(ctx: typer.Context, case: CaseArgument, organization: OrganizationOption = None) -> None:
    """Show the notes beside a case, oldest first."""
    engine, root = engine_at(ctx, organization)
    thread = read_case(engine, root, case).thread
    for entry in thread.notes if thread else ():
        print(
            f"{entry.written_at:%Y-%m-%d %H:%M} {make_inert(entry.written_by)}: "
            f"{make_inert(entry.text)}"
        )

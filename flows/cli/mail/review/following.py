"""`postern case follow-up | again`: hearing of an answered case again, and writing once more."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import CaseArgument, group, read_case
from flows.operating.command_context import say


@group.command("follow-up")
def follow_up(
    ctx: typer.Context,
    case: CaseArgument,
    days: Annotated[
        int, typer.Argument(help="Working days without an answer; 0 for no follow-up.", min=0)
    ],
    organization: OrganizationOption = None,
) -> None:
    """Have an answered case come back as a letter to write, where no answer comes."""
    from data.records.mail.views import CaseView

    engine, root = engine_at(ctx, organization)
    order = {"version": read_case(engine, root, case).version, "days": days or None}
    after = CaseView.model_validate(engine.post(f"{root}/cases/{case}/follow-up", order))
    due = after.follow_up.due_at if after.follow_up and days else None
    when = f"on {due:%Y-%m-%d %H:%M %Z}" if due else f"{days} working days after it has left"
    say(f"It comes back {when}, unless they answer." if days else "It does not come back.")


@group.command("again")
def write_again(
    ctx: typer.Context, case: CaseArgument, organization: OrganizationOption = None
) -> None:
    """Begin another letter to the contact of an answered or closed case."""
    from data.records.mail.views import CaseView

    engine, root = engine_at(ctx, organization)
    order = {"version": read_case(engine, root, case).version}
    letter = CaseView.model_validate(engine.post(f"{root}/cases/{case}/again", order))
    say(f"Begun as case {letter.id}; write it in the window, or over the API.")

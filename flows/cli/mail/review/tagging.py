"""`postern case tag`: tags on the conversations of cases."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import group
from flows.operating.command_context import tell_outcomes


@group.command("tag")
def tag(
    ctx: typer.Context,
    cases: Annotated[list[str], typer.Argument(help="Ids of cases, 50 at most.")],
    add: Annotated[list[str] | None, typer.Option(help="A tag to give; again for more.")] = None,
    remove: Annotated[
        list[str] | None, typer.Option(help="A tag to take away; again for more.")
    ] = None,
    organization: OrganizationOption = None,
) -> None:
    """Give the conversations of cases tags, and take tags away.

    \b
    postern case tag 01JAB 01JAC --add warranty --remove shop
    postern case list --tag warranty
    """  # noqa: D301  # \b keeps the lines of the examples
    engine, root = engine_at(ctx, organization)
    order = {"cases": cases, "add": add or [], "remove": remove or []}
    tell_outcomes(engine.post(f"{root}/cases/tag", order)["outcomes"])

"""`postern case take | give | return`: with whom a case is."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import CaseArgument, group, read_case
from flows.operating.command_context import say

if TYPE_CHECKING:
    from flows.operating.engine_api import Engine


@group.command("give")
def give(
    ctx: typer.Context,
    case: CaseArgument,
    to: Annotated[str, typer.Argument(help="Mail address of the colleague.")],
    note: Annotated[str, typer.Option(help="What the colleague should know.")] = "",
    organization: OrganizationOption = None,
) -> None:
    """Give a case to a colleague, who is told, with a note."""
    engine, root = engine_at(ctx, organization)
    _assign(engine, root, case, to, note)
    say(f"Given to {to}.")


@group.command("take")
def take(ctx: typer.Context, case: CaseArgument, organization: OrganizationOption = None) -> None:
    """Take a case, from nobody or from somebody else."""
    from data.errors import ConflictError
    from data.records.mail.overview_views import Me

    engine, root = engine_at(ctx, organization)
    me = Me.model_validate(engine.get("/v1/me"))
    if not me.email:
        raise ConflictError(
            "nobody has said what your mail address is, so no case can be with you; "
            "`postern user edit` enters it, or name somebody with `postern case give`"
        )
    _assign(engine, root, case, me.email)
    say("It is with you.")


@group.command("return")
def put_back(
    ctx: typer.Context, case: CaseArgument, organization: OrganizationOption = None
) -> None:
    """Put a case back for everybody."""
    engine, root = engine_at(ctx, organization)
    _assign(engine, root, case, "")
    say("It is nobody's again.")


def _assign(engine: "Engine", root: str, case: str, to: str, note: str = "") -> None:
    order = {"version": read_case(engine, root, case).version, "assignee": to, "note": note}
    engine.post(f"{root}/cases/{case}/reassign", order)

"""`postern case several`: one decision on several cases, each as it was shown."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import group, read_case
from flows.operating.command_context import tell_outcomes

ACTIONS = {"approve": "approve", "close": "archive", "give": "reassign"}
"""The words of the command, and those of the API."""


@group.command("several")
def several(
    ctx: typer.Context,
    action: Annotated[str, typer.Argument(help="approve, close or give.")],
    cases: Annotated[
        list[str],
        typer.Argument(help="Ids of cases, 50 at most; to approve, each as CASE=SIGNS."),
    ],
    to: Annotated[str, typer.Option("--to", help="Who gets them; empty: nobody.")] = "",
    note: Annotated[str, typer.Option(help="Why they are closed.")] = "",
    organization: OrganizationOption = None,
) -> None:
    """Approve, close or give away several cases, with an outcome for each.

    What an approval signs is printed by `postern case show`, with what would leave.

    \b
    postern case several approve 01JAB=5f2c 01JAC=90ee
    postern case several close 01JAB 01JAC --note "answered by telephone"
    postern case several give 01JAB 01JAC --to maud@harbor.example
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError

    if action not in ACTIONS:
        raise ManifestError(f"{action!r} is no decision; there are {', '.join(ACTIONS)}")
    engine, root = engine_at(ctx, organization)
    shown_cases = []
    for text in cases:
        case, _, signs = text.partition("=")
        if action == "approve" and not signs:
            raise ManifestError(
                f"say what the approval of {case!r} signs, {case}=SIGNS; "
                f"`postern case show {case}` prints it"
            )
        version = read_case(engine, root, case).version
        shown_cases.append({"id": case, "version": version, "approval_hash": signs})
    order = {"action": ACTIONS[action], "cases": shown_cases, "assignee": to, "note": note}
    tell_outcomes(engine.post(f"{root}/cases/decide", order)["outcomes"])

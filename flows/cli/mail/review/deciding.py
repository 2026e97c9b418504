"""`postern case show | approve`: one case, and letting its reply leave, at once or later."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.attaching import list_files
from flows.cli.mail.review.case_group import CaseArgument, check_moment, group, read_case
from flows.operating.command_context import make_inert, say


@group.command("show")
def show(
    ctx: typer.Context,
    case: CaseArgument,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show what would leave as the reply to a case, and what an approval of it signs."""
    engine, root = engine_at(ctx, organization)
    case_view = read_case(engine, root, case)
    if json:
        print(case_view.model_dump_json())  # output of the command
        return
    say(f"{case_view.state}: {make_inert(case_view.item.subject, 90) or '(no subject)'}")
    if case_view.leaves_at:
        say(f"It leaves {case_view.leaves_at:%Y-%m-%d %H:%M %Z}.")
    if not case_view.reply_preview:
        say(case_view.recipient_reason or "There is no reply that could leave.")
        return
    for line in case_view.reply_preview.splitlines():
        print(make_inert(line))  # output of the command
    list_files(case_view)


@group.command("approve")
def approve(
    ctx: typer.Context,
    case: CaseArgument,
    signs: Annotated[
        str, typer.Option(help="What the approval signs, as `postern case show` gave it.")
    ],
    leave: Annotated[
        str | None,
        typer.Option(
            help="When it leaves: `tomorrow`, `monday`, a day (2026-12-24), or a time with its "
            "zone (2026-12-24T14:00+01:00); at once when left out."
        ),
    ] = None,
    follow_up: Annotated[
        int | None,
        typer.Option(help="Working days without an answer after which it comes back."),
    ] = None,
    organization: OrganizationOption = None,
) -> None:
    """Approve the reply to a case as it was shown, to leave at once or at a moment."""
    from data.records.mail.views import CaseView

    if leave is not None:
        check_moment(leave, ("tomorrow", "monday"), "to leave")
    engine, root = engine_at(ctx, organization)
    order = {
        "version": read_case(engine, root, case).version,
        "approval_hash": signs,
        "leave": leave,
        "follow_up_days": follow_up,
    }
    after = CaseView.model_validate(engine.post(f"{root}/cases/{case}/approve", order))
    when = f"{after.leaves_at:%Y-%m-%d %H:%M %Z}" if after.leaves_at else "at once"
    say(f"Approved; it leaves {when}. `postern outbox cancel {after.delivery_id}` takes it back.")

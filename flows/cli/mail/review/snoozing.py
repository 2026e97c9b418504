"""`postern case list | snooze | unsnooze`: what waits for a person, and putting it off."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import CaseArgument, check_moment, group, read_case
from flows.operating.command_context import print_json_lines, print_table, say

VIEWS: dict[str, dict[str, object]] = {
    "all": {},
    "mine": {"whose": "mine"},
    "unassigned": {"handed": False},
    "others": {"whose": "others"},
    "handed": {"handed": True},
}
"""What the engine is asked for each view."""


@group.command("list")
def list_cases(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    snoozed: Annotated[bool, typer.Option("--snoozed", help="What was put off instead.")] = False,
    view: Annotated[
        str, typer.Option(help="Whose: mine, unassigned, others, handed (with anybody), or all.")
    ] = "all",
    tag: Annotated[str, typer.Option(help="Only those whose conversation bears it.")] = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the cases that wait for a person, urgent ones first, at most 200."""
    from data.errors import ConflictError
    from data.records.mail.views import QueueItem

    if view not in VIEWS:
        raise ConflictError(f"there is no view {view!r}; choose one of {', '.join(VIEWS)}")
    engine, root = engine_at(ctx, organization)
    listed = engine.get(f"{root}/queue", snoozed=snoozed, tag=tag, limit=200, **VIEWS[view])
    items = [QueueItem.model_validate(item) for item in listed["items"]]
    if json:
        print_json_lines(items)
        return
    if not items:
        say("Nothing is put off." if snoozed else "Nothing waits.")
        return
    lines: list[tuple[str, ...]] = []
    for item in items:
        who, tags = item.contact.email, ", ".join(item.tags)
        cells = (item.case_id, item.state, item.priority or "", who, item.subject, tags)
        lines.append(cells)
    print_table(("case", "state", "priority", "from", "subject", "tags"), lines)


@group.command("snooze")
def snooze(
    ctx: typer.Context,
    case: CaseArgument,
    until: Annotated[
        str,
        typer.Argument(
            help="`tomorrow`, `monday`, `answer`, a day (2026-12-24), or a time with its zone "
            "(2026-12-24T14:00+01:00)."
        ),
    ],
    organization: OrganizationOption = None,
) -> None:
    """Put a case off; it comes back then, or when somebody writes in its conversation."""
    from data.records.mail.views import CaseView

    check_moment(until, ("tomorrow", "monday", "answer"), "to come back")
    engine, root = engine_at(ctx, organization)
    order = {"version": read_case(engine, root, case).version, "until": until}
    after = CaseView.model_validate(engine.post(f"{root}/cases/{case}/snooze", order))
    wakes = after.snooze.until if after.snooze else None
    say(f"Put off until {wakes:%Y-%m-%d %H:%M %Z}." if wakes else "Put off until they answer.")


@group.command("unsnooze")
def unsnooze(
    ctx: typer.Context, case: CaseArgument, organization: OrganizationOption = None
) -> None:
    """Bring a case back that was put off."""
    engine, root = engine_at(ctx, organization)
    order = {"version": read_case(engine, root, case).version}
    engine.post(f"{root}/cases/{case}/unsnooze", order)
    say("It waits again.")

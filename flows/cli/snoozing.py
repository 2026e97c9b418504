"""`postern case list | snooze | unsnooze`: what waits for a person, and putting it off."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.given import console, inert, say

if TYPE_CHECKING:
    from data.records.mail.views import CaseView
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Cases that wait for a person.", no_args_is_help=True, rich_markup_mode=None
)
Slug = Annotated[
    str | None, typer.Option("--organization", help="Slug; the only organization when left out.")
]
Named = Annotated[str, typer.Argument(help="Id of a case; `postern case list` shows them.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="case", short_help="See what waits for a person; put it off.")


@group.command("list")
def list_cases(
    ctx: typer.Context,
    organization: Slug = None,
    snoozed: Annotated[bool, typer.Option("--snoozed", help="What was put off instead.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the cases that wait for a person, urgent ones first, at most 200."""
    from rich.table import Table
    from rich.text import Text

    from data.records.mail.views import QueueItem

    engine, root = _engine(ctx, organization)
    listed = engine.get(f"{root}/queue", snoozed=snoozed, limit=200)
    items = [QueueItem.model_validate(item) for item in listed["items"]]
    if json:
        for item in items:
            print(item.model_dump_json())  # output of the command
        return
    if not items:
        say("Nothing is put off." if snoozed else "Nothing waits.")
        return
    table = Table("case", "state", "priority", "from", "subject", box=None, pad_edge=False)
    for item in items:
        cells = (item.case_id, item.state, item.priority or "", item.contact.email, item.subject)
        table.add_row(*(Text(inert(cell)) for cell in cells))
    console().print(table)


@group.command("snooze")
def snooze(
    ctx: typer.Context,
    case: Named,
    until: Annotated[
        str,
        typer.Argument(
            help="`tomorrow`, `monday`, `answer`, a day (2026-12-24), or a time with its zone "
            "(2026-12-24T14:00+01:00)."
        ),
    ],
    organization: Slug = None,
) -> None:
    """Put a case off; it comes back then, or when somebody writes in its conversation."""
    from data.errors import ConflictError
    from data.records.mail.views import CaseView

    engine, root = _engine(ctx, organization)
    if until not in ("tomorrow", "monday", "answer"):
        try:
            moment = datetime.fromisoformat(until)
        except ValueError:
            moment = None
        if moment is None or (moment.tzinfo is None and len(until) != len("2026-12-24")):
            raise ConflictError(
                f"{until!r} is no time to come back; write tomorrow, monday, answer, a day as "
                "2026-12-24, or a time with its zone as 2026-12-24T14:00+01:00"
            )
    given = {"version": _seen(engine, root, case).version, "until": until}
    after = CaseView.model_validate(engine.post(f"{root}/cases/{case}/snooze", given))
    wakes = after.snooze.until if after.snooze else None
    say(f"Put off until {wakes:%Y-%m-%d %H:%M %Z}." if wakes else "Put off until they answer.")


@group.command("unsnooze")
def unsnooze(ctx: typer.Context, case: Named, organization: Slug = None) -> None:
    """Bring a case back that was put off."""
    engine, root = _engine(ctx, organization)
    given = {"version": _seen(engine, root, case).version}
    engine.post(f"{root}/cases/{case}/unsnooze", given)
    say("It waits again.")


def _engine(ctx: typer.Context, organization: str | None) -> tuple["Engine", str]:
    """Return the engine, and the path below which an organization's cases are."""
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    return engine, f"/v1/{organization_named(engine, organization).slug}"


def _seen(engine: "Engine", root: str, case: str) -> "CaseView":
    from data.records.mail.views import CaseView

    return CaseView.model_validate(engine.get(f"{root}/cases/{case}"))

"""`postern holiday …`: the days on which nobody works."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.counting import plural
from flows.cli.core.engine_reach import OrganizationOption
from flows.operating.command_context import make_inert, print_json_lines, say

if TYPE_CHECKING:
    from datetime import date

    from data.records.core.holidays import HolidayList
    from data.records.core.organization import Holiday
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Holidays: days on which nobody works, for service levels and working hours.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
DayArgument = Annotated[str, typer.Argument(help="As 2026-12-25.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="holiday", short_help="List, add, remove and import holidays.")


@group.command("list")
def list_all(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the holidays, the earliest first."""
    _, _, holidays_known = _read_holidays(ctx, organization)
    if json:
        print_json_lines(holidays_known.items)
        return
    if not holidays_known.items:
        say("There is none: every day that the working hours name is worked.")
    for item in holidays_known.items:
        print(f"{item.day} {item.day:%a} {make_inert(item.name)}".rstrip())  # output of the command


@group.command("add")
def add(
    ctx: typer.Context,
    day: DayArgument,
    name: Annotated[str, typer.Argument(help="As people call it.")] = "",
    organization: OrganizationOption = None,
) -> None:
    """Add a day on which nobody works, or give one another name."""
    from data.records.core.organization import Holiday

    engine, root, holidays_known = _read_holidays(ctx, organization)
    fresh = Holiday(day=_read(day), name=name.strip()[:100])
    _keep(engine, root, holidays_known, [*holidays_known.items, fresh])
    say(f"Nobody works on {fresh.day}.")


@group.command("remove")
def remove(ctx: typer.Context, day: DayArgument, organization: OrganizationOption = None) -> None:
    """Take a day away, which is worked from now on."""
    from data.errors import NotFoundError

    engine, root, holidays_known = _read_holidays(ctx, organization)
    day_gone = _read(day)
    left = [item for item in holidays_known.items if item.day != day_gone]
    if len(left) == len(holidays_known.items):
        raise NotFoundError(f"{day_gone} is no holiday; `postern holiday list` shows them")
    _keep(engine, root, holidays_known, left)
    say(f"{day_gone} is a day like others.")


@group.command("import")
def import_file(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(help="A calendar file (.ics).", exists=True, dir_okay=False)
    ],
    organization: OrganizationOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask back.")] = False,
) -> None:
    """Add the whole days of a calendar file; it shows them and asks.

    \b
    postern holiday import holidays.ics
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.manifest_files import read_text
    from data.records.core.holidays import HolidayReading

    engine, root, holidays_known = _read_holidays(ctx, organization)
    file_read = engine.post(f"{root}/read", {"ics": read_text(file)})
    read = HolidayReading.model_validate(file_read)
    for reason in read.left_out:
        say(f"Left out: {make_inert(reason)}")
    there = {item.day for item in holidays_known.items}
    fresh = [item for item in read.items if item.day not in there]
    for holiday in fresh:
        print(
            f"{holiday.day} {holiday.day:%a} {make_inert(holiday.name)}".rstrip()
        )  # output of the command
    if not fresh:
        say("Nothing in it is new.")
        return
    if not yes:
        typer.confirm(f"Add {plural(len(fresh), 'day')}?", abort=True)
    _keep(engine, root, holidays_known, [*holidays_known.items, *fresh])
    say(f"{plural(len(fresh), 'day')} added.")


def _read(day: str) -> "date":
    from datetime import date

    from data.errors import ManifestError

    try:
        return date.fromisoformat(day)
    except ValueError as error:
        raise ManifestError(f"{day!r} is no day; write it as 2026-12-25") from error


def _read_holidays(
    ctx: typer.Context, organization: str | None
) -> "tuple[Engine, str, HolidayList]":
    from data.records.core.holidays import HolidayList
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    root = f"/v1/{organization_named(engine, organization).slug}/holidays"
    return engine, root, HolidayList.model_validate(engine.get(root))


def _keep(engine: "Engine", root: str, holiday_list: "HolidayList", items: "list[Holiday]") -> None:
    holidays_given = [item.model_dump(mode="json") for item in items]
    engine.put(root, {"items": holidays_given, "was": holiday_list.was})

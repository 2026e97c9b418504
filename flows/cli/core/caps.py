"""`postern caps list | set | remove`: how much models may use, of what, for whom."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import print_json_lines, print_table, say

if TYPE_CHECKING:
    from pydantic import ValidationError

    from data.records.core.caps import CapKey, CapView
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Caps on what language models use.", no_args_is_help=True, rich_markup_mode=None
)
ScopeArgument = Annotated[
    str, typer.Argument(help="organization, agent, user, team, turn, sender or item.")
]
SubjectOption = Annotated[
    str,
    typer.Option(
        help="An agent's slug, a user's or team's name, a sender's address; each if left out."
    ),
]
UnitOption = Annotated[str, typer.Option(help="money (US dollars), tokens or requests.")]
PeriodOption = Annotated[str, typer.Option(help="hour, day or month (UTC), or once: for ever.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="caps", short_help="List, set and remove caps on what models use.")


@group.command("list")
def list_caps(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show the caps that hold, what is used of each, and when the count begins anew."""
    from data.records.core.caps import CapView

    engine, slug = engine_and_slug(ctx, organization)
    caps = [CapView.model_validate(cap_fields) for cap_fields in engine.get(f"/v1/{slug}/caps")]
    if json:
        print_json_lines(caps)
        return
    lines: list[tuple[str, ...]] = []
    for cap in caps:
        anew = f"{cap.begins_anew_at:%Y-%m-%d %H:%M} UTC" if cap.begins_anew_at else "never"
        cells = (cap.cap.sentence, cap.cap.subject, _used(cap), anew, cap.set_by or "the settings")
        lines.append(cells)
    print_table(("cap", "names", "used", "begins anew", "set by"), lines, 60)


@group.command("set")
def set_cap(
    ctx: typer.Context,
    scope: ScopeArgument,
    limit: Annotated[str, typer.Argument(help="A number, or none: lifts a cap of the settings.")],
    subject: SubjectOption = "",
    unit: UnitOption = "money",
    period: PeriodOption = "day",
    organization: OrganizationOption = None,
) -> None:
    """Set a cap, in the place of one for the same; it counts from the next call on.

    \b
    postern caps set organization 20 --period month
    postern caps set agent 2 --subject drafter
    postern caps set user 200000 --unit tokens
    """  # noqa: D301  # \b keeps the lines of the example
    from pydantic import ValidationError

    from data.records.core.caps import Cap

    engine, slug = engine_and_slug(ctx, organization)
    key = _key(engine, slug, scope, subject, unit, period)
    try:
        most = None if limit == "none" else limit
        cap = Cap.model_validate({**key.model_dump(), "limit": most})
    except ValidationError as error:
        raise _refusal(error) from error
    engine.put(f"/v1/{slug}/caps", cap.model_dump(mode="json"))
    say(f"{'There is' if cap.limit is None else 'The cap is'} {cap.sentence}.")


@group.command("remove")
def remove_cap(
    ctx: typer.Context,
    scope: ScopeArgument,
    subject: SubjectOption = "",
    unit: UnitOption = "money",
    period: PeriodOption = "day",
    organization: OrganizationOption = None,
) -> None:
    """Take a cap away that was set, so that what the settings say holds again."""
    engine, slug = engine_and_slug(ctx, organization)
    key = _key(engine, slug, scope, subject, unit, period)
    engine.delete(f"/v1/{slug}/caps", **key.model_dump(mode="json"))
    say("The cap is removed; what the settings say holds again.")


def _key(engine: "Engine", slug: str, scope: str, subject: str, unit: str, period: str) -> "CapKey":
    """Return which cap it is; a user may be named by name or address, a team by its name.

    Raises:
        ManifestError: there is no such scope, unit or period.

    """
    from pydantic import ValidationError

    from data.records.core.caps import CapKey
    from flows.cli.core.people import team_named, user_named

    if scope == "user" and subject:
        subject = user_named(engine, subject).id
    if scope == "team" and subject:
        subject = team_named(engine, slug, subject).id
    try:
        return CapKey.model_validate(
            {"scope": scope, "subject": subject, "unit": unit, "period": period}
        )
    except ValidationError as error:
        raise _refusal(error) from error


def _refusal(error: "ValidationError") -> Exception:
    from data.errors import ManifestError

    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the cap"
    complaint = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
    return ManifestError(f"{where}: {complaint}; see `postern caps set --help`")


def _used(cap_view: "CapView") -> str:
    from data.records.core.caps import CapUnit

    if cap_view.used is None:
        return "each by itself"
    return (
        f"US$ {cap_view.used:.4f}"
        if cap_view.cap.unit is CapUnit.MONEY
        else f"{cap_view.used:,.0f}"
    )

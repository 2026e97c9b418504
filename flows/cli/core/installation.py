"""`postern filters` and `postern retention`: who else screens mail, and what is kept how long."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption
from flows.operating.command_context import console, first_line, make_inert, say

if TYPE_CHECKING:
    from flows.operating.engine_api import Engine

YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask back.")]
JsonOption = Annotated[bool, typer.Option("--json", help="As one JSON object.")]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Show spam filters of others, and whether they answer.")(filters)
    app.command(short_help="Show what is kept how long, and what was removed.")(retention)


def filters(
    ctx: typer.Context,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask those that are on; no mail goes.")
    ] = False,
    spamassassin: Annotated[
        str | None, typer.Option(help="Ask it there, host:port; empty for nowhere.")
    ] = None,
    rspamd: Annotated[
        str | None, typer.Option(help="Ask it at this URL; empty for nowhere.")
    ] = None,
    rspamd_password_file: Annotated[
        Path | None, typer.Option(help="File with its password.", exists=True, dir_okay=False)
    ] = None,
    default: Annotated[
        bool, typer.Option("--default", help="Keep nothing else here than what comes by default.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show whether SpamAssassin and rspamd are asked about mail, or change that.

    \b
    postern filters --ask
    postern filters --spamassassin 127.0.0.1:783
    postern filters --spamassassin ""
    postern filters --default
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.records.core.setting_views import FilterList
    from flows.operating.engine_api import engine_of

    engine = engine_of(ctx)
    change = {"spamassassin_address": spamassassin, "rspamd_url": rspamd}
    if rspamd_password_file is not None:
        change["rspamd_password"] = first_line(rspamd_password_file)
    changes: dict[str, object] = {
        name: value for name, value in change.items() if value is not None
    }
    if default:
        filters_now = FilterList.model_validate(engine.get("/v1/filters"))
        changes["defaults"] = [name for name in filters_now.kept_here if name not in changes]
    if changes.get("defaults") or len(changes) > default:
        engine.put("/v1/settings", {"change": changes})
        say("Kept; it counts from the next mail on.")
    answer = engine.get("/v1/filters", ask="true") if ask else engine.get("/v1/filters")
    filter_list = FilterList.model_validate(answer)
    if json:
        print(filter_list.model_dump_json())  # output of the command
        return
    for item in filter_list.items:
        if not item.address:
            say(f'{item.name} is off. To switch it on: {item.setting} = "{item.example}"')
            continue
        answers = {None: "was not asked now", True: "answers", False: "does not answer"}
        say(
            " ".join(
                (
                    item.name,
                    "at",
                    make_inert(item.address, 200),
                    f"{answers[item.answers]}.",
                    item.trouble,
                )
            ).strip()
        )


def retention(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    raw_mail: Annotated[
        int | None,
        typer.Option(help="Keep raw mail so many days; 0 for ever.", min=0, max=36_500),
    ] = None,
    program_chats: Annotated[
        int | None,
        typer.Option(help="Keep chats of programs so many days; 0 for ever.", min=0, max=36_500),
    ] = None,
    default: Annotated[
        list[str] | None,
        typer.Option(help="Use the default of `raw-mail` or `program-chats` again."),
    ] = None,
    yes: YesOption = False,
    json: JsonOption = False,
) -> None:
    """Show what is kept how long and what the last upkeep removed, or change it.

    A change says first what will be deleted when, and asks.

    \b
    postern retention
    postern retention --raw-mail 365
    postern retention --default raw-mail
    """  # noqa: D301  # \b keeps the lines of the examples
    from rich.table import Table
    from rich.text import Text

    from data.records.core.retention_views import RetentionView
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    days_by_setting = {"archive_days": raw_mail, "program_chat_days": program_chats}
    change: dict[str, object] = {
        name: days for name, days in days_by_setting.items() if days is not None
    }
    if default:
        change["defaults"] = [_setting_named(name) for name in default]
    _keep(engine, change, yes=yes)
    slug = organization_named(engine, organization).slug
    view = RetentionView.model_validate(engine.get(f"/v1/{slug}/retention"))
    if json:
        print(view.model_dump_json())  # output of the command
        return
    table = Table("what", "kept", "setting", box=None, pad_edge=False)
    for kept_entry in view.kept:
        table.add_row(Text(kept_entry.what), kept_entry.words, kept_entry.setting or "fixed")
    console().print(table)
    if not view.upkeeps:
        say("The nightly upkeep has not run yet.")
        return
    last = view.upkeeps[0]
    say(f"Last upkeep, {last.tidied_at:%Y-%m-%d %H:%M} UTC: {last.sentence}")


def _setting_named(name: str) -> str:
    from data.errors import ManifestError

    settings = {"raw-mail": "archive_days", "program-chats": "program_chat_days"}
    if name not in settings:
        raise ManifestError(f"{name!r} has no default here; there are {' and '.join(settings)}")
    return settings[name]


def _keep(engine: "Engine", change: dict[str, object], *, yes: bool) -> None:
    """Say what a change would delete, ask, and keep it; nothing is done where nothing is given."""
    if not change:
        return
    effect = engine.post("/v1/settings/preview", change)
    for sentence in effect["sentences"]:
        say(make_inert(sentence))
    if not yes:
        typer.confirm("Keep it so?", abort=True)
    engine.put("/v1/settings", {"change": change, "knowing": True})

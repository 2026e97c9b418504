"""`postern hostname`: the name that the receiver greets with and that Message-IDs end in."""

from typing import Annotated

import typer

from flows.operating.command_context import make_inert, say

SETTING = "smtp_hostname"


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Show or change the name of this machine.")(hostname)


def hostname(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Its name from now on.")] = None,
    default: Annotated[
        bool, typer.Option("--default", help="Keep none here, so that the default counts again.")
    ] = False,
) -> None:
    """Show the name of this machine, or change it while Postern runs.

    \b
    postern hostname mx.harbor.example
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError
    from data.records.core.setting_views import SettingList
    from flows.operating.engine_api import engine_of

    if default and name is not None:
        raise ManifestError("a name and '--default' are two names; choose one")
    engine = engine_of(ctx)
    if default:
        engine.put("/v1/settings", {"change": {"defaults": [SETTING]}})
    elif name is not None:
        engine.put("/v1/settings", {"change": {SETTING: name.rstrip(".")}})
    listed = SettingList.model_validate(engine.get("/v1/settings"))
    setting = next(item for item in listed.items if item.name == SETTING)
    say(f"{make_inert(setting.value, 300)} ({make_inert(setting.source, 300)})")

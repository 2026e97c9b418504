"""`postern settings versions | diff | restore`: the settings that Postern has kept."""

from typing import Annotated

import typer

from flows.operating.command_context import make_inert, print_table, say

group = typer.Typer(
    help="Settings that are kept in Postern: their versions, compared and restored.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="settings", short_help="Compare and restore kept settings.")


@group.command("versions")
def versions(ctx: typer.Context) -> None:
    """List what was kept after each change, the newest first."""
    from data.records.core.kept_settings import SettingsVersions
    from flows.operating.engine_api import engine_of

    listed = SettingsVersions.model_validate(engine_of(ctx).get("/v1/settings/versions")).items
    if not listed:
        say("Nothing was ever kept here; `postern config` shows what counts.")
        return
    lines: list[tuple[str, ...]] = []
    for version in listed:
        at = f"{version.written_at:%Y-%m-%d %H:%M} UTC"
        lines.append((str(version.number), at, version.author, ", ".join(version.changed)))
    print_table(("version", "at", "by", "changed"), lines, 60)


@group.command("diff")
def diff(
    ctx: typer.Context,
    before: Annotated[int, typer.Argument(help="A version; 0 for the defaults.", min=0)],
    after: Annotated[int, typer.Argument(help="Another one.", min=0)],
) -> None:
    """Show what two versions have different; passwords and keys are in none."""
    from flows.operating.engine_api import engine_of

    compared = engine_of(ctx).get("/v1/settings/diff", before=before, after=after)
    for line in compared["lines"]:
        print(make_inert(line))  # output of the command


@group.command("restore")
def restore(
    ctx: typer.Context,
    version: Annotated[int, typer.Argument(help="As `versions` lists it.", min=1)],
    knowing: Annotated[
        bool, typer.Option("--knowing", help="It is meant, although something is deleted by it.")
    ] = False,
) -> None:
    """Let earlier settings count again, as a new version; passwords and keys stay as they are.

    \b
    postern settings versions
    postern settings restore 2
    """  # noqa: D301  # \b keeps the lines of the examples
    from flows.operating.engine_api import engine_of

    order = {"number": version, "knowing": knowing}
    engine_of(ctx).post("/v1/settings/restore", order)
    say(f"The settings of version {version} count again.")

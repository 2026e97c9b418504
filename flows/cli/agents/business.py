"""`postern business …`: what the organization says of itself to every agent, and its versions."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import make_inert, print_table, say

group = typer.Typer(
    help="The business profile: what every agent is told of the organization, and its versions.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="business", short_help="Show, write and restore the profile.")


@group.command("show")
def show(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """Print the profile's Markdown as it counts now."""
    engine, slug = engine_and_slug(ctx, organization)
    profile = engine.get(f"/v1/{slug}/business-profile")["profile"]
    if not profile["version"]:
        say("Nobody has written it yet.")
        return
    print(profile["markdown"])  # output of the command


@group.command("set")
def set_profile(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="Markdown.", dir_okay=False, exists=True)],
    organization: OrganizationOption = None,
) -> None:
    """Write another version; what the profile refers to stays.

    \b
    postern business show > profile.md
    postern business set profile.md
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.manifest_files import read_text

    engine, slug = engine_and_slug(ctx, organization)
    before = engine.get(f"/v1/{slug}/business-profile")["profile"]
    order = {
        "markdown": read_text(file),
        "references": before["references"],
        "was": before["version"],
    }
    profile = engine.put(f"/v1/{slug}/business-profile", order)["profile"]
    say(f"Version {profile['version']} counts from now on.")


@group.command("refer")
def refer(
    ctx: typer.Context,
    what: Annotated[
        str, typer.Argument(help="`knowledge:ID`, `memory:ID`, `case:ID` or `contact:ADDRESS`.")
    ],
    label: Annotated[str, typer.Option("--label", help="As people call it.")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Refer to it no longer.")] = False,
    organization: OrganizationOption = None,
) -> None:
    """Let the profile refer to something, which agents are told as it stands then.

    \b
    postern business refer contact:priya.nair@harbourmuseum.example
    postern business refer contact:priya.nair@harbourmuseum.example --remove
    """  # noqa: D301  # \b keeps the lines of the examples
    engine, slug = engine_and_slug(ctx, organization)
    profile = engine.get(f"/v1/{slug}/business-profile")["profile"]
    kind, _, id = what.partition(":")
    others = [each for each in profile["references"] if (each["kind"], each["id"]) != (kind, id)]
    order = {
        "markdown": profile["markdown"],
        "references": others if remove else [*others, {"kind": kind, "id": id, "label": label}],
        "was": profile["version"],
    }
    written = engine.put(f"/v1/{slug}/business-profile", order)
    say(f"Version {written['profile']['version']} counts from now on.")
    for reference in written["references"]:
        say(make_inert(f"{reference['label']}: {reference['excerpt']}"))
    if written["unresolved"]:
        say(f"{written['unresolved']} lead to nothing, or stand beyond those that are told.")


@group.command("versions")
def versions(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """List the wordings that the profile has had, the newest first."""
    from data.records.agents.business import ProfileVersions

    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/business-profile/versions"
    listed = ProfileVersions.model_validate(engine.get(path)).items
    if not listed:
        say("Nobody has written it yet.")
        return
    lines: list[tuple[str, ...]] = []
    for version in listed:
        at = f"{version.written_at:%Y-%m-%d %H:%M} UTC" if version.written_at else ""
        cells = (str(version.version), at, version.author, str(len(version.markdown)))
        lines.append(cells)
    print_table(("version", "at", "by", "characters"), lines, 60)


@group.command("diff")
def diff(
    ctx: typer.Context,
    before: Annotated[int, typer.Argument(help="A version; 0 for nothing.", min=0)],
    after: Annotated[int, typer.Argument(help="Another one.", min=0)],
    organization: OrganizationOption = None,
) -> None:
    """Show what two versions have different."""
    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/business-profile/diff"
    for line in engine.get(path, before=before, after=after)["lines"]:
        print(make_inert(line))  # output of the command


@group.command("restore")
def restore(
    ctx: typer.Context,
    version: Annotated[int, typer.Argument(help="As `versions` lists it.", min=1)],
    organization: OrganizationOption = None,
) -> None:
    """Let an earlier version count again, as a new one."""
    engine, slug = engine_and_slug(ctx, organization)
    version_made = engine.post(f"/v1/{slug}/business-profile/restore", {"version": version})
    say(f"Version {version} counts again, as version {version_made['profile']['version']}.")

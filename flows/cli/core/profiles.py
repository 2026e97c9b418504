"""`postern organization edit`: what an organization is called, answers for, and sounds like."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.core.organizations import group
from flows.operating.command_context import say


def register(_app: typer.Typer) -> None:
    """Put the command under `postern organization`."""
    group.command("edit", short_help="Change name, addresses, signature, people and so on.")(edit)


def edit(
    ctx: typer.Context,
    slug: Annotated[str | None, typer.Argument(help="Which one; the only one if left out.")] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="key=value; @FILE as a value reads it; addresses with commas. Again for more.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--from", help="YAML with the fields that change, as organization.yaml."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Change without asking.")] = False,
) -> None:
    """Change an organization's profile: it shows what changes, and asks. The engine may run.

    \b
    postern organization edit harbor --set tone="Short and warm." --set signature=@signature.txt
    postern organization edit harbor --set addresses="help@harbor.example, shop@harbor.example"
    postern organization edit harbor --from organization.yaml
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError
    from data.records.core.profiles import EditProfile
    from data.store.core.profiles import mark
    from flows.cli.core.wanted_profile import wanted_profile
    from flows.core.administration.profiling import compare_profiles
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    before = organization_named(engine, slug)
    if not given and file is None:
        raise ManifestError("say what changes: --set key=value, or --from organization.yaml")
    profile_wanted = wanted_profile(before, file, given or ())
    changed = compare_profiles(before, profile_wanted)
    if not changed:
        say(f"Organization {before.slug!r} is so already; nothing changes.")
        return
    for line in changed:
        colour = {"+": typer.colors.GREEN, "-": typer.colors.RED}.get(line[:1])
        typer.secho("".join(c if c.isprintable() else " " for c in line), fg=colour, err=True)
    if not yes and not typer.confirm("Change it so?", err=True):
        say("Nothing was changed.")
        raise typer.Exit(1)
    order = EditProfile(profile=profile_wanted, was=mark(before)).model_dump(mode="json")
    engine.put(f"/v1/organizations/{before.slug}", order)
    say(f"Changed {before.slug!r}; what is drafted from now on follows it.")

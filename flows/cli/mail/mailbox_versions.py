"""`postern mailbox versions | diff | restore`: the settings that a mailbox has had."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import first_line, make_inert, print_table, say

MailboxArgument = Annotated[
    str, typer.Argument(help="The mailbox, one that Postern keeps or has kept.")
]
OrganizationOption = Annotated[
    str | None, typer.Option(help="Slug; the only organization when left out.")
]


def register(group: typer.Typer) -> None:
    """Put the commands into the group of mailboxes."""
    group.command("versions")(versions)
    group.command("diff")(diff)
    group.command("restore")(restore)


def versions(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Which mailbox; all when left out.")] = "",
    organization: OrganizationOption = None,
) -> None:
    """List the settings that mailboxes have had, those that were removed too."""
    from data.records.mail.mailbox_versions import MailboxVersions

    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/mailbox-versions"
    listed = MailboxVersions.model_validate(engine.get(path, name=name)).items
    if not listed:
        say("Nothing was kept here yet; what mailboxes.yaml names has its versions there.")
        return
    lines: list[tuple[str, ...]] = []
    for version in listed:
        state = (
            "removed" if version.removed else f"{version.mailbox.user} at {version.mailbox.host}"
        )
        at = f"{version.written_at:%Y-%m-%d %H:%M} UTC"
        cells = (version.name, str(version.number), at, version.author, state)
        lines.append(cells)
    print_table(("mailbox", "version", "at", "by", "is"), lines, 60)


def diff(
    ctx: typer.Context,
    name: MailboxArgument,
    before: Annotated[int, typer.Argument(help="A version; 0 for nothing.", min=0)],
    after: Annotated[int, typer.Argument(help="Another one.", min=0)],
    organization: OrganizationOption = None,
) -> None:
    """Show what two versions have different; secrets are in none."""
    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/mailboxes/{name}/diff"
    for line in engine.get(path, before=before, after=after)["lines"]:
        print(make_inert(line))  # output of the command


def restore(
    ctx: typer.Context,
    name: MailboxArgument,
    version: Annotated[int, typer.Argument(help="As `versions` lists it.", min=1)],
    password_file: Annotated[
        Path | None,
        typer.Option(
            help="File with the password; needed where it was removed.", exists=True, dir_okay=False
        ),
    ] = None,
    client_secret_file: Annotated[
        Path | None,
        typer.Option(help="The same for an application's secret.", exists=True, dir_okay=False),
    ] = None,
    refresh_token_file: Annotated[
        Path | None,
        typer.Option(help="The same for a refresh token.", exists=True, dir_okay=False),
    ] = None,
    organization: OrganizationOption = None,
) -> None:
    """Let earlier settings count again, as a new version.

    \b
    postern mailbox versions support
    postern mailbox restore support 2
    """  # noqa: D301  # \b keeps the lines of the examples
    engine, slug = engine_and_slug(ctx, organization)
    order = {
        "number": version,
        "password": first_line(password_file),
        "client_secret": first_line(client_secret_file),
        "refresh_token": first_line(refresh_token_file),
    }
    engine.post(f"/v1/{slug}/mailboxes/{name}/restore", order)
    say(f"Mailbox {name} is as version {version} again; `postern mailbox check {name}` looks.")

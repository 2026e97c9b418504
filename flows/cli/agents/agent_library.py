"""`postern agent library …`: templates of agents and strategies of memory, in versions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption
from flows.operating.command_context import make_inert, print_json_lines, print_table, say

if TYPE_CHECKING:
    from flows.operating.engine_api import Engine

library = typer.Typer(
    help="Templates of agents, what models are told before they think, and what is kept.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

KindArgument = Annotated[str, typer.Argument(help="agent, assembly or extraction.")]
EntryArgument = Annotated[str, typer.Argument(help="Name of the entry, as `library list` has it.")]
VersionOption = Annotated[
    int, typer.Option("--version", min=0, help="One wording; 0 is the newest.")
]


def register(group: typer.Typer) -> None:
    """Put the commands under `postern agent`."""
    group.add_typer(library, name="library", short_help="Templates and strategies of memory.")


def _reached(ctx: typer.Context, organization: str | None) -> tuple["Engine", str]:
    """Return the engine, and the path of the organization's library there."""
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    return engine, f"/v1/{organization_named(engine, organization).slug}/agent-library"


@library.command("list")
def list_entries(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List what the library has, with the agents that rest on it."""
    from data.records.agents.library import LibraryEntryList

    engine, path = _reached(ctx, organization)
    entries = LibraryEntryList.model_validate(engine.get(path)).items
    if json:
        print_json_lines(entries)
        return
    lines: list[tuple[str, ...]] = [
        (
            entry.kind,
            entry.name,
            "Postern's" if entry.built_in else str(entry.version),
            ", ".join(entry.used_by) or "no agent",
        )
        for entry in entries
    ]
    print_table(("kind", "name", "version", "used by"), lines)


@library.command("show")
def show_entry(
    ctx: typer.Context,
    kind: KindArgument,
    name: EntryArgument,
    version: VersionOption = 0,
    organization: OrganizationOption = None,
) -> None:
    """Print an entry, to be changed and written back."""
    from data.records.agents.library import LibraryVersion

    engine, path = _reached(ctx, organization)
    shown = engine.get(f"{path}/{kind}/{name}", version=str(version))
    say(LibraryVersion.model_validate(shown).content.rstrip())


@library.command("versions")
def list_wordings(
    ctx: typer.Context,
    kind: KindArgument,
    name: EntryArgument,
    organization: OrganizationOption = None,
) -> None:
    """List every wording of an entry, with author and reason."""
    from data.records.agents.library import EntryVersionList

    engine, path = _reached(ctx, organization)
    listed = EntryVersionList.model_validate(engine.get(f"{path}/{kind}/{name}/versions"))
    for item in listed.items:
        moment = f"{item.made_at:%Y-%m-%d %H:%M}" if item.made_at else "with Postern"
        say(f"{item.version}  {moment}  {make_inert(item.author)}  {make_inert(item.note)}")


@library.command("set")
def write_entry(
    ctx: typer.Context,
    kind: KindArgument,
    name: EntryArgument,
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="Its YAML.")],
    reason: Annotated[str, typer.Option("--why", "--reason", help="Why; kept with the version.")],
    organization: OrganizationOption = None,
) -> None:
    """Write an entry, or one more wording of it."""
    from data.manifest_files import read_text
    from data.records.agents.library import LibraryVersion

    body = {"content": read_text(file), "reason": reason}
    engine, path = _reached(ctx, organization)
    written = LibraryVersion.model_validate(engine.put(f"{path}/{kind}/{name}", body))
    say(f"{kind} {name} has version {written.version}.")


@library.command("remove")
def take_out_entry(
    ctx: typer.Context,
    kind: KindArgument,
    name: EntryArgument,
    organization: OrganizationOption = None,
) -> None:
    """Take an entry out of the library; who names one of its wordings by number keeps that."""
    engine, path = _reached(ctx, organization)
    engine.delete(f"{path}/{kind}/{name}")
    say(f"{kind} {name} is taken out.")

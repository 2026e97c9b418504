"""`postern knowledge …`: what drafts may rest on, written, changed and brought back."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import make_inert, print_json_lines, print_table, say

if TYPE_CHECKING:
    from data.records.core.learning import EntryView
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Knowledge: what drafts may rest on.", no_args_is_help=True, rich_markup_mode=None
)
EntryArgument = Annotated[str, typer.Argument(help="Its name, as `list` shows it.")]
PAGE = 500


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="knowledge", short_help="List, write, change and retire knowledge.")


@group.command("list")
def list_entries(
    ctx: typer.Context,
    q: Annotated[str, typer.Argument(help="Words that it holds.")] = "",
    organization: OrganizationOption = None,
    which: Annotated[
        str, typer.Option(help="found, not_found, warned, learned, unused, kept or retired.")
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show the entries by title, and where each is kept."""
    from data.records.core.learning import EntryView

    engine, slug = engine_and_slug(ctx, organization)
    answer = engine.get(f"/v1/{slug}/knowledge", q=q, which=which, limit=PAGE)
    items = [EntryView.model_validate(entry_fields) for entry_fields in answer["items"]]
    if json:
        print_json_lines(items)
        return
    lines: list[tuple[str, ...]] = []
    for item in items:
        used = "retired" if item.retired else "yes" if item.found else "no"
        cells = (item.id, item.title, item.source, str(item.version or ""), used)
        lines.append(cells)
    print_table(("name", "title", "kept in", "version", "used today"), lines, 60)
    if answer["total"] > PAGE:
        say(f"{answer['total'] - PAGE} more; name words to find them.")


@group.command("show")
def show(ctx: typer.Context, id: EntryArgument, organization: OrganizationOption = None) -> None:
    """Print one entry's text."""
    engine, slug = engine_and_slug(ctx, organization)
    entry = _entry(engine, slug, id)
    say(
        f"{make_inert(entry.title)} ({entry.kind.value}, {entry.language}; "
        f"{make_inert(entry.source)})"
    )
    print(entry.body)  # output of the command


@group.command("write")
def write(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(help="Markdown, text, PDF, Word or HTML.", exists=True)
    ],
    organization: OrganizationOption = None,
    replace: Annotated[str, typer.Option(help="Name of the entry in whose place it comes.")] = "",
    why: Annotated[str, typer.Option(help="Why, for whoever reads the versions.")] = "",
) -> None:
    """Make knowledge of files: an entry for each of their headings, or one in another's place.

    Of many files each has its outcome; what cannot be read or kept holds up no other.

    \b
    postern knowledge write price-list.pdf handbook/*.md
    postern knowledge write opening-hours.md --replace opening-hours
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ConflictError, PosternError

    engine, slug = engine_and_slug(ctx, organization)
    if replace and len(files) != 1:
        raise ConflictError("one entry can take one file; write the others without --replace")
    refused = 0
    for file in files:
        try:
            _write_file(engine, slug, file, replace, why)
        except PosternError as error:
            if len(files) == 1:
                raise
            refused += 1
            say(f"{make_inert(file.name)}: {make_inert(str(error), 400)}")
    if len(files) > 1:
        say(f"{len(files) - refused} of {len(files)} files are knowledge now.")
    if refused:
        raise typer.Exit(1)


def _write_file(engine: "Engine", slug: str, file: Path, replace: str, why: str) -> None:
    """Make entries of one file.

    Raises:
        ConflictError: it cannot be read, or has more parts than the entry that it shall replace.

    """
    from data.errors import ConflictError
    from data.records.core.kept_knowledge import ReadFile

    content = base64.b64encode(file.read_bytes()).decode()
    upload = {"filename": file.name, "content": content}
    file_read = ReadFile.model_validate(engine.post(f"/v1/{slug}/knowledge/read", upload))
    if file_read.trouble:
        raise ConflictError(f"{file.name!r} is not knowledge yet: {file_read.trouble}")
    if file_read.hidden:
        say("It holds words that its reader does not see; they are left out.")
    if replace and len(file_read.sections) != 1:
        raise ConflictError(
            f"{file.name!r} has {len(file_read.sections)} parts, and one entry can take one; "
            "write it without --replace"
        )
    for section in file_read.sections:
        body = section.model_dump(mode="json")
        order: dict[str, object] = {"entry": body, "note": why}
        if replace:
            order["was"] = _entry(engine, slug, replace).version
            entry_kept = engine.put(f"/v1/{slug}/knowledge/{replace}", order)
        else:
            entry_kept = engine.post(f"/v1/{slug}/knowledge", order)
        say(
            f"Kept {entry_kept['id']}, version {entry_kept['version']}: "
            f"{make_inert(entry_kept['title'])}"
        )
    if file_read.cut:
        say("There is more in the file than was read; write the rest as a file of its own.")


@group.command("versions")
def versions(
    ctx: typer.Context, id: EntryArgument, organization: OrganizationOption = None
) -> None:
    """Show what each version of an entry changed, the newest first."""
    from data.records.core.kept_knowledge import EntryVersions

    engine, slug = engine_and_slug(ctx, organization)
    answer = engine.get(f"/v1/{slug}/knowledge/{id}/versions")
    items = EntryVersions.model_validate(answer).items
    if not items:
        say("It was not written here; only its file has it.")
    for item in items:
        note = f": {make_inert(item.note)}" if item.note else ""
        at = f"{item.written_at:%Y-%m-%d %H:%M} UTC"
        say(
            f"Version {item.number}, {item.state.value}, by {make_inert(item.author)} at {at}{note}"
        )
        for line in item.lines:
            print(f"  {make_inert(line)}")  # output of the command


@group.command("restore")
def restore(
    ctx: typer.Context,
    id: EntryArgument,
    version: Annotated[
        int | None, typer.Argument(help="The version; the last when left out.")
    ] = None,
    organization: OrganizationOption = None,
) -> None:
    """Let an entry count again, in the wording of a version."""
    _turn(ctx, organization, id, "restore", {"restore": version} if version else {})


@group.command("retire")
def retire(ctx: typer.Context, id: EntryArgument, organization: OrganizationOption = None) -> None:
    """Let nothing rest on an entry any more; it can be restored."""
    _turn(ctx, organization, id, "retire", {})


@group.command("hand-back")
def hand_back(
    ctx: typer.Context, id: EntryArgument, organization: OrganizationOption = None
) -> None:
    """Give an entry back to its file, which counts again."""
    _turn(ctx, organization, id, "hand-back", {})


@group.command("unanswered")
def unanswered(ctx: typer.Context, organization: OrganizationOption = None) -> None:
    """List what people asked and the knowledge did not answer, the newest first."""
    engine, slug = engine_and_slug(ctx, organization)
    items = engine.get(f"/v1/{slug}/knowledge/unanswered")["items"]
    if not items:
        say("Every question was answered.")
    for item in items:
        print(f"{item['case_id']}  {make_inert(item['question'], 200)}")  # output of the command


def _entry(engine: "Engine", slug: str, id: str) -> "EntryView":
    from data.records.core.learning import EntryView

    return EntryView.model_validate(engine.get(f"/v1/{slug}/knowledge/{id}"))


def _turn(
    ctx: typer.Context, organization: str | None, id: str, act: str, order: Mapping[str, object]
) -> None:
    engine, slug = engine_and_slug(ctx, organization)
    was = _entry(engine, slug, id).version
    entry_kept = engine.post(f"/v1/{slug}/knowledge/{id}/{act}", {**order, "was": was})
    state_text = (
        "retired"
        if entry_kept["retired"]
        else f"in use, kept in {make_inert(entry_kept['source'])}"
    )
    say(f"{entry_kept['id']} is {state_text}, version {entry_kept['version']}.")

"""`postern message files`: what came with a message, saved or drawn into a folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.outbox import write_anew
from flows.operating.command_context import make_inert, say

if TYPE_CHECKING:
    from flows.operating.engine_api import Engine

group = typer.Typer(help="Received messages.", no_args_is_help=True, rich_markup_mode=None)
LONGEST_NAME = 60
"""Characters of a sender's file name that are kept, from its end."""


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="message", short_help="Save and preview files of received mail.")


@group.command("files")
def list_files(
    ctx: typer.Context,
    message: Annotated[str, typer.Argument(help="Id of a message; `postern search` shows them.")],
    organization: OrganizationOption = None,
    save: Annotated[
        Path | None, typer.Option(help="Folder that the files are written into, as they came.")
    ] = None,
    preview: Annotated[
        Path | None,
        typer.Option(help="Folder for pictures and PDF pages, drawn anew as PNG with limits."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per file.")] = False,
) -> None:
    """List the files of a received message; save them, or pictures of them."""
    from data.counting import size_words
    from data.records.mail.views import MessageView

    engine, root = engine_at(ctx, organization)
    shown = MessageView.model_validate(engine.get(f"{root}/messages/{message}"))
    for folder in (save, preview):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    if not shown.attachments and not json:
        say("It has no files.")
    for number, file in enumerate(shown.attachments, 1):
        path = f"{root}/messages/{message}/attachments/{file.sha256}"
        name = f"{number}-{plain_name(file.filename)}"
        if json:
            print(file.model_dump_json())  # output of the command
        else:
            size = size_words(file.size_bytes)
            say(f"{make_inert(file.filename)}: {make_inert(file.content_type)}, {size}")
        if save is not None:
            write_anew(save, name, engine.fetch(path))
        if preview is not None:
            save_pages(engine, path, preview, name)


def plain_name(name: str) -> str:
    """Return a sender's file name as one that is safe to write behind a number."""
    letters = [letter if letter.isalnum() or letter in "._- " else "_" for letter in name]
    return "".join(letters)[-LONGEST_NAME:]


def save_pages(engine: "Engine", path: str, folder: Path, name: str) -> None:
    """Write the pages of a file that are drawn; say why where there are none."""
    from data.records.mail.documents import MOST_DRAWN_PAGES, PAGES_HEADER
    from data.refusals import RefusedError

    try:
        page, pages = engine.fetch_with(f"{path}/preview", PAGES_HEADER, page=1)
    except RefusedError as error:
        say(f"  Not drawn: {make_inert(str(error))}")
        return
    write_anew(folder, f"{name}.1.png", page)
    for number in range(2, min(int(pages or 1), MOST_DRAWN_PAGES) + 1):
        page, _ = engine.fetch_with(f"{path}/preview", PAGES_HEADER, page=number)
        write_anew(folder, f"{name}.{number}.png", page)

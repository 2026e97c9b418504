"""`postern outbox list | show | cancel`: what is about to leave, and taking it back."""

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.operating.command_context import make_inert, print_json_lines, print_table, say

group = typer.Typer(
    help="What is about to leave, and what has left.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="outbox", short_help="See what is about to leave; take it back.")


@group.command("list")
def list_outbox(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    scheduled: Annotated[
        bool, typer.Option("--scheduled", help="What leaves at a moment that somebody chose.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the replies of the outbox, newest first, at most 200."""
    from data.records.mail.outgoing_views import DeliveryView

    engine, root = engine_at(ctx, organization)
    listed = engine.get(f"{root}/outbox", scheduled=scheduled, limit=200)
    items = [DeliveryView.model_validate(item) for item in listed["items"]]
    if json:
        print_json_lines(items)
        return
    if not items:
        say("Nothing is to leave later." if scheduled else "The outbox is empty.")
        return
    lines: list[tuple[str, ...]] = []
    for item in items:
        leaves = f"{item.leaves_at:%Y-%m-%d %H:%M %Z}" if item.leaves_at else ""
        cells = (item.id, item.state, leaves, ", ".join(item.rcpt_to), item.subject)
        lines.append(cells)
    print_table(("delivery", "state", "leaves", "to", "subject"), lines)


@group.command("show")
def show(
    ctx: typer.Context,
    delivery: Annotated[
        str, typer.Argument(help="Id of a delivery; `postern outbox list` shows them.")
    ],
    organization: OrganizationOption = None,
    save: Annotated[
        Path | None, typer.Option(help="Folder that its files are written into.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show one entry of the outbox: to whom it goes, what it says, and the files it carries."""
    from data.counting import size_words
    from data.records.mail.outgoing_views import DeliveryView

    engine, root = engine_at(ctx, organization)
    delivery_view = DeliveryView.model_validate(engine.get(f"{root}/deliveries/{delivery}"))
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
        for file in delivery_view.attachments:
            content = engine.fetch(f"{root}/deliveries/{delivery}/attachments/{file.sha256}")
            write_anew(save, file.filename, content)
    if json:
        print(delivery_view.model_dump_json())  # output of the command
        return
    addresses_shown = [
        address for address in delivery_view.rcpt_to if address not in delivery_view.bcc
    ]
    say(f"{delivery_view.state}: {make_inert(delivery_view.subject)}")
    say(f"To: {make_inert(', '.join(addresses_shown))}")
    if delivery_view.bcc:
        say(f"Blind copy: {make_inert(', '.join(delivery_view.bcc))}")
    for file in delivery_view.attachments:
        say(f"Attached: {make_inert(file.filename)}, {size_words(file.size_bytes)}")
    for line in delivery_view.body.splitlines():
        print(make_inert(line))  # output of the command


def write_anew(folder: Path, name: str, content: bytes) -> None:
    """Write a file into a folder, and over none that is there.

    Raises:
        ConflictError: there is a file of that name.

    """
    from data.errors import ConflictError

    try:
        with (folder / name).open("xb") as file:
            file.write(content)
    except FileExistsError as error:
        raise ConflictError(
            f"{str(folder / name)!r} is there already; name another folder with --save"
        ) from error


@group.command("cancel")
def cancel(
    ctx: typer.Context,
    delivery: Annotated[
        str, typer.Argument(help="Id of a delivery; `postern outbox list` shows them.")
    ],
    organization: OrganizationOption = None,
) -> None:
    """Take a reply back before it leaves; its case is before a person again."""
    engine, root = engine_at(ctx, organization)
    engine.post(f"{root}/deliveries/{delivery}/cancel", {})
    say("Taken back.")

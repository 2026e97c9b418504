"""`postern search`: mail by its words, from the command line."""

from typing import Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import make_inert, print_table, say


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Find mail by its words.")(search)


def search(
    ctx: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            help="Words and operators: from: to: subject: file: before: after: has: is: tag:"
        ),
    ],
    organization: Annotated[
        str | None, typer.Option(help="Slug; the only organization when left out.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Most messages to show.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Find inbound mail by what stands in it, newest first; docs/operate.md lists the operators.

    \b
    postern search late invoice from:rook.example
    postern search '"table loom"' has:attachment after:2026-03
    """  # noqa: D301  # \b keeps the lines of the examples
    import orjson

    engine, slug = engine_and_slug(ctx, organization)
    page = engine.get(f"/v1/{slug}/messages", q=" ".join(words), limit=limit)
    if page["unsearched"]:
        say(f"{page['unsearched']} messages are not searched yet: the index is being made.")
    if json:
        for line in page["items"]:
            print(orjson.dumps(line).decode())  # output of the command
        return
    if not page["items"]:
        say("Nothing matches.")
        return
    lines = []
    for line in page["items"]:
        sender = line["sender"] or {"email": "", "name": ""}
        cells = (
            str(line["received_at"])[:16].replace("T", " "),
            make_inert(sender["name"] or sender["email"], 30),
            make_inert(line["subject"], 50),
            line["status"],
            line["id"],
        )
        lines.append(cells)
    print_table(("received", "from", "subject", "state", "id"), lines)
    if page["total"] > len(page["items"]):
        say(f"{page['total']} messages match; --limit shows more.")

"""`postern try`: what the stages make of a message, without state and without sending."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.command_context import console, settings_of

if TYPE_CHECKING:
    from data.settings import Settings
    from flows.tryout.trying import TriedMessage


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command("try", short_help="Show what each stage makes of a message.")(try_messages)


def try_messages(
    ctx: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help=".eml files, mbox, Maildir or folders; '-' is one message on stdin."),
    ] = None,
    until: Annotated[
        str,
        typer.Option(
            help="Last stage: parse, segment, automated, screen, authenticate, classify, context, "
            "plan, draft, check or route."
        ),
    ] = "route",
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object per message and line.")
    ] = False,
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl", help='Read lines {"id", "raw": base64} or {"id", "path"} on standard input.'
        ),
    ] = False,
    organization: Annotated[
        str | None, typer.Option(help="Whose policy, knowledge and tone; nobody's when left out.")
    ] = None,
) -> None:
    """Run the stages on raw messages and print what each decided and why.

    Nothing is stored and nothing is sent. What stops a message in the pipeline (quarantine) is
    shown and does not stop the later stages here.

    \b
    postern try letter.eml
    postern try letter.eml --until screen --json
    postern try --jsonl --until classify < messages.jsonl > answers.jsonl
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import NotFoundError
    from flows.tryout.trying import check_until, read_lines

    check_until(until)
    if not jsonl and not paths:
        raise NotFoundError("name a file to try, or give lines on standard input with --jsonl")
    settings = settings_of(ctx)
    if jsonl:
        answers = _answers(read_lines(sys.stdin.buffer), until, settings, organization)
    else:
        files = _read_files(paths or [])
        first = list(islice(files, 2))  # for one message a second process would only cost its start
        items = chain(first, files)
        answers = _answers(items, until, settings, organization, several=len(first) > 1)
    asyncio.run(_print_all(answers, as_json=json or jsonl))


def _read_files(paths: list[Path]) -> "Iterator[TriedMessage]":
    from connectors.mail_files import iter_messages
    from flows.tryout.trying import TriedMessage

    for path in paths:
        if str(path) == "-":
            yield TriedMessage("-", sys.stdin.buffer.read())
            continue
        for name, raw in iter_messages([path]):
            yield TriedMessage(name, raw)


async def _print_all(answers: AsyncIterator[bytes], *, as_json: bool) -> None:
    if as_json:
        async for line in answers:
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()
        return
    import orjson

    from flows.cli.mail.try_report import report

    screen = console()
    async for line in answers:
        screen.print(report(orjson.loads(line)))


def _answers(
    items: "Iterator[TriedMessage]",
    until: str,
    settings: "Settings",
    organization: str | None,
    *,
    several: bool = True,
) -> AsyncIterator[bytes]:
    from flows.tryout.trying import try_all

    if organization is None:
        return try_all(items, until, settings, several=several)
    from flows.tryout.organization import try_for

    return try_for(organization, items, until, settings, several=several)

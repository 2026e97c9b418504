"""`postern ingest | send`: mail from files, into the spool or over SMTP."""

from pathlib import Path
from typing import Annotated

import typer

from data.counting import plural
from flows.operating.command_context import say, settings_of


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.command(short_help="Take stored mail in, through the spool.")(ingest)
    app.command(short_help="Send messages from files over SMTP.")(send)


def ingest(
    ctx: typer.Context,
    paths: Annotated[
        list[Path], typer.Argument(help="mbox, Maildir, .eml files, or folders of them.")
    ],
    organization: Annotated[
        str | None, typer.Option(help="Slug of the organization that the mail belongs to.")
    ] = None,
    to: Annotated[
        str | None, typer.Option(help="Recipient of every message, in place of its own.")
    ] = None,
) -> None:
    """Take stored mail in through the spool, as if it had just arrived.

    Each message goes to those of its own recipients that the organization answers for, else to
    the organization's address. It is on disk when the command ends; the engine may be down.

    \b
    postern ingest archive.mbox
    postern ingest ~/Maildir --organization harbor
    """  # noqa: D301  # \b keeps the lines of the examples
    from flows.cli.mail.ingesting import IngestRecipients, ingest_paths

    settings = settings_of(ctx)
    ingested = ingest_paths(settings, paths, IngestRecipients.of(settings, organization, to))
    count = plural(ingested.count, "message")
    say(f"Took in {count} ({ingested.bytes / 1e6:.1f} MB) in {ingested.seconds:.1f} s.")
    for address, sent in ingested.by_address.most_common(10):
        say(f"  {sent:>6}  {address}")
    if ingested.left_out:
        say(f"Left out {len(ingested.left_out)}:")
        for line in ingested.left_out[:20]:
            say(f"  {line}")
        raise typer.Exit(1)


def send(
    ctx: typer.Context,
    paths: Annotated[list[Path], typer.Argument(help="mbox, Maildir, .eml files, or folders.")],
    to: Annotated[list[str], typer.Option(help="Recipient; give it again for more.")],
    from_: Annotated[
        str | None,
        typer.Option("--from", help="Envelope sender; '' is the null sender; else the mail's own."),
    ] = None,
    host: Annotated[str | None, typer.Option(help="Server; else our receiver.")] = None,
    port: Annotated[int | None, typer.Option(help="Its port; else our receiver's.")] = None,
) -> None:
    """Send messages from files over SMTP, to the receiver of these settings by default.

    \b
    postern send letter.eml --to help@harbor.example
    postern send *.eml --to help@harbor.example --from visitor@example.org
    """  # noqa: D301  # \b keeps the lines of the examples
    from connectors.line_ends import from_storage
    from connectors.mail_files import envelope_sender, iter_messages
    from data.errors import OutsideError
    from flows.core.services import find_reachable_host
    from flows.operating.smtp_hand import SmtpHand

    settings = settings_of(ctx)
    accepted = refused = 0
    where = (host or find_reachable_host(settings.smtp_host), port or settings.smtp_port)
    with SmtpHand(*where) as hand:
        for name, raw in iter_messages(paths):
            sender = envelope_sender(raw) if from_ is None else from_
            try:
                answer = hand.give(sender, to, from_storage(raw)[0])
            except OutsideError as error:
                refused += 1
                say(f"{name}: {error}")
                continue
            accepted += 1
            say(f"{name}: {answer}")
    say(f"{accepted} accepted, {refused} refused.")
    if refused or not accepted:
        raise typer.Exit(1)

"""`postern write`: a new mail to an address."""

from pathlib import Path
from typing import Annotated

import typer

from flows.operating.command_context import make_inert, say


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command("write", short_help="Begin a mail to an address.")(write)


def write(
    ctx: typer.Context,
    to: Annotated[str, typer.Argument(help="The address that it goes to.")],
    subject: Annotated[str, typer.Option(help="Its subject.")],
    text: Annotated[
        str | None, typer.Option(help="Its text; without it a person writes it in the window.")
    ] = None,
    text_file: Annotated[
        Path | None, typer.Option("--text-file", help="File that its text is read from, UTF-8.")
    ] = None,
    name: Annotated[str, typer.Option(help="Who that is, for the greeting.")] = "",
    cc: Annotated[
        list[str] | None, typer.Option(help="Who gets a copy; give it again for more.")
    ] = None,
    bcc: Annotated[
        list[str] | None, typer.Option(help="Who gets a blind copy, whom no header names.")
    ] = None,
    attach: Annotated[
        list[Path] | None, typer.Option(help="A file to attach; give it again for more.")
    ] = None,
    organization: Annotated[
        str | None,
        typer.Option("--organization", help="Slug; the only organization when left out."),
    ] = None,
) -> None:
    """Begin a mail to an address, also one that has never written; nothing leaves by it.

    It waits as a case for a person's approval, like a reply.

    \b
    postern write nora@alder.example --subject "Your loom" --text-file letter.txt --attach loom.pdf
    postern case show CASE
    postern case approve CASE --signs HASH
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.records.mail.views import CaseView
    from flows.cli.core.engine_reach import engine_at
    from flows.cli.mail.review.attaching import attach_files, list_files

    engine, root = engine_at(ctx, organization)
    letter = {
        "to": to,
        "name": name,
        "subject": subject,
        "body": _read_text(text_file) if text_file else text,
        "cc": cc or [],
        "bcc": bcc or [],
    }
    case = CaseView.model_validate(engine.post(f"{root}/letters", letter))
    say(f"Begun as case {case.id}, to {make_inert(', '.join(case.recipients))}.")
    list_files(attach_files(engine, root, case, attach or []))


def _read_text(path: Path) -> str:
    """Return what a file says.

    Raises:
        NotFoundError: it cannot be read.

    """
    from data.errors import NotFoundError

    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotFoundError(f"{str(path)!r} cannot be read as UTF-8 text: {error}") from error

"""`postern case attach | detach | files | copies`: files on a letter, and who gets a copy of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import OrganizationOption, engine_at
from flows.cli.mail.review.case_group import CaseArgument, group, read_case
from flows.operating.command_context import make_inert, say

if TYPE_CHECKING:
    from data.records.mail.views import CaseView
    from flows.operating.engine_api import Engine


@group.command("attach")
def attach(
    ctx: typer.Context,
    case: CaseArgument,
    files: Annotated[list[Path], typer.Argument(help="Files of this machine.")],
    organization: OrganizationOption = None,
) -> None:
    """Attach files to the letter of a case; what an approval signs changes with it."""
    engine, root = engine_at(ctx, organization)
    attached = attach_files(engine, root, read_case(engine, root, case), files)
    list_files(attached)


@group.command("detach")
def detach(
    ctx: typer.Context,
    case: CaseArgument,
    file: Annotated[str, typer.Argument(help="Name or id of a file, as `case show` gives it.")],
    organization: OrganizationOption = None,
) -> None:
    """Take a file off the letter of a case."""
    from data.errors import NotFoundError

    engine, root = engine_at(ctx, organization)
    case_view = read_case(engine, root, case)
    fits = [
        attachment
        for attachment in case_view.attachments
        if file in (attachment.id, attachment.filename)
    ]
    if len(fits) != 1:
        files_named = ", ".join(
            f"{make_inert(attachment.filename)} ({attachment.id})"
            for attachment in case_view.attachments
        )
        raise NotFoundError(
            f"the letter has {'several files' if fits else 'no file'} {file!r}; it has "
            f"{files_named or 'none'}"
        )
    order = {"version": case_view.version}
    engine.post(f"{root}/cases/{case}/attachments/{fits[0].id}/remove", order)
    say(f"Taken off: {make_inert(fits[0].filename)}.")


@group.command("files")
def files(
    ctx: typer.Context,
    case: CaseArgument,
    organization: OrganizationOption = None,
    preview: Annotated[
        Path | None,
        typer.Option(help="Folder for pictures and PDF pages, drawn anew as PNG with limits."),
    ] = None,
) -> None:
    """List the files on the letter of a case; with --preview write pictures of them."""
    from flows.cli.mail.messages import plain_name, save_pages

    engine, root = engine_at(ctx, organization)
    case_view = read_case(engine, root, case)
    list_files(case_view)
    if preview is None:
        return
    preview.mkdir(parents=True, exist_ok=True)
    for number, file in enumerate(case_view.attachments, 1):
        path = f"{root}/cases/{case}/attachments/{file.id}"
        save_pages(engine, path, preview, f"{number}-{plain_name(file.filename)}")


@group.command("copies")
def copies(
    ctx: typer.Context,
    case: CaseArgument,
    cc: Annotated[
        list[str] | None, typer.Option(help="Who gets a copy; '' for nobody. Again for more.")
    ] = None,
    bcc: Annotated[
        list[str] | None,
        typer.Option(help="Who gets a blind copy, whom no header names; '' for nobody."),
    ] = None,
    organization: OrganizationOption = None,
) -> None:
    """Say who gets a copy of the reply to a case, in place of who was chosen before."""
    from data.records.mail.views import CaseView

    engine, root = engine_at(ctx, organization)
    order = {
        "version": read_case(engine, root, case).version,
        "cc": None if cc is None else [address for address in cc if address],
        "bcc": None if bcc is None else [address for address in bcc if address],
    }
    after = CaseView.model_validate(engine.post(f"{root}/cases/{case}/copies", order))
    addresses_copied = [copy.address for copy in after.copies if copy.chosen]
    say(f"A copy goes to {', '.join(addresses_copied) or 'nobody'}.")
    say(f"A blind copy goes to {', '.join(after.bcc) or 'nobody'}.")
    say(f"An approval of it signs {after.approval_hash}.")


def attach_files(engine: "Engine", root: str, case: "CaseView", files: list[Path]) -> "CaseView":
    """Attach files to the letter of a case, one after the other; return the case as it is then.

    Raises:
        NotFoundError: a file cannot be read.
        UnfitError: one cannot be attached.

    """
    from data.errors import NotFoundError
    from data.records.mail.views import CaseView

    for path in files:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise NotFoundError(f"{str(path)!r} cannot be read: {error.strerror}") from error
        case = CaseView.model_validate(
            engine.upload(
                f"{root}/cases/{case.id}/attachments",
                content,
                version=case.version,
                name=path.name,
            )
        )
    return case


def list_files(case: "CaseView") -> None:
    """Say what the letter of a case carries, what to know of it, and what an approval signs."""
    from data.counting import size_words

    for file in case.attachments:
        say(f"Attached: {make_inert(file.filename)}, {size_words(file.size_bytes)} ({file.id})")
        for warning in file.warnings:
            say(f"  {make_inert(warning)}")
    say(f"An approval of it signs {case.approval_hash}.")

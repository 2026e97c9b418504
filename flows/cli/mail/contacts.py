"""`postern contact export | erase`: what is held on one person, to hand out and to delete."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from data.counting import plural
from flows.cli.core.engine_reach import OrganizationOption, engine_and_slug
from flows.operating.command_context import console, hand_over, make_inert, say

if TYPE_CHECKING:
    from data.records.mail.contacts import Holdings

group = typer.Typer(
    help="One contact: everything that is held on them, exported or erased.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
AlsoOption = Annotated[
    list[str] | None,
    typer.Option(help="Another address of the same person; give it again for more."),
]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="contact", short_help="Export or erase what is held on one contact.")


@group.command("export")
def export(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(help="Their address; forms with a plus count too.")],
    also: AlsoOption = None,
    organization: OrganizationOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Zip file to write.")
    ] = None,
) -> None:
    """Write everything that is held on one contact: JSON Lines by table, and mail as .eml.

    \b
    postern contact export mara@heron.example -o mara.zip
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import NotFoundError

    if output is None and sys.stdout.isatty():
        raise NotFoundError("a zip is not for the terminal; name a file with -o")
    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/contact/export"
    content = engine.fetch(path, address=[address, *(also or ())])
    if hand_over(content, output):
        say(f"Wrote {len(content):,} bytes to {output}; it holds personal data.")


@group.command("erase")
def erase(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(help="Their address; forms with a plus count too.")],
    also: AlsoOption = None,
    organization: OrganizationOption = None,
    keep_learned: Annotated[
        bool,
        typer.Option("--keep-learned", help="Keep accepted knowledge that came from their cases."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Erase without asking.")] = False,
) -> None:
    """Erase everything that is held on one contact, and the bytes of it in the files.

    It shows first what would go, and asks. The audit log keeps that it was done, by whom and when.
    There is no way back; `postern contact export` before it, if somebody may need it.

    \b
    postern contact erase mara@heron.example
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.records.mail.contacts import EraseContact, Erased, Holdings
    from flows.mail.people.holdings import refuse

    engine, slug = engine_and_slug(ctx, organization)
    path = f"/v1/{slug}/contact"
    holdings = Holdings.model_validate(engine.get(path, address=[address, *(also or ())]))
    if not holdings.nothing:
        _show(holdings)
    refuse(holdings)
    if not yes and not typer.confirm("Erase all of it for good?", err=True):
        say("Nothing was erased.")
        raise typer.Exit(1)
    erase_contact = EraseContact(address=address, also=tuple(also or ()), keep_learned=keep_learned)
    done = Erased.model_validate(
        engine.post(f"{path}/erase", erase_contact.model_dump(mode="json"))
    )
    rows = plural(sum(done.rows.values()), "row")
    say(f"Erased: {rows} and {plural(done.files, 'file')}.")
    if not done.finished:
        say(f"Not finished: {done.note}.")
        raise typer.Exit(1)


def _show(holdings: "Holdings") -> None:
    from rich.table import Table

    table = Table(
        "held on " + make_inert(", ".join(holdings.addresses)), "count", box=None, pad_edge=False
    )
    counted = {name.replace("_", " "): number for name, number in holdings.rows.items()}
    counted |= {"raw mail and replies": holdings.files, "replies as files": holdings.replies_out}
    counted |= {f"lines of {name}": number for name, number in holdings.sources.items()}
    counted |= {"audit events (stay, without words)": holdings.audit}
    for name, number in counted.items():
        if number:
            table.add_row(name, str(number))
    console(err=True).print(table, markup=False)
    for sentence in holdings.stays:
        say(f"- {make_inert(sentence)}")

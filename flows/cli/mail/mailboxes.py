"""`postern mailbox list | check | poll`: mail that is read over IMAP."""

from typing import TYPE_CHECKING, Annotated

import typer

from data.counting import plural
from flows.cli.core.engine_reach import engine_and_slug
from flows.cli.mail import mailbox_naming, mailbox_versions
from flows.operating.command_context import console, make_inert, print_json_lines, say, settings_of

if TYPE_CHECKING:
    from data.records.mail.mailboxes import MailboxPoll, MailboxSight

group = typer.Typer(
    help="Mailboxes that are read over IMAP: how they are doing, a check, a poll.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
MailboxArgument = Annotated[str | None, typer.Argument(help="Which mailbox; all when left out.")]
OrganizationOption = Annotated[
    str | None, typer.Option(help="Slug; the only organization when left out.")
]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    mailbox_naming.register(group)
    mailbox_versions.register(group)
    app.add_typer(group, name="mailbox", short_help="List, check and poll IMAP mailboxes.")


@group.command("list")
def show_all(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show each mailbox: last poll, last error, and how much was taken."""
    from flows.operating.engine_api import engine_of
    from flows.operating.mailbox_orders import standing_line, standings
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    standings_read = standings(engine, organization_named(engine, organization))
    if json:
        print_json_lines(standings_read)
        return
    if not standings_read:
        say("No mailbox is configured; docs/configuration.md says how.")
    for standing in standings_read:
        console().print(standing_line(standing), markup=False, highlight=False)


@group.command("remove")
def remove(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="One that is kept by Postern.")],
    organization: OrganizationOption = None,
) -> None:
    """Forget a mailbox that `add` or the window has kept, and its secrets."""
    engine, slug = engine_and_slug(ctx, organization)
    engine.delete(f"/v1/{slug}/mailboxes/{name}")
    say(f"Mailbox {name} is forgotten; what was taken from it stays.")


@group.command("check")
def check(
    ctx: typer.Context, name: MailboxArgument = None, organization: OrganizationOption = None
) -> None:
    """Log in, look at the folders, and say what a poll would take. Takes and marks nothing.

    While an engine runs, it does the looking: it is the one that needs the password.
    """
    from data.errors import PosternError
    from flows.operating import mailbox_orders as orders
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    settings, engine = settings_of(ctx), engine_of(ctx)
    of = organization_named(engine, organization)
    well = True
    for account in orders.choose_mailboxes(settings, of, name):
        try:
            sight = orders.check(engine, of, account)
        except PosternError as error:
            say(f"{account.name}: {error}")
            well = False
            continue
        _draw_sight(sight)
        well &= not sight.troubles
    if not well:
        raise typer.Exit(1)


@group.command("poll")
def poll(
    ctx: typer.Context, name: MailboxArgument = None, organization: OrganizationOption = None
) -> None:
    """Take what is new into the spool, once. It is on disk when the command ends.

    \b
    postern mailbox check
    postern mailbox poll support --organization harbor
    """  # noqa: D301  # \b keeps the lines of the examples
    from flows.operating import mailbox_orders as orders
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    settings, engine = settings_of(ctx), engine_of(ctx)
    of = organization_named(engine, organization)
    well = True
    for account in orders.choose_mailboxes(settings, of, name):
        report = orders.poll(engine, of, account)
        _draw_poll(report)
        while report.more and not report.failed:
            report = orders.poll(engine, of, account)
            _draw_poll(report)
        well &= not report.troubles
    if not well:
        raise typer.Exit(1)


def _draw_sight(sight: "MailboxSight") -> None:
    way = "TLS" if sight.encrypted else "plain text"
    can = [word for word, there in (("IDLE", sight.idle), ("MOVE", sight.move)) if there]
    print(
        f"{sight.name}: {sight.server} by {way}, offers {', '.join(can) or 'neither IDLE nor MOVE'}"
    )
    states = {"new": "not polled yet", "known": "polled before", "changed": "UIDVALIDITY changed"}
    for folder in sight.folders:
        large = f", {folder.too_large} of them too large" if folder.too_large else ""
        print(
            f"  {make_inert(folder.folder)}: {plural(folder.messages, 'message')} "
            f"({states[folder.state]}); a poll would look at {folder.waiting}{large}"
        )
    for trouble in sight.troubles:
        say(f"  {make_inert(trouble)}")


def _draw_poll(report: "MailboxPoll") -> None:
    parts = {"taken": report.taken, "known": report.known}
    parts |= {"too large": report.too_large, "left": report.left}
    counts = ", ".join(
        f"{count} {word}" for word, count in parts.items() if count or word == "taken"
    )
    print(f"{report.name}: {counts}")
    for trouble in report.troubles:
        say(f"  {make_inert(trouble)}")

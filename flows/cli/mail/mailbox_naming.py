"""`postern mailbox add | trust`: a mailbox, how it is signed in to, and a private CA of its own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import first_line, make_inert, say

if TYPE_CHECKING:
    from data.records.core.authorities import Authority
    from data.records.mail.mailboxes import MailboxStanding

OrganizationOption = Annotated[
    str | None, typer.Option(help="Slug; the only organization when left out.")
]


def register(group: typer.Typer) -> None:
    """Put the commands into the group of mailboxes."""
    group.command("add")(add)
    group.command("trust")(trust)


def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="Short name: a-z, 0-9 and '-'.")],
    host: Annotated[str, typer.Option(help="The IMAP server, as its certificate names it.")],
    user: Annotated[str, typer.Option(help="Login name.")],
    password_file: Annotated[
        Path | None,
        typer.Option(
            help="File with the password; asked for without.", exists=True, dir_okay=False
        ),
    ] = None,
    token_url: Annotated[
        str, typer.Option(help="OAuth 2: the token endpoint; then no password is asked for.")
    ] = "",
    client_id: Annotated[str, typer.Option(help="OAuth 2: id of the application.")] = "",
    client_secret_file: Annotated[
        Path | None,
        typer.Option(
            help="OAuth 2: file with its secret, if it has one.", exists=True, dir_okay=False
        ),
    ] = None,
    refresh_token_file: Annotated[
        Path | None,
        typer.Option(
            help="OAuth 2: file with what consent has brought; else by its own right.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    scope: Annotated[str, typer.Option(help="OAuth 2: what the token is for.")] = "",
    token_ca: Annotated[
        bool, typer.Option("--token-ca", help="OAuth 2: the endpoint is of the private CA too.")
    ] = False,
    ca: Annotated[
        Path | None,
        typer.Option(help="Certificate of a private CA.", exists=True, dir_okay=False),
    ] = None,
    folder: Annotated[
        list[str] | None, typer.Option(help="A folder to read; again for more (default: INBOX).")
    ] = None,
    port: Annotated[int, typer.Option(help="Its port (default: 993, or 143).")] = 0,
    tls: Annotated[str, typer.Option(help="implicit, starttls, or none (loopback).")] = "implicit",
    after: Annotated[
        str, typer.Option(help="What is done there to what is safe: seen, keyword or leave.")
    ] = "seen",
    since: Annotated[int, typer.Option(help="Days of mail that the first look takes.")] = 7,
    organization: OrganizationOption = None,
) -> None:
    """Keep a mailbox to fetch from; its secrets become files that only Postern may read.

    \b
    postern mailbox add support --host imap.harbor.example --user help@harbor.example
    postern mailbox add support --host imap.gmail.com --user help@harbor.example \\
      --token-url https://oauth2.googleapis.com/token --client-id 1234567890-harbor \\
      --client-secret-file google.secret --refresh-token-file google.refresh
    """  # noqa: D301  # \b keeps the lines of the examples
    order: dict[str, object] = {
        "host": host,
        "port": port,
        "tls": tls,
        "user": user,
        "folders": folder or ["INBOX"],
        "after": after,
        "since": since,
        "ca_pem": _pem(ca),
    }
    if token_url:
        order["oauth"] = {
            "token_url": token_url,
            "client_id": client_id,
            "has_secret": client_secret_file is not None,
            "client_secret": first_line(client_secret_file),
            "refreshes": refresh_token_file is not None,
            "refresh_token": first_line(refresh_token_file),
            "scope": scope,
            "private_ca": token_ca,
        }
    elif password_file:
        order["password"] = first_line(password_file)
    else:
        order["password"] = typer.prompt("Password", hide_input=True)
    engine, slug = engine_and_slug(ctx, organization)
    engine.put(f"/v1/{slug}/mailboxes/{name}", order)
    say(f"Mailbox {name} is kept; `postern mailbox check {name}` looks whether it works.")


def trust(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(help="One that is kept by Postern.")],
    ca: Annotated[
        Path | None,
        typer.Option(help="Certificate of a private CA, PEM or DER.", exists=True, dir_okay=False),
    ] = None,
    system: Annotated[bool, typer.Option("--system", help="Trust its private CA no more.")] = False,
    organization: OrganizationOption = None,
) -> None:
    """Show whom a mailbox's server is verified by, or give a private CA that counts for it alone.

    \b
    postern mailbox trust support --ca house-ca.pem
    postern mailbox trust support --system
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError

    if ca is not None and system:
        raise ManifestError("'--ca' and '--system' say two things; choose one")
    engine, slug = engine_and_slug(ctx, organization)
    standing = _find_kept(engine.get(f"/v1/{slug}/mailboxes"), name)
    if (ca is not None or system) and standing.kept is not None:
        order = standing.kept.model_copy(update={"ca_pem": _pem(ca)})
        if order.oauth and system:
            oauth = order.oauth.model_copy(update={"private_ca": False})
            order = order.model_copy(update={"oauth": oauth})
        changed = engine.put(f"/v1/{slug}/mailboxes/{name}", order.model_dump(mode="json"))
        standing = _find_kept(changed, name)
    for authority in standing.authorities:
        print(_describe_authority(authority))  # output of the command
    if not standing.authorities:
        print("The system's certificates count.")


def _find_kept(listed: object, name: str) -> "MailboxStanding":
    """Return how a mailbox is kept; raises NotFoundError where none of that name is."""
    from data.errors import NotFoundError
    from data.records.mail.mailboxes import MailboxStanding

    standings = [MailboxStanding.model_validate(item) for item in listed]  # type: ignore[attr-defined]
    for standing in standings:
        if standing.name == name and standing.kept is not None:
            return standing
    raise NotFoundError(
        f"no mailbox {name!r} is kept by Postern; for one of mailboxes.yaml write 'ca_file' there"
    )


def _describe_authority(authority: "Authority") -> str:
    kind = "a CA" if authority.signs_others else "the server's own, it signed itself"
    return f"{make_inert(authority.subject, 200)}: {kind}, until {authority.expires_at:%Y-%m-%d}"


def _pem(path: Path | None) -> str:
    from data.tls import pem_of

    return pem_of(path.read_bytes()) if path is not None else ""

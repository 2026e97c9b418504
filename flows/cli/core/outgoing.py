"""`postern outgoing`: how approved replies leave, and a check of the relay."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.command_context import first_line, make_inert, say

if TYPE_CHECKING:
    from data.records.core.setting_views import OutgoingView


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Show or change how approved replies leave.")(outgoing)


def outgoing(
    ctx: typer.Context,
    ask: Annotated[
        bool, typer.Option("--ask", help="Sign in to the relay; no mail is handed over.")
    ] = False,
    relay: Annotated[
        str | None, typer.Option(help="Server that takes approved replies from now on.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Its port.", min=1, max=65535)] = None,
    tls: Annotated[str | None, typer.Option(help="Encryption: starttls, implicit or none.")] = None,
    user: Annotated[str | None, typer.Option(help="Login there; empty for none.")] = None,
    password_file: Annotated[
        Path | None, typer.Option(help="File with the password.", exists=True, dir_okay=False)
    ] = None,
    mailbox: Annotated[
        str | None,
        typer.Option(help="Sign in by this mailbox's access tokens (organization/name)."),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option(help="Certificate of a private CA of it.", exists=True, dir_okay=False),
    ] = None,
    system: Annotated[bool, typer.Option("--system", help="Trust its private CA no more.")] = False,
    files: Annotated[
        bool, typer.Option("--files", help="Make files of replies, which reach nobody.")
    ] = False,
    default: Annotated[
        bool, typer.Option("--default", help="Keep nothing else here than what comes by default.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show how approved replies leave, or change that while Postern runs.

    \b
    postern outgoing --relay smtp.harbor.example --port 587 --user postern --password-file relay.txt
    postern outgoing --relay smtp.gmail.com --port 587 --mailbox harbor/support
    postern outgoing --ca house-ca.pem
    postern outgoing --ask
    postern outgoing --files
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError
    from data.records.core.setting_views import OutgoingView
    from data.tls import pem_of
    from flows.operating.engine_api import engine_of

    if files and relay is not None:
        raise ManifestError("'--files' and '--relay' are two ways out; choose one")
    if system and ca is not None:
        raise ManifestError("'--ca' and '--system' say two things; choose one")
    engine = engine_of(ctx)
    change = {
        "transport": "file" if files else "smtp" if relay is not None else None,
        "relay_host": relay,
        "relay_port": port,
        "relay_tls": tls,
        "relay_user": user,
        "relay_mailbox": mailbox if user is None or mailbox else "",
        "relay_ca": pem_of(ca.read_bytes()) if ca else "" if system else None,
        "relay_password": first_line(password_file) if password_file else None,
    }
    changes: dict[str, object] = {
        name: value for name, value in change.items() if value is not None
    }
    if default:
        before = OutgoingView.model_validate(engine.get("/v1/outgoing"))
        changes["defaults"] = [name for name in before.kept_here if name not in changes]
    if changes.get("defaults") or len(changes) > default:
        engine.put("/v1/settings", {"change": changes})
        say("Kept; it counts from the next reply on.")
    asked = {"ask": "true"} if ask else {}
    view = OutgoingView.model_validate(engine.get("/v1/outgoing", **asked))
    if json:
        print(view.model_dump_json())  # output of the command
        return
    say(_describe_outgoing(view))


def _describe_outgoing(view: "OutgoingView") -> str:
    if view.transport == "file":
        return f"Approved replies become files in {make_inert(view.folder, 300)}, and reach nobody."
    answers = {
        None: "It was not asked now.",
        True: "It lets us in.",
        False: f"It does not let us in: {make_inert(view.trouble, 400)}",
    }
    sentences = [
        f"Approved replies are handed to {make_inert(view.where, 300)}.",
        answers[view.answers],
    ]
    if view.relay_mailbox:
        sentences.append(
            f"It is signed in to by the access tokens of mailbox {view.relay_mailbox}."
        )
    sentences += [
        f"Its private CA is {make_inert(authority.subject, 200)}, "
        f"until {authority.expires_at:%Y-%m-%d}."
        for authority in view.authorities
    ]
    return " ".join(sentences)

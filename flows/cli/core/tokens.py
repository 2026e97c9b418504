"""`postern token add | list | revoke`: who may sign in to the review window and the API."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.command_context import print_json_lines, print_table, say, settings_of

if TYPE_CHECKING:
    from data.records.core.tokens import NewToken
    from data.settings import Settings
    from flows.operating.engine_api import Engine

group = typer.Typer(
    help="Tokens: who may sign in to the review window and the API.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="token", short_help="Make, list and revoke sign-in tokens.")


@group.command("add")
def add(
    ctx: typer.Context,
    user: Annotated[
        str, typer.Argument(help="A name, as the audit log shows it, or a user's address or id.")
    ],
    organization: Annotated[
        str | None,
        typer.Option(help="Slug of the only organization it opens; the only one when left out."),
    ] = None,
    admin: Annotated[
        bool, typer.Option("--admin", help="An administrator: all organizations, all tokens.")
    ] = False,
) -> None:
    """Make a token for a person, and print the link that signs them in.

    The token is shown this once; Postern keeps its hash.

    \b
    postern token add maud --organization harbor
    postern token add ola --admin
    postern token add maud@harbor.example
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ConflictError, ManifestError
    from data.records.core.tokens import NewToken
    from flows.cli.core.people import user_named
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    settings = settings_of(ctx)
    if admin and organization:
        raise ConflictError("an administrator sees every organization; leave one of the two out")
    if not user.strip():
        raise ManifestError("a token needs the name of a person; write it after `token add`")
    if "@" in user or user.startswith("user-"):
        if admin or organization:
            raise ConflictError("what a user may do is changed by `postern user set`")
        engine = engine_of(ctx)
        owner = user_named(engine, user)
        _add(engine, settings, NewToken(user=owner.name, user_id=owner.id))
        return
    engine = engine_of(ctx)
    token_organization = organization_named(engine, organization) if not admin else None
    new_token = NewToken(
        user=user,
        role="admin" if admin else "reviewer",
        organization=token_organization and token_organization.slug,
    )
    _add(engine, settings, new_token)


def _add(engine: "Engine", settings: "Settings", order: "NewToken") -> None:
    """Make a token, and print the link that signs its user in."""
    from flows.core.services import list_addresses

    token = str(engine.post("/v1/tokens", order.model_dump(mode="json"))["token"])
    print(list_addresses(settings, token)["Review window"])  # output of the command
    user = order.user
    say(f"This link signs {user!r} in, and is shown this once; for the API the token is {token}")


@group.command("list")
def show_all(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show whose tokens there are and which were revoked; never a token itself."""
    from data.records.core.tokens import TokenEntry
    from flows.operating.engine_api import engine_of

    tokens = [
        TokenEntry.model_validate(token_fields) for token_fields in engine_of(ctx).get("/v1/tokens")
    ]
    if json:
        print_json_lines(tokens)
        return
    if not tokens:
        say("No token yet; `postern token add NAME` makes one, and so does the first `postern up`.")
        return
    print_table(
        ("id", "user", "role", "organization", "made", "revoked"),
        (
            (
                token.id,
                token.user,
                token.role,
                token.organization or ("all" if token.role else ""),
                f"{token.created_at:%Y-%m-%d}",
                f"{token.revoked_at:%Y-%m-%d}" if token.revoked_at else "",
            )
            for token in tokens
        ),
    )


@group.command("revoke")
def revoke(
    ctx: typer.Context, token_id: Annotated[str, typer.Argument(help="Its id in `token list`.")]
) -> None:
    """Take a token back: whoever uses it is refused from the next call on."""
    from urllib.parse import quote

    from flows.operating.engine_api import engine_of

    engine_of(ctx).delete(f"/v1/tokens/{quote(token_id, safe='')}")
    say(f"Token {token_id!r} opens nothing any more.")

"""`postern dkim set | record | off`: signing replies (RFC 6376)."""

from typing import Annotated

import typer

from flows.operating.command_context import say, settings_of

group = typer.Typer(
    help="DKIM: sign replies, and print the DNS record to publish.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
OrganizationOption = Annotated[
    str | None, typer.Option(help="Its slug; the only one when left out.")
]


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="dkim", short_help="Sign replies; print the DNS record.")


@group.command("set")
def set_dkim(
    ctx: typer.Context,
    organization: OrganizationOption = None,
    domain: Annotated[
        str | None, typer.Option(help="Signing domain; that of its first address when left out.")
    ] = None,
    selector: Annotated[str, typer.Option(help="Name of the key in the DNS.")] = "postern",
    key: Annotated[
        str | None,
        typer.Option(help="File with an RSA key in PEM; one is made in secrets/dkim otherwise."),
    ] = None,
) -> None:
    """Sign the replies of an organization from now on.

    A receiver that does not find the key in the DNS ignores the signature: publish the record first
    where that matters, then `postern doctor` compares it with the key.
    """
    from pathlib import Path

    from data.errors import ManifestError
    from data.records.core.organization import Dkim
    from flows.mail.leaving import signing
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    settings, engine = settings_of(ctx), engine_of(ctx)
    owner = organization_named(engine, organization)
    domain = (domain or owner.addresses[0].rpartition("@")[2]).lower().rstrip(".")
    try:
        file = str(Path(key).resolve()) if key else f"{domain}.{selector}.pem"
        dkim = Dkim(domain=domain, selector=selector, key_file=file)
    except ValueError as error:
        raise ManifestError(
            f"{domain!r} with selector {selector!r} cannot be a name in the DNS; use a-z, 0-9, '-'"
        ) from error
    if not key and signing.make_key(settings, dkim):
        say(f"Made the key {signing.locate_key(settings, dkim)}.")
    signing.build_dns_record(settings, dkim)
    order = {"dkim": dkim.model_dump(mode="json")}
    engine.put(f"/v1/organizations/{owner.slug}/dkim", order)
    say(f"Replies of {owner.slug!r} are signed for {domain}. Publish this record:")
    print(
        signing.format_zone_line(*signing.build_dns_record(settings, dkim))
    )  # output of the command


@group.command("record")
def record(
    ctx: typer.Context,
    organization: OrganizationOption = None,
) -> None:
    """Print the DNS record of an organization's key, as a line of a zone file."""
    from data.errors import NotFoundError
    from flows.mail.leaving import signing
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    settings = settings_of(ctx)
    owner = organization_named(engine_of(ctx), organization)
    if owner.dkim is None:
        raise NotFoundError(
            f"{owner.slug!r} does not sign its replies; begin with `postern dkim set`"
        )
    print(
        signing.format_zone_line(*signing.build_dns_record(settings, owner.dkim))
    )  # output of the command


@group.command("off")
def off(
    ctx: typer.Context,
    organization: OrganizationOption = None,
) -> None:
    """Sign replies no longer; the key stays where it is."""
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    owner = organization_named(engine, organization)
    engine.put(f"/v1/organizations/{owner.slug}/dkim", {"dkim": None})
    say(f"Replies of {owner.slug!r} are not signed here any more.")

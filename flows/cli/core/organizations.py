"""`postern organization add | list | show | edit | sync | webhook`: who Postern works for."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.command_context import console, make_inert, say, settings_of

if TYPE_CHECKING:
    from flows.operating.engine_api import Engine

SlugArgument = Annotated[str | None, typer.Argument(help="Which one; the only one when left out.")]
"""The argument by which a command is told which organization is meant."""

group = typer.Typer(
    help="Organizations: who Postern works for, and which addresses it answers.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="organization", short_help="Add, change and show organizations.")


@group.command("add")
def add(
    ctx: typer.Context,
    slug: Annotated[str, typer.Argument(help="Short name in folders: a-z, 0-9 and '-'.")],
    name: Annotated[str | None, typer.Option(help="What it is called in letters.")] = None,
    address: Annotated[
        list[str] | None,
        typer.Option(help="An address it answers for; give it again for more. The first replies."),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="ISO 639-1 code it writes in when in doubt (default: en).")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(help="Its time zone, e.g. Europe/Lisbon (default: UTC).")
    ] = None,
    signature: Annotated[str | None, typer.Option(help="Lines under every reply.")] = None,
    signature_file: Annotated[
        Path | None, typer.Option(help="The same, from a file.", exists=True, dir_okay=False)
    ] = None,
    tone: Annotated[str | None, typer.Option(help="How it writes, in a sentence.")] = None,
    from_folder: Annotated[
        Path | None,
        typer.Option(
            help="Folder with organization.yaml, policy.yaml, knowledge/, saved_replies/, "
            "contacts.csv, accounts.csv, history.jsonl; options win over organization.yaml."
        ),
    ] = None,
) -> None:
    """Make an organization, its folder and a route for each of its addresses.

    \b
    postern organization add harbor --name "Harbor Museum" --address help@harbor.example
    postern organization add fieldfare-audio --from-folder data/samples/fieldfare-audio
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ConflictError
    from data.manifest_files import read_text
    from flows.operating import organization_folder
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import known_organizations

    settings, engine = settings_of(ctx), engine_of(ctx)
    fields = organization_folder.read_profile(from_folder) if from_folder else {}
    if signature_file:
        signature = read_text(signature_file)
    options = {"name": name, "addresses": address, "language": language}
    options |= {"timezone": timezone, "signature": signature, "tone": tone}
    fields |= {key: value for key, value in options.items() if value is not None}
    organization = organization_folder.make_profile(_complete_profile(fields, slug))
    if slug in {known_organization.slug for known_organization in known_organizations(engine)}:
        raise ConflictError(f"organization {slug!r} exists already; choose another slug")
    copied = organization_folder.copy_sources(from_folder, settings, slug) if from_folder else []
    engine.post("/v1/organizations", organization.model_dump(mode="json"))
    folder = organization_folder.sources_folder(settings, slug)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    say(f"Added {organization.name!r}, which answers for {', '.join(organization.addresses)}.")
    if copied:
        say(f"Copied {', '.join(copied)} to {folder}.")
    say(f"Its policy and knowledge are files in {folder}; docs/configuration.md says which.")
    if engine.running:
        loaded = _load_sources(engine, slug)
        say("The running engine has loaded them; it does so again each hour.")
        _tell_faults(loaded)
    else:
        say("Next: `postern up`, which loads them at the start and then each hour.")


def _complete_profile(fields: dict[str, object], slug: str) -> dict[str, object]:
    """Return the fields of a profile with its slug, and with that as its name where it has none.

    Raises:
        ManifestError: there is no address, or one that is none.

    """
    from data.errors import ManifestError

    addresses = fields.get("addresses")
    if not addresses:
        raise ManifestError(
            f"organization {slug!r} needs an address to answer for; give --address help@…"
        )
    if not isinstance(addresses, list | tuple):
        raise ManifestError("'addresses' of the organization has to be a list: [help@…, shop@…]")
    wrong = [address for address in addresses if "@" not in str(address).strip("@")]
    if wrong:
        raise ManifestError(f"{wrong[0]!r} is no mail address; write it as name@domain")
    return {"name": slug, **fields, "slug": slug}


@group.command("list")
def show_all(
    ctx: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """Show every organization and the addresses it answers for."""
    from rich.table import Table

    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import known_organizations, no_organization

    organizations = known_organizations(engine_of(ctx))
    if json:
        for organization in organizations:
            print(organization.model_dump_json())  # output of the command
        return
    if not organizations:
        say(no_organization())
        return
    table = Table("slug", "name", "addresses", "language", box=None, pad_edge=False)
    for own_organization in organizations:
        table.add_row(
            own_organization.slug,
            own_organization.name,
            ", ".join(own_organization.addresses),
            own_organization.language,
        )
    console().print(table, markup=False)


@group.command("show")
def show(
    ctx: typer.Context,
    slug: SlugArgument = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show one organization with its people, signature and policy."""
    from flows.operating.engine_api import engine_of
    from flows.operating.organization_folder import policy_of
    from flows.operating.organizations import organization_named

    settings, engine = settings_of(ctx), engine_of(ctx)
    organization = organization_named(engine, slug)
    if json:
        print(organization.model_dump_json(indent=2))  # output of the command
        return
    folder = settings.organizations / organization.slug
    policy = policy_of(engine, settings, organization.slug)
    rows = {
        "name": organization.name,
        "addresses": ", ".join(organization.addresses),
        "language": organization.language,
        "time zone": organization.timezone,
        "tone": organization.tone,
        "signature": organization.signature.strip(),
        "people": "\n".join(
            f"{person.name} <{person.email}>  {person.role}" for person in organization.people
        ),
        "policy": f"mode {policy.mode}, confidence threshold {policy.confidence_threshold}",
        "folder": str(folder),
    }
    _print_fields(organization.slug, rows)


@group.command("sync")
def sync(
    ctx: typer.Context,
    slug: SlugArgument = None,
) -> None:
    """Load what changed in an organization's files now, instead of within the hour."""
    from flows.operating.engine_api import engine_of
    from flows.operating.organization_folder import own_policy, sources_folder
    from flows.operating.organizations import organization_named

    settings, engine = settings_of(ctx), engine_of(ctx)
    organization = organization_named(engine, slug)
    own_policy(settings, organization.slug)  # a mistake in it is told here, not in a log
    folder = sources_folder(settings, organization.slug)
    if not engine.running:
        say(f"No engine runs; `postern up` loads {folder} when it starts.")
        return
    loaded = _load_sources(engine, organization.slug)
    news = "what changed is carried on" if loaded["changed"] else "nothing has changed"
    mode = engine.get(f"/v1/{organization.slug}/policy")["policy"]["mode"]
    say(f"Loaded {folder}: {news}; mode {mode}.")
    _tell_faults(loaded)
    if loaded["errors"]:
        say("What these held before stays in use; mend them and run this again.")
        raise typer.Exit(1)


@group.command("webhook")
def webhook(
    ctx: typer.Context,
    slug: SlugArgument = None,
) -> None:
    """Print the secret with which another system signs the mail that it hands in over HTTP."""
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    settings, engine = settings_of(ctx), engine_of(ctx)
    organization = organization_named(engine, slug)
    keys = engine.get(f"/v1/organizations/{organization.slug}/webhook")
    print(keys["webhook_secret"])  # output of the command
    say(f"Signs POST {settings.api_url}/webhooks/inbound for {organization.slug!r};")
    say("docs/api.md says how. Whoever has it can hand in mail for this organization.")


def _load_sources(engine: "Engine", slug: str) -> dict[str, list[str]]:
    """Have the running engine load an organization's sources.

    Return what came of it: which have `changed`, and sentences on `errors` and `warnings`.
    """
    loaded: dict[str, list[str]] = engine.post(f"/v1/organizations/{slug}/sync", {})
    return loaded


def _tell_faults(loaded: dict[str, list[str]]) -> None:
    """Say what the engine could not use of an organization's files, and what it doubts."""
    for error in loaded["errors"]:
        say(f"Not loaded: {make_inert(error)}")
    for warning in loaded["warnings"]:
        say(f"Doubtful: {make_inert(warning)}")


def _print_fields(title: str, rows: dict[str, str]) -> None:
    """Print names and values as a table of two columns below a title."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), show_header=False, box=None, title_justify="left")
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, value in rows.items():
        table.add_row(name, Text(value))
    console().print(table)

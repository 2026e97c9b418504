"""`postern model-setup`: who thinks, with which models, key and prices; tried before it is kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.models import TierName, tell_tried
from flows.operating.command_context import first_line, make_inert, say

if TYPE_CHECKING:
    from data.records.core.model_views import ModelSetup

PROVIDERS = {
    "local": "Postern by itself; no language model is asked",
    "anthropic": "Anthropic",
    "openai": "a server that speaks chat completions",
}


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Show or change who thinks, with key and prices.")(model_setup)


def model_setup(
    ctx: typer.Context,
    provider: Annotated[
        str | None, typer.Option(help="Who thinks from now on: local, anthropic or openai.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Address of the model server; empty for the provider's own.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Model for every task that has none of its own.")
    ] = None,
    fast: Annotated[
        str | None, typer.Option(help="Model that screens, understands and summarizes.")
    ] = None,
    capable: Annotated[str | None, typer.Option(help="Model that plans and drafts.")] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="File with the key.", exists=True, dir_okay=False)
    ] = None,
    no_key: Annotated[bool, typer.Option("--no-key", help="The server wants no key.")] = False,
    price: Annotated[
        list[str] | None,
        typer.Option(help="Price of a model, 'name input output', US$ a million tokens; all anew."),
    ] = None,
    dialect: Annotated[
        str | None, typer.Option(help="How much of the API the server knows: full or plain.")
    ] = None,
    plain_http: Annotated[
        bool | None,
        typer.Option("--plain-http/--no-plain-http", help="Another machine may be asked by http."),
    ] = None,
    default: Annotated[
        bool, typer.Option("--default", help="Keep nothing else here than what comes by default.")
    ] = False,
    test: Annotated[
        TierName | None,
        typer.Option("--test", help="Ask the model of a class with these values; keep nothing."),
    ] = None,
    organization: Annotated[
        str | None, typer.Option(help="Whose caps a test counts under; the only one if left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show who thinks, or change that while Postern runs.

    \b
    postern model-setup --provider anthropic --key-file key.txt --test fast
    postern model-setup --provider anthropic --key-file key.txt
    postern model-setup --provider openai --base-url http://127.0.0.1:11434/v1 --model qwen3
      --price "* 0 0"
    """  # noqa: D301  # \b keeps the lines of the examples
    from data.errors import ManifestError
    from data.records.core.model_views import ModelSetup, TriedModel
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    if no_key and key_file is not None:
        raise ManifestError("'--no-key' and '--key-file' are two keys; choose one")
    engine = engine_of(ctx)
    key = first_line(key_file) if key_file else None
    change = {
        "llm_provider": provider,
        "llm_base_url": base_url,
        "llm_dialect": dialect,
        "llm_plain_http": plain_http,
        "llm_api_key": "" if no_key else key,
        "llm_model": model,
        "llm_model_fast": fast,
        "llm_model_capable": capable,
        "llm_prices": price or None,
    }
    changes: dict[str, object] = {
        name: value for name, value in change.items() if value is not None
    }
    if default:
        before = ModelSetup.model_validate(engine.get("/v1/model-setup"))
        changes["defaults"] = [name for name in before.kept_here if name not in changes]
    says_something = bool(changes.get("defaults")) or len(changes) > default
    if test is not None:
        slug = organization_named(engine, organization).slug
        order: dict[str, object] = {"tier": test.value}
        if says_something:
            order["change"] = changes
        tried = TriedModel.model_validate(engine.post(f"/v1/{slug}/models/try", order))
        tell_tried(tried, as_json=json)
        return
    if says_something:
        engine.put("/v1/settings", {"change": changes})
    setup = ModelSetup.model_validate(engine.get("/v1/model-setup"))
    if json:
        print(setup.model_dump_json())  # output of the command
        return
    if says_something:
        say("Kept; it counts from the next question on.")
    say(_describe_setup(setup))


def _describe_setup(setup: "ModelSetup") -> str:
    lines = [f"Who thinks: {PROVIDERS[setup.provider]}."]
    if setup.provider != "local":
        usual = setup.provider == "anthropic"
        fast = setup.model_fast or setup.model or (setup.usual_fast if usual else "none")
        capable = setup.model_capable or setup.model or (setup.usual_capable if usual else "none")
        lines += [
            f"Address: {make_inert(setup.base_url, 500) or 'its own'}.",
            f"Fast: {make_inert(fast, 200)}. Capable: {make_inert(capable, 200)}.",
            "There is a key." if setup.has_key else "There is no key.",
            *(f"Price: {make_inert(line, 300)}" for line in setup.prices),
        ]
    if setup.trouble:
        lines.append(make_inert(f"{setup.trouble[:1].upper()}{setup.trouble[1:]}", 400))
    return "\n".join(lines)

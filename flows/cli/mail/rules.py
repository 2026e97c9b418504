"""`postern rule list`: what people said about handling mail."""

from typing import Annotated

import typer

from flows.operating.command_context import print_json_lines, print_table, say

group = typer.Typer(
    help="Handling rules; they are written and confirmed in the window, or over the API.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Put the commands under `app`."""
    app.add_typer(group, name="rule", short_help="Handling rules.")


@group.callback()
def before() -> None:
    """Keep `list` a command of its own."""


@group.command("list")
def list_rules(
    ctx: typer.Context,
    organization: Annotated[
        str | None,
        typer.Option("--organization", help="Slug; the only organization when left out."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the handling rules with what was understood, and how many recent cases each matches."""
    from data.records.mail.rules import RuleView
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    listed = engine.get(f"/v1/{organization_named(engine, organization).slug}/rules")
    rules = [RuleView.model_validate(item) for item in listed["items"]]
    if json:
        print_json_lines(rules)
        return
    if not rules:
        say("No handling rule yet; people write them on the page Rules of the review window.")
        return
    lines: list[tuple[str, ...]] = []
    for rule in rules:
        means = " ".join(rule.plain)
        cells = (rule.state, str(rule.version), rule.sentence, means, str(rule.matched))
        lines.append(cells)
    print_table(("state", "version", "rule", "means", "matches"), lines)

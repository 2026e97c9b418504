"""`postern models`: who thinks, what it has used, and what it may cost."""

from typing import TYPE_CHECKING, Annotated

import typer

from flows.operating.given import console, inert

if TYPE_CHECKING:
    from data.records.core.model_views import CallsView, ModelsView


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Show language models, their use, cost and caps.")(models)


def models(
    ctx: typer.Context,
    organization: Annotated[
        str | None, typer.Option(help="Slug; the only organization when left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show which models think, what this organization has used of them, and what the caps leave.

    Asks nobody outside: `postern doctor` asks the provider whether it answers.
    """
    from data.records.core.model_views import ModelsView
    from flows.operating.engine_api import engine_of
    from flows.operating.organizations import organization_named

    engine = engine_of(ctx)
    slug = organization_named(engine, organization).slug
    found = ModelsView.model_validate(engine.get(f"/v1/{slug}/models"))
    if json:
        print(found.model_dump_json(indent=2))  # output of the command
        return
    _draw(found)


def _draw(found: "ModelsView") -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    if found.provider == "local":
        out.print("Postern thinks by itself; no language model is asked.", markup=False)
    else:
        table = Table("class", "model", "US$ for a million tokens", box=None, pad_edge=False)
        for tier in found.tiers:
            price = tier.price or "not set: not asked while money is capped"
            table.add_row(tier.tier, Text(inert(tier.model)), price)
        out.print(f"Provider: {found.provider}", markup=False)
        out.print(table)
    for spent in found.spent:
        cap = f"of {spent.cap:.2f}" if spent.cap else "no cap"
        out.print(f"Spent this {spent.name}: US$ {spent.cost:.4f} {cap}", markup=False)
    for title, calls in (
        ("agent", found.by_agent),
        ("model", found.by_model),
        ("sender", found.by_sender),
        ("user", found.by_user),
        ("no answer because", found.faults),
    ):
        if calls:
            out.print(_table(title, calls))


def _table(title: str, calls: "tuple[CallsView, ...]") -> object:
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title, "calls", "failed", "in", "from cache", "out", "US$", box=None, pad_edge=False
    )
    for one in calls:
        share = f"{one.cache_read / one.tokens_in:.0%}" if one.tokens_in else "–"
        cost = f"{one.cost:.4f}" + (" and unknown" if one.unpriced else "")
        cells = (one.calls, one.failed, one.tokens_in, share, one.tokens_out)
        table.add_row(Text(inert(one.name, 60)), *(f"{c}" for c in cells), cost)
    return table

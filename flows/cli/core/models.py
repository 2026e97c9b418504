"""`postern models`: who thinks, what it has used, and what it may cost."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from flows.cli.core.engine_reach import engine_and_slug
from flows.operating.command_context import console, make_inert, say

if TYPE_CHECKING:
    from data.records.core.model_views import CallsView, ModelsView, TriedModel


class TierName(StrEnum):
    """The classes of models."""

    FAST = "fast"
    CAPABLE = "capable"


def register(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command(short_help="Show language models, their use, cost and caps.")(models)


def models(
    ctx: typer.Context,
    organization: Annotated[
        str | None, typer.Option(help="Slug; the only organization when left out.")
    ] = None,
    test: Annotated[
        TierName | None,
        typer.Option(
            "--test", help="Ask the model of a class one short question, within the caps."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show which models think, what this organization has used of them, and what the caps leave.

    Asks nobody outside, but with `--test`: then a model is asked one short question, and the
    answer, its time and its cost are shown.
    """
    from data.records.core.model_views import ModelsView, TriedModel

    engine, slug = engine_and_slug(ctx, organization)
    if test is not None:
        tried = engine.post(f"/v1/{slug}/models/try", {"tier": test.value})
        tell_tried(TriedModel.model_validate(tried), as_json=json)
        return
    models_view = ModelsView.model_validate(engine.get(f"/v1/{slug}/models"))
    if json:
        print(models_view.model_dump_json(indent=2))  # output of the command
        return
    _draw(models_view)


def _draw(models_view: "ModelsView") -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    if models_view.provider == "local":
        out.print("Postern thinks by itself; no language model is asked.", markup=False)
    else:
        table = Table("class", "model", "US$ for a million tokens", box=None, pad_edge=False)
        for tier in models_view.tiers:
            price = tier.price or "not set: not asked while money is capped"
            table.add_row(tier.tier, Text(make_inert(tier.model)), price)
        out.print(f"Provider: {models_view.provider}", markup=False)
        out.print(table)
    for spent in models_view.spent:
        cap = f"of {spent.cap:.2f}" if spent.cap else "no cap"
        out.print(f"Spent this {spent.name}: US$ {spent.cost:.4f} {cap}", markup=False)
    for title, calls in (
        ("day", models_view.by_day),
        ("agent", models_view.by_agent),
        ("model", models_view.by_model),
        ("sender", models_view.by_sender),
        ("user", models_view.by_user),
        ("no answer because", models_view.faults),
    ):
        if calls:
            out.print(_table(title, calls))


def tell_tried(tried: "TriedModel", *, as_json: bool) -> None:
    """Print what came of a question, and end with status 1 where there was no answer."""
    if as_json:
        print(tried.model_dump_json())  # output of the command
    else:
        if tried.question:
            say(f"{tried.model} was asked: {tried.question}")
        if tried.answer:
            cost = f"US$ {tried.used.cost:.6f}"
            if tried.used.unpriced:
                cost = "at a price that is not set"
            say(f"It answered: {make_inert(tried.answer, 500)}")
            say(
                f"{tried.milliseconds / 1000:.1f} s, {tried.used.tokens_in} tokens in, "
                f"{tried.used.tokens_out} out, {cost}."
            )
        else:
            say(f"{tried.trouble} {tried.remedy}".strip())
    if not tried.answer:
        raise typer.Exit(1)


def _table(title: str, calls: "tuple[CallsView, ...]") -> object:
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title, "calls", "failed", "in", "from cache", "out", "US$", box=None, pad_edge=False
    )
    for call in calls:
        share = f"{call.cache_read / call.tokens_in:.0%}" if call.tokens_in else "–"
        cost = f"{call.cost:.4f}" + (" and unknown" if call.unpriced else "")
        cells = (call.calls, call.failed, call.tokens_in, share, call.tokens_out)
        table.add_row(Text(make_inert(call.name, 60)), *(f"{c}" for c in cells), cost)
    return table

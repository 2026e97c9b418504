"""What is told of language models: who thinks, the caps, and what an organization has used."""

from datetime import datetime

from data.manifest_format import Tier
from data.prices import price_of
from data.records.core.model_views import CallsView, ModelsView, SpentView, TierView
from data.settings import Settings
from data.store.core import usage
from data.store.core.database import Connection


def models_view(cursor: Connection, settings: Settings, now: datetime) -> ModelsView:
    """Return the figures of one organization for this day and this month, UTC."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    month = day.replace(day=1)
    today, all_month = _sums(cursor, day)[0], _sums(cursor, month)[0]
    return ModelsView(
        provider=settings.llm_provider,
        tiers=tuple(_tier(settings, tier) for tier in Tier),
        spent=(
            SpentView(name="day", cost=today.cost, cap=settings.llm_daily_cap),
            SpentView(name="month", cost=all_month.cost, cap=settings.llm_monthly_cap),
        ),
        sender_cap=settings.llm_sender_cap,
        today=today,
        by_task=_sums(cursor, month, "task"),
        by_model=_sums(cursor, month, "model"),
        by_sender=_sums(cursor, month, "sender"),
        faults=tuple(one for one in _sums(cursor, month, "outcome") if one.name != usage.ANSWERED),
    )


def _sums(cursor: Connection, since: datetime, by: str = "") -> tuple[CallsView, ...]:
    return tuple(CallsView.model_validate(row) for row in usage.totals(cursor, since, by))


def _tier(settings: Settings, tier: Tier) -> TierView:
    if settings.llm_provider == "local":
        return TierView(tier=tier.value, model="")
    name = settings.model_name(tier)
    price = price_of(name, settings.llm_prices)
    told = f"{price.tokens_in:g} in, {price.tokens_out:g} out" if price else ""
    return TierView(tier=tier.value, model=name, price=told)

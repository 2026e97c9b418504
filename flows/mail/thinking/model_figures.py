"""Figures of language models: who thinks, the caps, and what an organization has used."""

from datetime import datetime, timedelta

from data.records.core.caps import CapPeriod, CapScope, CapUnit, CapView
from data.records.core.manifest_format import ModelTier
from data.records.core.model_views import CallsView, ModelsView, SpentView, TierView
from data.records.core.prices import price_of
from data.settings import Settings
from data.store.core import usage
from data.store.core.database import Connection

DAYS = 14
"""Days that are told one by one."""


def models_view(cursor: Connection, settings: Settings, now: datetime) -> ModelsView:
    """Return the figures of one organization for this day and this month, UTC."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    month = day.replace(day=1)
    today, all_month = _sums(cursor, day)[0], _sums(cursor, month)[0]
    caps = usage.read_caps_view(cursor, settings.model_caps, now)
    return ModelsView(
        provider=settings.llm_provider,
        tiers=tuple(_tier(settings, tier) for tier in ModelTier),
        spent=(
            SpentView(name="day", cost=today.cost, cap=_money(caps, CapPeriod.DAY)),
            SpentView(name="month", cost=all_month.cost, cap=_money(caps, CapPeriod.MONTH)),
        ),
        caps=caps,
        today=today,
        by_day=tuple(usage.list_by_day(cursor, day - timedelta(days=DAYS - 1))),
        by_agent=_sums(cursor, month, "agent"),
        by_model=_sums(cursor, month, "model"),
        by_sender=_sums(cursor, month, "sender"),
        by_user=_sums(cursor, month, "principal"),
        faults=tuple(
            outcome_sum
            for outcome_sum in _sums(cursor, month, "outcome")
            if outcome_sum.name != usage.ANSWERED
        ),
    )


def _money(caps: tuple[CapView, ...], period: CapPeriod) -> float:
    """Return what the organization may spend in a period, 0 for no cap."""
    key = (CapScope.ORGANIZATION.value, "", CapUnit.MONEY.value, period.value)
    return next((cap.cap.limit or 0.0 for cap in caps if cap.cap.key == key), 0.0)


def _sums(cursor: Connection, since: datetime, by: str = "") -> tuple[CallsView, ...]:
    return tuple(usage.read_totals(cursor, since, by))


def _tier(settings: Settings, tier: ModelTier) -> TierView:
    if settings.llm_provider == "local":
        return TierView(tier=tier.value, model="")
    name = settings.model_name(tier)
    price = price_of(name, settings.llm_prices)
    price_text = f"{price.tokens_in:g} in, {price.tokens_out:g} out" if price else ""
    return TierView(tier=tier.value, model=name, price=price_text)

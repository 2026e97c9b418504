"""Asking the provider whether it is there: reachable, key accepted, models known. No mail goes."""

import asyncio
from collections.abc import Iterator

from connectors.models import open_door
from data.records.core.asking import REMEDIES, SENTENCES, Fault
from data.records.core.manifest_format import ModelTier
from data.records.core.prices import price_of
from data.settings import Settings


def check_models(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Give name, trouble and remedy of each model; no trouble is an empty sentence.

    Raises:
        SettingsError: the settings do not give a provider that could be asked.

    """
    for name, fault in asyncio.run(_asked(settings)).items():
        if fault is not None:
            text = SENTENCES[fault]
            remedy = REMEDIES.get(fault, "Look at the provider's own status, or wait.")
            yield name, f"{text[0].upper()}{text[1:]}.", remedy
        else:
            yield name, "", ""
    capped = settings.llm_daily_cap or settings.llm_monthly_cap or settings.llm_sender_cap
    for name in dict.fromkeys(settings.model_name(tier) for tier in ModelTier):
        if price_of(name, settings.llm_prices) is None and capped:
            trouble = "Its price is not set, so it is not asked while money is capped."
            yield name, trouble, REMEDIES[Fault.PRICE]
    if not (settings.llm_daily_cap and settings.llm_monthly_cap):
        yield "caps", "The settings do not cap what a day and a month may cost.", ""


async def _asked(settings: Settings) -> dict[str, Fault | None]:
    door = open_door(settings)
    if door is None:
        return {}
    try:
        return await door.check()
    finally:
        await door.close()

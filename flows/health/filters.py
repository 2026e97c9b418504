"""Spam filters of others: which are switched on, and whether they answer."""

import asyncio
from collections.abc import Collection

from connectors.filters.choosing import filters_from
from connectors.filters.spam_filter import SpamFilter
from data.errors import OutsideError
from data.records.core.setting_views import FilterList, FilterView
from data.settings import Settings

KNOWN = (
    FilterView(
        name="SpamAssassin", setting="spamassassin_address", example="127.0.0.1:783"
    ),
    FilterView(name="rspamd", setting="rspamd_url", example="http://127.0.0.1:11334"),
)  # fmt: skip
SETTINGS = ("spamassassin_address", "rspamd_url", "rspamd_password", "filter_seconds")
"""The settings of all filters."""


async def list_filters(
    settings: Settings,
    changeable: Collection[str] = (),
    kept_names: Collection[str] = (),
    *,
    ask: bool = False,
) -> FilterList:
    """Return the filters that there can be; with `ask` those that are on are asked, without mail.

    `changeable` are the settings that may be changed while Postern runs, `kept_names` those of
    which an administrator keeps a value.

    Raises:
        SettingsError: an address is not valid.

    """
    switched_on = {spam_filter.name.lower(): spam_filter for spam_filter in filters_from(settings)}
    filters_known = [
        filter_view.model_copy(
            update={
                "address": getattr(settings, filter_view.setting),
                "changeable": filter_view.setting in changeable,
            }
        )
        for filter_view in KNOWN
    ]
    if ask:
        asked = (
            _ask_filter(filter_view, switched_on.get(filter_view.name.lower()))
            for filter_view in filters_known
        )
        filters_known = list(await asyncio.gather(*asked))
    return FilterList(
        items=tuple(filters_known),
        seconds=settings.filter_seconds,
        kept_here=tuple(name for name in SETTINGS if name in kept_names),
    )


async def _ask_filter(view: FilterView, filter_: SpamFilter | None) -> FilterView:
    """Return the view of a filter with whether it answers; as it is where it is switched off."""
    if filter_ is None:
        return view
    try:
        await filter_.ping()
    except OutsideError as error:
        return view.model_copy(update={"answers": False, "trouble": f"{error}."})
    return view.model_copy(update={"answers": True})

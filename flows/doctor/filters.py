"""Whether the spam filters that the settings name answer."""

import asyncio
from collections.abc import Iterator

from connectors.filters.choosing import filters_from
from data.errors import OutsideError
from data.settings import Settings


def filter_findings(settings: Settings) -> Iterator[tuple[str, str]]:
    """Give (name, trouble) of each filter; no trouble is an empty sentence.

    Raises:
        SettingsError: an address is none.

    """
    for one in filters_from(settings):
        try:
            asyncio.run(one.ping())
        except OutsideError as error:
            yield one.name, str(error)
        else:
            yield one.name, ""

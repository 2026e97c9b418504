"""The reputation services that are asked about links, and their answers taken together."""

import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from connectors.safe_browsing import SafeBrowsing
from connectors.url_reputation import reputation_from
from data.errors import OutsideError
from data.records.core.reputation import Opinion, graver
from data.settings import Settings

log = logging.getLogger("postern.reputation")


class Reputation(Protocol):
    """One service."""

    async def opinions(self, urls: Sequence[str]) -> Mapping[str, Opinion]:
        """Return an opinion by address; raises OutsideError."""


class Reputations:
    """Several services; of each address the gravest opinion counts."""

    def __init__(self, services: Sequence[Reputation]) -> None:
        self._services = tuple(services)

    async def opinions(self, urls: Sequence[str]) -> Mapping[str, Opinion]:
        """Return what they say together.

        Raises:
            OutsideError: none of them answered.

        """
        gathered: dict[str, Opinion] = {}
        failed: list[OutsideError] = []
        for service in self._services:
            try:
                opinions_given = await service.opinions(urls)
            except OutsideError as error:
                failed.append(error)
                continue
            for url, opinion in opinions_given.items():
                gathered[url] = graver(opinion, gathered.get(url))
        if len(failed) == len(self._services):
            raise failed[0]
        for failure in failed:
            log.warning("one service is not asked about links: %s", failure)
        return gathered


def reputations_from(settings: Settings) -> Reputation | None:
    """Return whom the settings name, or None when they name nobody.

    Raises:
        SettingsError: the URL of a service is not one that may be called.

    """
    own = reputation_from(settings)
    services: list[Reputation] = [own] if own is not None else []
    if key := settings.safe_browsing_key.get_secret_value():
        services.append(SafeBrowsing(key, timeout_seconds=settings.url_reputation_seconds))
    if len(services) > 1:
        return Reputations(services)
    return services[0] if services else None

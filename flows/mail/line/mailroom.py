"""The mailroom of all organizations: it stays with the house while that is open."""

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from data.errors import SpoolError
from data.settings import Settings
from flows.core.house import House
from flows.core.kept_settings import HOST_NAME, OUTGOING

if TYPE_CHECKING:
    from connectors.document_pool import DocumentPool
    from connectors.endpoint import EndpointClient
    from connectors.filters.asked_filters import AskedFilters
    from connectors.outbound import Transport
    from connectors.parse_pool import ParsePool
    from tasks.core.screen import InjectionClassifier
    from tasks.core.screen.reputation import UrlReputation
    from tasks.mail.classify.classifying import LocalClassifier
    from tasks.mail.read import Reading

_MADE_AT_ONCE = (
    "parsers", "documents", "classifier", "transport", "endpoints", "reputation", "filters",
    "judge",
)  # fmt: skip


class Mailroom:
    """Readers, classifier, spam filters and ways out; each is made when it is first used."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._held: dict[str, str] = {}

    @cached_property
    def parsers(self) -> "ParsePool[Reading]":
        """Reads raw mail, once its processes are started."""
        from connectors.parse_pool import ParsePool
        from tasks.mail.read import Reading

        settings = self.house.settings
        return ParsePool(
            "tasks.mail.read:read",
            Reading.model_validate_json,
            processes=settings.parse_processes,
            cpu_seconds=settings.parse_seconds,
            memory_mb=settings.parse_memory_mb,
        )

    @cached_property
    def documents(self) -> "DocumentPool":
        """Reads attached files that somebody asks for."""
        from connectors.document_pool import DocumentPool

        settings = self.house.settings
        return DocumentPool(settings.parse_seconds, settings.parse_memory_mb)

    @cached_property
    def classifier(self) -> "LocalClassifier":
        """The small models that understand mail."""
        from tasks.mail.classify.classify_cases import classifier

        return classifier()

    @cached_property
    def transport(self) -> "Transport":
        """Hands replies over."""
        from connectors.outbound import transport_from

        return transport_from(self.house.settings)

    @cached_property
    def endpoints(self) -> "EndpointClient":
        """Calls the endpoints that mail is forwarded to."""
        from connectors.endpoint import EndpointClient

        return EndpointClient(allow_private=self.house.settings.endpoint_allow_private)

    @cached_property
    def reputation(self) -> "UrlReputation | None":
        """Who is asked about links in mail; nobody unless the setting names a service."""
        from connectors.reputations import reputations_from

        return reputations_from(self.house.settings)

    @cached_property
    def filters(self) -> "AskedFilters":
        """Spam filters of others that are asked; none unless a setting names one."""
        from connectors.filters.asked_filters import AskedFilters
        from connectors.filters.choosing import filters_from

        return AskedFilters(filters_from(self.house.settings))

    @cached_property
    def judge(self) -> "InjectionClassifier | None":
        """The trained judge of injected instructions, beside the screen's rules."""
        from tasks.core.screen import load_classifier

        return load_classifier()

    def make_all_parts(self) -> None:
        """Make every part at once, and start who reads raw mail.

        Raises:
            SettingsError: a setting asks for what is not there.

        """
        for name in _MADE_AT_ONCE:
            getattr(self, name)
        self.parsers.open()

    def take_settings(self, before: Settings) -> None:
        """Make the filters anew, and the way out where it is another."""
        vars(self).pop("filters", None)
        after = self.house.settings
        if any(getattr(before, name) != getattr(after, name) for name in (*OUTGOING, HOST_NAME)):
            vars(self).pop("transport", None)

    def hold(self, spool_ids: Iterable[str], slug: str) -> None:
        """Have mail wait in the spool until its organization can be opened."""
        self._held.update(dict.fromkeys(spool_ids, slug))

    def list_held(self) -> frozenset[str]:
        """Return the spool ids of mail that waits for organizations which cannot be opened."""
        unopened = self.house.unopened
        self._held = {item: slug for item, slug in self._held.items() if slug in unopened}
        return frozenset(self._held)

    async def close(self) -> None:
        """End the processes that read mail and attached files."""
        if "parsers" in vars(self):
            await self.parsers.__aexit__(None, None, None)
        if "documents" in vars(self):
            await self.documents.close()


def mailroom_of(house: House) -> Mailroom:
    """Return what the mail line keeps with a house."""
    return house.get_part(Mailroom)


def has_mail_waiting(house: House) -> bool:
    """Return whether mail waits in the spool, or cannot be looked for, which a round tells.

    What waits for an organization that cannot be opened is no reason to look again.
    """
    try:
        return house.spool.waiting() > len(mailroom_of(house).list_held())
    except SpoolError:
        return True

"""The interface of a service that knows bad addresses, and the links that it is asked about.

The service is optional and not ours, so its word only ever adds suspicion: `harmless` and `unknown`
say nothing, for a service that was deceived must not clear anything.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol
from urllib.parse import urlsplit

from data.records.core.parsed_mail import ParsedMail
from data.records.core.reputation import Opinion
from tasks.core.screen.message.hosts import is_ip, list_targets

MOST_LINKS = 20
"""Links of one message that are asked about."""
LONGEST = 500
"""Characters of an address that is asked about; a longer one loses its end."""


class UrlReputation(Protocol):
    """Somebody who can be asked about addresses."""

    async def opinions(self, urls: Sequence[str]) -> Mapping[str, Opinion]:
        """Return an opinion by address; those it says nothing about may be missing.

        Raises:
            OutsideError: it cannot be asked, or does not answer in time or in its form.

        """


def asked_about(mail: ParsedMail) -> tuple[str, ...]:
    """Return what a service may be told of a message's links, distinct and in order.

    Only scheme, host, port and path: a query and a name before the host can hold whose letter it
    was. Addresses of other schemes and numbers for hosts are left out: rules judge them here.
    """
    links_asked: dict[str, None] = {}
    for link in list_targets(mail):
        if link.scheme in ("http", "https") and link.host and not is_ip(link.host):
            parts = urlsplit(link.href.strip())
            place = parts.netloc.rpartition("@")[2]
            links_asked[f"{link.scheme}://{place.lower()}{parts.path}"[:LONGEST]] = None
    return tuple(links_asked)[:MOST_LINKS]

"""Opinions on the addresses of links, from a service that knows bad ones."""

from enum import StrEnum

from data.records.core.record import Record


class LinkStanding(StrEnum):
    """What a service says about an address."""

    MALICIOUS = "malicious"
    SUSPICIOUS = "suspicious"
    HARMLESS = "harmless"
    UNKNOWN = "unknown"


class Opinion(Record):
    """One address with what was said about it."""

    url: str
    standing: LinkStanding
    reason: str = ""
    """Why, in the service's words, at most 100 characters."""


_GRAVEST_FIRST = (
    LinkStanding.MALICIOUS,
    LinkStanding.SUSPICIOUS,
    LinkStanding.UNKNOWN,
    LinkStanding.HARMLESS,
)


def graver(opinion: Opinion, other: Opinion | None) -> Opinion:
    """Return the graver of two opinions about one address; of equal ones that which is known."""
    if other is None:
        return opinion
    return min(other, opinion, key=lambda item: _GRAVEST_FIRST.index(item.standing))

"""Senders that a person of the organization has blocked."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule


def look(views: Views) -> Iterator[Find]:
    """Find the addresses of From and the envelope among the blocked ones."""
    addresses = {address.email.casefold() for address in views.mail.senders}
    addresses |= {views.envelope.mail_from.casefold()} - {""}
    blocked = {address.casefold() for address in views.known.blocked_addresses}
    domains = tuple(domain.casefold().lstrip("@") for domain in views.known.blocked_domains)
    for address in sorted(addresses):
        domain = address.rpartition("@")[2]
        under = any(
            domain == blocked_domain or domain.endswith("." + blocked_domain)
            for blocked_domain in domains
        )
        if address in blocked or under:
            yield Find(MessagePlace.HEADER, address, 1.0)


RULE = ScreenRule(
    name="blocked_sender",
    sentence="Comes from a sender or domain that a person blocked.",
    technique="blocked_sender",
    layer=FilterLayer.METADATA,
    severity=1.0,
    look=look,
)

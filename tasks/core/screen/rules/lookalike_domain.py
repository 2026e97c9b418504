"""Domains that imitate the organization's or a contact's."""

from collections.abc import Iterator

from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.screen.message.hosts import looks_like
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule


def look(views: Views) -> Iterator[Find]:
    """Find look-alikes among the domains of From, Reply-To and links."""
    own = set(views.known.organization_domains) | set(views.known.contact_domains)
    own = {domain.lower() for domain in own}
    if not own:
        return
    genuine = sorted(own)
    senders = {
        address.email.rpartition("@")[2].lower()
        for address in (*views.mail.senders, *views.mail.reply_to)
    }
    for place, hosts in (
        (MessagePlace.HEADER, senders),
        (
            MessagePlace.LINK,
            {host for link in views.links for host in (link.host, link.onward) if host},
        ),
    ):
        for host in sorted(hosts - own):
            for imitated, how, score in looks_like(host, genuine):
                yield Find(place, f"{host} imitates {imitated}: {how}", score)


RULE = ScreenRule(
    name="lookalike_domain",
    sentence="Uses a domain that imitates the organization's or a contact's.",
    technique="phishing",
    layer=FilterLayer.CONTENT,
    severity=0.8,
    look=look,
)

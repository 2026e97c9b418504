"""Senders whose fields contradict each other."""

from collections.abc import Iterator

from data.free_mail import is_free_mail
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled
from tasks.core.screen.message.hosts import registrable
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule
from tasks.core.screen.words.folding import fold

_TELLING = 6
"""Letters from which the name of a domain is no common word."""
_ADDRESS = compiled(r"(?i)[\w.+\-]{1,64}@((?:[a-z0-9\-]{1,63}\.)+[a-z]{2,24})")


def look(views: Views) -> Iterator[Find]:
    """Find an address in the display name, a foreign Reply-To, and more than one From."""
    mail = views.mail
    if len(mail.senders) > 1:
        yield Find(MessagePlace.HEADER, f"{len(mail.senders)} addresses in From", 0.45)
    if mail.sender is None:
        return
    domain = registrable(views.sender_domain)
    shown = _ADDRESS.search(mail.sender.name)
    if shown is not None and registrable(shown.group(1).lower()) != domain:
        yield Find(MessagePlace.DISPLAY_NAME, f"{mail.sender.name} <{mail.sender.email}>", 0.5)
    elif borrowed := _borrowed_domain(mail.sender.name, domain, views):
        free = is_free_mail(views.sender_domain)
        whole = "." in borrowed
        yield Find(
            MessagePlace.DISPLAY_NAME,
            f"calls itself {borrowed}: {mail.sender.name} <{mail.sender.email}>",
            0.45 if whole else 0.4 if free else 0.2,
        )
    if views.automated.automated:
        return  # lists and notifications answer elsewhere as a matter of course
    for address in mail.reply_to[:20]:
        other = address.email.rpartition("@")[2].lower()
        if registrable(other) != domain:
            yield Find(
                MessagePlace.HEADER,
                f"answers go to {address.email}",
                0.25 if is_free_mail(other) else 0.1,
            )


def _borrowed_domain(name: str, domain: str, views: Views) -> str:
    """Return the domain, or its name, of the organization or a contact that a sender borrows."""
    folded = fold(name).lower()
    words = frozenset(folded.replace("(", " ").replace(")", " ").replace(",", " ").split())
    known_domains = (*views.known.organization_domains, *views.known.contact_domains)
    if not words or any(registrable(own.lower()) == domain for own in known_domains):
        return ""
    for own in known_domains:
        real = registrable(own.lower())
        label = real.partition(".")[0]
        if real in words:
            return real
        if len(label) >= _TELLING and label in words:
            return label
    return ""


RULE = ScreenRule(
    name="sender_mismatch",
    sentence="Shows another sender than it comes from, or answers go elsewhere.",
    technique="phishing",
    layer=FilterLayer.CONTENT,
    severity=0.5,
    look=look,
)

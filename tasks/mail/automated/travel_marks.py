"""Marks of a message's travel: lists, bulk mailers, sending services, and what they wrote into it.

A mark of travel says nothing about who wrote. A person's question comes through our own group, out
of a sales tool, or with a header of Exchange that asks for no absence notes; by itself such a mark
bars sending and no more. Several that agree, or one with the words of mail to many, are mail to
many, which nobody answers. Sources: RFC 2369, RFC 2919, RFC 8058.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum

from data.records.core.parsed_mail import AutomatedKind, ParsedMail
from tasks.core.patterns import compiled
from tasks.core.segment.lexicon import phrases
from tasks.core.words.cleaning import straighten_apostrophes
from tasks.mail.automated.signs import Sign, is_return_address

FOOTER_CHARACTERS = 1_000
"""Characters at the end of a body in which it says how to leave."""
ENOUGH = 3
"""Families of marks that together are mail to many, whatever its words."""

_LISTS = phrases("automated", "list_headers")
_CAMPAIGNS = phrases("automated", "campaign_headers")
_SERVICES = phrases("automated", "service_headers")
_FOOTERS = tuple(phrases("automated", "footer_sentences"))
_NAMES_A_LIST = ("list-id", "list-post", "list-owner", "list-help", "mailing-list")
_ADDRESS = compiled(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_LIST_ID = compiled(r"<\s*([A-Za-z0-9_-]+)\.([A-Za-z0-9.-]+\.[A-Za-z0-9-]+)\s*>")


class Family(StrEnum):
    """What a mark is a trace of."""

    LIST = "list"
    """A list or group that passes on what is posted."""
    LEAVE = "leave"
    """A way to get no more of it."""
    BULK = "bulk"
    """A sender who calls his own mail bulk."""
    CAMPAIGN = "campaign"
    """A mailing with a number."""
    SERVICE = "service"
    """A service that sends for others, single mails too."""
    QUIET = "quiet"
    """A wish for no automatic answers."""


_OF_LISTS = frozenset({Family.LIST, Family.LEAVE, Family.BULK})
"""What lists and groups add to whatever is posted to them."""

TravelMark = tuple[Family, str]
"""What left the mark, and the sentence for people, e.g. `header list-unsubscribe`."""


def travel_marks(
    mail: ParsedMail, mail_from: str, own: Collection[str], ours: Collection[str]
) -> list[TravelMark]:
    """Return the marks of travel that a message bears; those of our own groups are none.

    `own` are our addresses, groups among them, `ours` these and the ones that the message came to,
    all case-folded; `mail_from` is the reverse-path.
    """
    marks: list[TravelMark] = []
    through_group = group_named(mail, ours) in own
    for name, value in mail.headers:
        family = _family(name, value.casefold())
        if family is not None and not (through_group and family in _OF_LISTS):
            marks.append((family, _sentence(name, value)))
    if is_return_address(mail_from) and not through_group:
        marks.append((Family.LIST, f"reverse-path {mail_from[:60]!r}"))
    if mail.message_id and not _is_from_us(mail, ours):
        host = mail.message_id.strip("<> ").rpartition("@")[2].casefold()
        if host in _domains(ours):
            marks.append((Family.QUIET, "Message-ID made at our own domain"))
    return marks


def mass_sign(mail: ParsedMail, marks: Sequence[TravelMark], ours: Collection[str]) -> Sign | None:
    """Return the sign that the marks make together, or None where they make none.

    A list of others' that was written to in our place is a mailing list. Mail to many bears marks
    of three families, or a campaign's or an announcing list's beside a way to leave; or says in its
    own words how to leave.
    """
    families = {family for family, _ in marks} - {Family.QUIET}
    reasons = ", ".join(dict.fromkeys(reason for _, reason in marks))
    group = group_named(mail, ours)
    listed = Family.LIST in families and group is None
    if listed and not _is_addressed(mail, ours):
        return AutomatedKind.MAILING_LIST, f"posted to a list of others ({reasons})"
    if group is not None or _takes_posts(mail):  # what such a list adds, its footer too
        families -= _OF_LISTS
    if not families:
        return None
    announced = Family.LIST in families
    numbered = Family.CAMPAIGN in families
    many = len(families) >= ENOUGH or (Family.LEAVE in families and (numbered or announced))
    if many or _says_how_to_leave(mail):
        return AutomatedKind.NEWSLETTER, f"sent to many ({reasons})"
    return None


def group_named(mail: ParsedMail, ours: Collection[str]) -> str | None:
    """Return the address of ours that a list's headers name as the list, or None.

    A list within one of our domains counts too: its address is that of List-Post, else what List-Id
    amounts to (RFC 2919 section 3).
    """
    if not any(name in _NAMES_A_LIST for name, _ in mail.headers):  # as in most mail
        return None
    addresses = {address.casefold() for address in ours}
    domains = _domains(addresses)
    addresses_named: list[str] = []
    for header in _NAMES_A_LIST:
        for value in mail.header_values(header):
            if match := _LIST_ID.search(value):
                addresses_named.append(f"{match.group(1)}@{match.group(2)}".casefold())
            addresses_named += [read_address.casefold() for read_address in _ADDRESS.findall(value)]
    own = [named_address for named_address in addresses_named if named_address in addresses]
    near = [
        named_address
        for named_address in addresses_named
        if _is_within(named_address.rpartition("@")[2], domains)
    ]
    return next(iter([*own, *near]), None)


def _family(name: str, value: str) -> Family | None:
    """Return what a header is a trace of; None for a header that is no mark."""
    if name in ("list-unsubscribe", "list-unsubscribe-post"):
        return Family.LEAVE
    if name in _LISTS or name.startswith("list-"):
        return Family.LIST
    if name in ("precedence", "x-precedence"):
        return {"list": Family.LIST, "bulk": Family.BULK, "junk": Family.BULK}.get(value.strip())
    if name in _CAMPAIGNS:
        return Family.CAMPAIGN
    if name in _SERVICES:
        return Family.SERVICE
    quiet = name == "x-auto-response-suppress" and value.strip() not in ("none", "")
    return Family.QUIET if quiet or name == "x-loop" else None


def _takes_posts(mail: ParsedMail) -> bool:
    """Return whether a list says where to post to it (RFC 2369 section 3.4): people write there."""
    posts = [*mail.header_values("list-post"), *mail.header_values("mailing-list")]
    return any("@" in value for value in posts)


def _sentence(name: str, value: str) -> str:
    """Return a mark in words; a value is shown where it is one of a few."""
    shown = name in ("precedence", "x-precedence", "x-auto-response-suppress")
    return f"header {name}: {value.strip()[:60].casefold()}" if shown else f"header {name}"


def _is_addressed(mail: ParsedMail, ours: Collection[str]) -> bool:
    """Return whether To or Cc names one of our addresses."""
    return any(_untagged(mailbox.email) in map(_untagged, ours) for mailbox in (*mail.to, *mail.cc))


def _is_from_us(mail: ParsedMail, ours: Collection[str]) -> bool:
    """Return whether a sender's address lies in one of our domains."""
    domains = _domains(ours)
    return any(
        _is_within(sender.email.rpartition("@")[2].casefold(), domains) for sender in mail.senders
    )


def _says_how_to_leave(mail: ParsedMail) -> bool:
    """Return whether the end of the body offers, with a link, to get no more of such mail."""
    end = straighten_apostrophes(mail.text[-FOOTER_CHARACTERS:]).casefold()
    if not any(sentence in end for sentence in _FOOTERS):
        return False
    return "http" in end or _is_linked(mail, end)


def _is_linked(mail: ParsedMail, end: str) -> bool:
    """Return whether a word of a line that tells how to leave is a link, as in HTML."""
    called = {
        straighten_apostrophes(link.text).casefold().strip()
        for link in mail.links
        if link.href.casefold().startswith("http")
    } - {""}
    lines = [line for line in end.split("\n") if any(words in line for words in _FOOTERS)]
    return any(name in line for line in lines for name in called)


def _domains(addresses: Collection[str]) -> frozenset[str]:
    return frozenset(address.rpartition("@")[2].casefold() for address in addresses)


def _is_within(domain: str, domains: Collection[str]) -> bool:
    return any(
        domain == own_domain or domain.endswith(f".{own_domain}")
        for own_domain in domains
        if own_domain
    )


def _untagged(address: str) -> str:
    local, _, domain = address.casefold().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"

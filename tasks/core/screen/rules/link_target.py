"""Links that lead elsewhere than they say, or hide where they lead."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from data.records.core.parsed_mail import AutomatedKind
from data.records.core.screening import FilterLayer, MessagePlace
from tasks.core.patterns import compiled
from tasks.core.screen.message.hosts import (
    Target,
    is_counter,
    is_ip,
    is_local,
    is_shortener,
    mixes_alphabets,
    registrable,
    shown_host,
)
from tasks.core.screen.message.views import Views
from tasks.core.screen.rule import Find, ScreenRule

_BULK = frozenset({AutomatedKind.NEWSLETTER, AutomatedKind.MAILING_LIST})
_SCHEMES = frozenset({
    "javascript", "data", "vbscript", "file", "search-ms", "search", "ms-word", "ms-excel",
    "ms-powerpoint", "ms-msdt", "ms-officecmd", "ms-appinstaller", "jar", "smb",
})  # fmt: skip
"""Schemes that run something, or open something that no page holds."""
_ADDRESS = compiled(r"(?i)[\w.+\-]{1,64}@((?:[a-z0-9\-]{1,63}\.)+[a-z]{2,24})")
_COUNTED = 4
"""Links through one domain from which it is taken for the sender's counter of clicks."""


def look(views: Views) -> Iterator[Find]:
    """Find links whose address does not fit their text, or is of a kind that hides its owner."""
    own = views.sender_domain
    links = views.links
    through = Counter(link.host for link in links if link.text)
    bulk = views.automated.kind in _BULK
    for link in links:
        for how, score in _signs(link, own):
            counted = bulk or through[link.host] >= _COUNTED or is_counter(link.host)
            if how.startswith("shows") and counted:
                score /= 3  # bulk mailers count clicks under their own name
            yield Find(MessagePlace.LINK, f"{how}: {link.href}", score)


def _signs(link: Target, own: str) -> Iterator[tuple[str, float]]:
    """Yield (what is wrong, score)."""
    if link.scheme in _SCHEMES:
        yield f"{link.scheme} address", 0.7
    if link.scheme == "mailto" and (shown := _ADDRESS.search(link.text)):
        written = _ADDRESS.search(link.href)
        if written and registrable(shown.group(1).lower()) != registrable(written.group(1).lower()):
            yield f"shows {shown.group(0)}, writes to {written.group(0)}", 0.4
    if not link.host:
        return
    shown = shown_host(link.text)
    if shown and registrable(shown) not in (registrable(link.host), registrable(link.onward)):
        related = registrable(link.host) == registrable(own) if own else False
        yield f"shows {shown}, leads to {link.host}", 0.15 if related else 0.5
    if link.userinfo:
        # in plain sight and without a dot it is a name, and no host that is feigned
        is_bare = not link.text and "." not in link.href.partition("@")[0]
        yield "name before the host", 0.2 if is_bare else 0.6
    yield from _signs_of(link.host)
    if link.onward and link.onward != link.host:
        yield from _signs_of(link.onward)


@lru_cache(maxsize=4096)
def _signs_of(host: str) -> tuple[tuple[str, float], ...]:
    """Return what is wrong with a host by itself; a message has many links to few hosts."""
    signs_read: list[tuple[str, float]] = []
    if is_ip(host):
        if not is_local(host):  # a printer, a program on this computer
            signs_read.append(("number instead of a host", 0.4))
    elif mixes_alphabets(host):
        signs_read.append(("host in two alphabets", 0.6))
    elif "xn--" in host:
        signs_read.append(("punycode host", 0.3))
    if is_shortener(host):
        signs_read.append(("shortener", 0.12))
    return tuple(signs_read)


RULE = ScreenRule(
    name="link_target",
    sentence="Has a link that leads elsewhere than it shows, or hides where it leads.",
    technique="phishing",
    layer=FilterLayer.CONTENT,
    severity=0.75,
    look=look,
)

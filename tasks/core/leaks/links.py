"""Links and addresses in a draft, in every form that a mail program makes clickable.

The text is read as a program would show it: compatibility forms, invisible letters and escaped or
bracketed dots are undone first. Whatever looks like a host counts as a link; too much is held
rather than too little.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

from data.records.core.record import Record
from tasks.core.patterns import compiled, compiled_set

_SCHEME = compiled(r"(?i)\b[a-z][a-z0-9+.\-]{1,20}:[/\\]{2}[^\s<>\"]*")
_BARE_SCHEME = compiled(
    r"(?i)\b(?:mailto|javascript|vbscript|data|tel|sms|file|ftp|callto|skype|intent|geo|about|blob"
    r"|xmpp|magnet|whatsapp|market):[^\s<>\"]+"
)
_RELATIVE = compiled(r"(?:^|[\s(<\"'])[/\\]{2}[^\s/\\<>\"]+\.[^\s<>\"]+")
_ADDRESS = compiled(r"[^\s@<>()\[\],;:\"]+@[^\s@<>()\[\],;\"]+")
# Without counted repeats: over letters of every script they make a machine too large to run fast.
_HOST = compiled(r"(?:[\p{L}\p{M}\p{N}_\-]+\.)+[\p{L}\p{M}][\p{L}\p{M}\p{N}\-]+")
_IPV4 = compiled(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_IPV6 = compiled(r"(?i)\[[0-9a-f:.]*:[0-9a-f:.]*\]")
_WITH_SCHEME = (_SCHEME, _BARE_SCHEME, _RELATIVE)
_BARE = (_HOST, _IPV4, _IPV6)
_ANY = compiled_set(scheme.pattern for scheme in (*_WITH_SCHEME, *_BARE))
"""All of them in one pass: most drafts have no link, and many none but the host of an address."""
_IN_QUERY = compiled(
    r"(?:^|[=&#;:])\s*(?:[a-z][a-z0-9+.\-]*:)?//+([^/?&#;]+)"
    r"|(?:^|[&;])(?:to|u|url|uri|next|goto|dest|destination|target|redirect\w*|return\w*|continue"
    r"|link|out|r)=((?:[\pL\pN\-]+\.)+\pL{2,})"
)
"""Hosts within a query: after two slashes, or as the value of what passes its reader on."""
_DOTS = ("[.]", "(.)", "{.}", "[dot]", "(dot)", "。", "․", "‧", "%2e", "%2E")


class LinkFound(Record):
    """One link of a draft."""

    text: str
    """As it stands in the text after undoing disguises."""
    host: str
    """Where it leads, lower-cased; empty when that cannot be said for sure."""


@lru_cache(maxsize=16)
def undo_disguises(text: str) -> str:
    """Return `text` without invisible letters, disguised dots and compatibility forms."""
    for dot in _DOTS:
        text = text.replace(dot, ".")
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).replace("。", ".").translate(_VISIBLE)


_KEPT_BELOW = 0x3000
"""Letters whose answer is remembered: the alphabets; no mail can make the table large."""


class _Visible(dict[int, int | None]):
    """A table for `str.translate`: letters without a shape go, the rest stays."""

    def __missing__(self, code: int) -> int | None:
        mapped = None if code >= 0x80 and _is_invisible(code) else code
        if code < _KEPT_BELOW:
            self[code] = mapped
        return mapped


_VISIBLE = _Visible()


def _is_invisible(code: int) -> bool:
    """Return whether a letter has no shape: format, private, unassigned, variation selector."""
    return (
        unicodedata.category(chr(code)) in ("Cf", "Co", "Cn", "Cs")
        or 0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
    )


def find_links(text: str) -> list[LinkFound]:
    """Return every link of `text`: with a scheme, without one, bare hosts and IP addresses."""
    return list(_links(text))


@lru_cache(maxsize=16)
def _links(text: str) -> tuple[LinkFound, ...]:
    """Return what `find_links` does; a draft is asked about more than once."""
    rest = undo_disguises(text)
    there = _ANY.Match(rest)
    if not there:
        return ()
    links: list[LinkFound] = []
    for pattern in _WITH_SCHEME if min(there) < len(_WITH_SCHEME) else ():
        for match in pattern.findall(rest):
            links.append(LinkFound(text=match.strip(), host=_host_of(match.strip())))
        rest = pattern.sub(" ", rest)
    if "@" in rest:
        rest = _ADDRESS.sub(" ", rest)
    for match in _HOST.findall(rest):
        links.append(LinkFound(text=match, host=match.lower()))
    if links:
        rest = _HOST.sub(" ", rest)
    for pattern in (_IPV4, _IPV6):
        links += [LinkFound(text=match, host="") for match in pattern.findall(rest)]
    return tuple(links)


def find_addresses(text: str) -> list[str]:
    """Return every mail address of `text`, lower-cased, also those inside `mailto:`."""
    text = undo_disguises(text)
    return (
        [address.lower().rstrip(".!?'") for address in _ADDRESS.findall(text)]
        if "@" in text
        else []
    )


def is_allowed(link: LinkFound, hosts: Iterable[str]) -> bool:
    """Return whether a link leads to one of the allowed hosts, `www.` apart, and not through it.

    A query that names another host may be passed on there, so it counts as leading there.
    """
    allowed = {host.lower().strip().rstrip(".") for host in hosts}
    host = link.host.rstrip(".")
    is_known = bool(host) and (host in allowed or host.removeprefix("www.") in allowed)
    return is_known and all(
        host_passed.removeprefix("www.") in allowed or host_passed in allowed
        for host_passed in _passed_on(link.text)
    )


def _passed_on(link: str) -> list[str]:
    """Return the hosts that a link's query or fragment names, undone twice."""
    query = link.partition("?")[2] or link.partition("#")[2]
    query = unquote(unquote(query)).lower().replace("\\", "/")
    return [scheme or bare for scheme, bare in _IN_QUERY.findall(query)]


def _host_of(link: str) -> str:
    """Return the host of a web link; empty for other schemes, user names, ports and disguises."""
    scheme, mark, rest = link.partition("://")
    if not mark or scheme.lower() not in ("http", "https"):
        return ""
    authority = rest
    for end in "/?#":
        authority = authority.partition(end)[0]
    doubtful = any(sign in authority for sign in "@\\%:[]") or "\\" in link
    return "" if doubtful else authority.lower().rstrip(".,;!'")

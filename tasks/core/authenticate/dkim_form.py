"""The coverage that a DKIM signature claims, judged before anybody asks whether it holds.

A signature that holds and covers too little is worse than none: `l=` lets anybody append, and a
From, Subject or Reply-To that is not signed can be anybody's (RFC 6376 sections 8.2 and 8.15).
"""

from collections import Counter
from dataclasses import dataclass

from data.byte_patterns import octet_pattern
from tasks.core.authenticate.sender_identity import is_host
from tasks.core.parse.header_fields import Field, fields_named
from tasks.core.patterns import compiled

LONGEST = 8_192
"""Octets of a signature field that is looked at."""
MUST_COVER = ("from", "subject", "reply-to")
"""Fields that steer a reply: every one that is there has to be signed."""

_BLANK_RUN = octet_pattern(rb"\s{100}")
"""Longer runs of blanks make the verifying library's patterns slow; no signer writes them."""
_SELECTOR = compiled(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,200}[A-Za-z0-9_])?")


@dataclass(frozen=True, slots=True)
class Signature:
    """One DKIM-Signature or ARC-Message-Signature field."""

    index: int
    """Which field of its name, the topmost is 0."""
    domain: str = ""
    """Its `d=`, lower case; empty when it cannot be read."""
    selector: str = ""
    """Its `s=`."""
    problem: str = ""
    """Why it does not count even if it holds."""


def signatures(fields: tuple[Field, ...]) -> tuple[Signature, ...]:
    """Return the DKIM signatures of a message, topmost first."""
    present = Counter(field.name for field in fields)
    return tuple(
        read_signature(index, field.value, present)
        for index, field in enumerate(fields_named(fields, "dkim-signature"))
    )


def read_signature(index: int, value: bytes, present: Counter[str]) -> Signature:
    """Return what one signature claims; `present` counts the fields of the message."""
    tags = read_tags(value)
    domain, selector = tags.get("d", "").lower(), tags.get("s", "")
    if not is_host(domain) or _SELECTOR.fullmatch(selector) is None:
        return Signature(index, problem="cannot be read")
    return Signature(index, domain, selector, _shortcoming(tags, present))


def read_tags(value: bytes) -> dict[str, str]:
    """Return the tags of a list (RFC 6376 section 3.2); nothing when it is malformed."""
    if len(value) > LONGEST or _BLANK_RUN.search(value) is not None or not value.isascii():
        return {}
    tags: dict[str, str] = {}
    for part in value.decode("ascii").strip().removesuffix(";").split(";"):
        name, equals, content = part.partition("=")
        if not equals or not name.strip() or name.strip() in tags:
            return {}
        tags[name.strip()] = content.strip()
    return tags


def _shortcoming(tags: dict[str, str], present: Counter[str]) -> str:
    """Return what a signature lacks to count, or an empty string."""
    if "l" in tags:
        return "covers only a beginning of the body (l=)"
    if tags.get("a") != "rsa-sha256":
        return f"uses {tags.get('a', 'no algorithm')!r}, which is not checked here"
    covered = Counter(name.strip().lower() for name in tags.get("h", "").split(":"))
    for name in MUST_COVER:
        if present[name] > covered[name] or (name == "from" and not covered[name]):
            return f"does not cover {name.title()}"
    return ""

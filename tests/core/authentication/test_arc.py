"""ARC: a forwarder that is believed may vouch for what it saw, nobody else."""

import dkim
import pytest

from data.records.core.screening import AuthResult
from tests.core.authentication.zone import (
    PLAIN,
    THIEF_HOST,
    ZoneResolver,
    answer,
    key,
    signed,
    zone,
)

SEEN = (
    b"Authentication-Results: list.example; dkim=pass header.d=quince.example;"
    b" dmarc=pass header.from=quince.example\r\n"
)
BELIEVED = {"trusted_arc_sealers": ("list.example",)}
FIELDS = [b"from", b"to", b"subject", b"date", b"message-id"]


def forwarded(
    seen: bytes = SEEN,
    domain: bytes = b"list.example",
    number: int = 2,
    fields: list[bytes] = FIELDS,
) -> bytes:
    """Return quince's message as a mailing list sends it on: changed, sealed, not re-signed."""
    raw = seen + signed() + b"-- \r\nThe pear list\r\n"
    sets = dkim.ARC(raw).sign(b"seal", domain, key(number), b"list.example", include_headers=fields)
    return b"".join(sets) + raw


def said(raw: bytes, sealers: dict[str, object] = BELIEVED, **more: object) -> AuthResult:
    """Return DMARC's result for a message that the list's host sends."""
    how = {"peer": THIEF_HOST, "mail_from": "bounce@thief.example", "given": sealers, **more}
    return answer(raw, **how).dmarc  # type: ignore[arg-type]


def test_a_believed_sealer_vouches() -> None:
    """The original pass counts when a configured domain sealed it."""
    assert said(forwarded()) is AuthResult.PASS


def test_nobody_is_believed_unasked() -> None:
    """Without configuration no seal counts, nor does one of another domain."""
    assert said(forwarded(), {}) is AuthResult.FAIL
    assert said(forwarded(), {"trusted_arc_sealers": ("pear.example",)}) is not AuthResult.PASS


def test_a_thief_cannot_seal_in_its_name() -> None:
    """A seal made with another key does not hold."""
    assert said(forwarded(number=1)) is not AuthResult.PASS


def test_what_was_changed_after_sealing_is_seen() -> None:
    """A line added behind the seal breaks it, as does another Subject."""
    assert said(forwarded() + b"Pay the thief.\r\n") is not AuthResult.PASS
    assert said(forwarded().replace(b"Seven crates", b"Eight crates")) is not AuthResult.PASS


@pytest.mark.parametrize(
    "seen",
    [
        b"Authentication-Results: list.example; dmarc=fail header.from=quince.example\r\n",
        SEEN.replace(b"quince.example", b"pear.example"),
        b"Authentication-Results: list.example; dmarc=pass header.from=quince.example\r\n",
    ],
)
def test_the_sealer_vouches_for_what_it_saw_only(seen: bytes) -> None:
    """A fail, another domain, or a pass without a named identity is no pass."""
    assert said(forwarded(seen)) is not AuthResult.PASS


def test_a_seal_that_leaves_from_out_is_not_asked_about() -> None:
    """A chain whose signature does not cover Subject proves nothing about it."""
    assert said(forwarded(fields=[b"from", b"date"])) is not AuthResult.PASS


def test_a_silent_resolver_leaves_it_open() -> None:
    """Without the sealer's key the chain is neither held nor broken."""
    names = ZoneResolver(zone(), silent=["seal._domainkey.list.example"])
    assert said(forwarded(), resolver=names) is AuthResult.NOT_ESTABLISHED


def test_endless_chains_are_not_followed() -> None:
    """A message with more sets than forwarders make causes no question about keys."""
    names = ZoneResolver(zone())
    many = b"".join(
        b"ARC-Message-Signature: i=%d; a=rsa-sha256; d=thief.example; s=pit;"
        b" h=from:subject; bh=AAAA; b=AAAA\r\n" % number
        for number in range(1, 51)
    )
    said(many + PLAIN, resolver=names)
    assert not [name for name, _ in names.asked if "_domainkey" in name]

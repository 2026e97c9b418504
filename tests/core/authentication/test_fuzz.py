"""Whatever strangers write into mail and zones: nothing raises, and nothing passes by accident."""

from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.errors import UnreadableMailError
from data.records.core.screening import AuthResult
from tests.core.authentication.zone import (
    PLAIN,
    THIEF_HOST,
    ZoneResolver,
    answer,
    record,
    signed,
    zone,
)

QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
HONEST = signed()
SPF_WORDS = st.sampled_from(
    [
        "v=spf1",
        "a",
        "mx",
        "ptr",
        "all",
        "-all",
        "+all",
        "~all",
        "?all",
        "include:",
        "exists:",
        "ip4:",
        "ip6:",
        "redirect=",
        "exp=",
        "%{i}",
        "%{s}",
        "%{p}",
        "%{d2r}",
        "%{",
        "%%",
        "quince.example",
        "192.0.2.0/24",
        "192.0.2.17",
        "2001:db8::/32",
        "/33",
        "//129",
        "//",
        "\x00",
        "\u00fc",
        " ",
        "  ",
        "=",
        ":",
        "thief.example",
        "moo",
        "a.b.c.d.e.f",
        ".",
        "..",
        "x" * 64,
    ]
)
TAG_WORDS = st.sampled_from(
    [
        "v=DKIM1",
        "k=rsa",
        "k=ed25519",
        "k=",
        "p=",
        "p=AAAA",
        "p=====",
        "h=sha256",
        "t=s",
        "t=y",
        "s=*",
        "s=tlsrpt",
        "s=web",
        "n=x",
        ";",
        "; ",
        "=",
        "\x00",
        "\u00fc",
        "v=DMARC1",
        "p=none",
        "p=reject",
        "adkim=s",
        "aspf=s",
        "sp=none",
        "pct=0",
        "rua=mailto:x",
        "p=MIIB",
        "p=MAA=",
        "p=MAYCAQACAQA=",
    ]
)


def glued(words: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return records made of these words, glued together in any way."""
    return st.lists(st.one_of(words, st.text(max_size=4)), max_size=14).flatmap(
        lambda parts: st.sampled_from([" ", "", "; "]).map(lambda glue: glue.join(parts))
    )


def latin(text: str) -> str:
    """Return a record as a resolver gives it: octets as Latin-1."""
    return text.encode("utf-8", "replace").decode("latin-1")


@QUICK
@given(glued(SPF_WORDS), st.sampled_from(["", "v=spf1 "]))
def test_spf_records_never_raise(words: str, start: str) -> None:
    """Any text in place of an SPF record ends in an answer."""
    names = ZoneResolver(zone(spf=[latin(start + words)]))
    assert answer(resolver=names, peer=THIEF_HOST).spf in AuthResult


@QUICK
@given(glued(TAG_WORDS))
def test_keys_never_raise_and_never_pass(words: str) -> None:
    """Any text in place of a key makes no signature hold."""
    names = ZoneResolver(zone(key=[latin(words)]))
    assert answer(HONEST, resolver=names, peer=THIEF_HOST).dmarc is not AuthResult.PASS


@QUICK
@given(glued(TAG_WORDS))
def test_policies_never_raise_and_never_pass(words: str) -> None:
    """Any text in place of a policy lets no unauthenticated message pass."""
    names = ZoneResolver(zone(dmarc=[latin(words)]))
    assert answer(resolver=names, peer=THIEF_HOST).dmarc is not AuthResult.PASS


@QUICK
@given(st.integers(0, HONEST.index(b"From:") - 3), st.binary(min_size=1, max_size=3))
def test_a_damaged_signature_never_raises(at: int, octets: bytes) -> None:
    """A signature field with anything written into it ends in an answer."""
    raw = HONEST[:at] + octets + HONEST[at + len(octets) :]
    with suppress(UnreadableMailError):  # the reading stage refuses it, before this one
        assert answer(raw, peer=THIEF_HOST).spf in AuthResult


@QUICK
@given(
    st.binary(max_size=200).map(lambda value: b"DKIM-Signature: " + value),
    st.binary(max_size=60).map(lambda value: b"ARC-Seal: i=1; " + value),
    st.binary(max_size=60).map(lambda value: b"Authentication-Results: mx.alder.example; " + value),
)
def test_fields_of_any_octets_never_raise_and_never_pass(
    signature: bytes, seal: bytes, results: bytes
) -> None:
    """Any octets in the fields that authenticate establish nothing."""
    raw = b"\r\n".join((signature, seal, results, PLAIN))
    configured = {"trusted_authserv_ids": ("mx.alder.example",), "trusted_arc_sealers": ("x.y",)}
    for peer in (THIEF_HOST, "127.0.0.1"):
        said = answer(raw, peer=peer, mail_from="pit@thief.example", given=configured)
        assert said.dmarc is not AuthResult.PASS


@QUICK
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=20))
def test_envelopes_never_raise_and_never_pass(mail_from: str, helo: str, peer: str) -> None:
    """Any envelope of an unsigned message is no proof."""
    names = ZoneResolver(zone())
    said = answer(resolver=names, mail_from=mail_from, helo=helo, peer=peer)
    assert said.dmarc is not AuthResult.PASS


def test_the_untouched_message_passes() -> None:
    """What the cases above damage is sound before."""
    assert answer(HONEST, peer=THIEF_HOST).dmarc is AuthResult.PASS
    assert record().startswith("v=DKIM1")

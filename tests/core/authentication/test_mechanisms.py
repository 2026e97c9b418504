"""SPF, DKIM and DMARC, each alone and together, over a zone."""

import pytest

from data.records.core.envelope import Channel
from data.records.core.screening import AuthResult
from tests.core.authentication.zone import (
    PLAIN,
    THIEF_HOST,
    ZoneResolver,
    answer,
    letter,
    record,
    signed,
    zone,
)

PASS, FAIL, OPEN = AuthResult.PASS, AuthResult.FAIL, AuthResult.NOT_ESTABLISHED


def test_a_sender_who_signs_and_sends_from_home_passes() -> None:
    """An aligned signature and an aligned envelope pass, each with its reason."""
    said = answer(signed())
    assert (said.spf, said.dkim, said.dmarc) == (PASS, PASS, PASS)
    assert said.reasons[-1] == "dmarc: quince.example publishes p=reject, aligned dkim passed"


def test_spf_alone_is_enough() -> None:
    """An unsigned message from a listed host passes by its envelope."""
    said = answer()
    assert (said.spf, said.dkim, said.dmarc) == (PASS, OPEN, PASS)


def test_dkim_alone_is_enough() -> None:
    """A forwarded message passes by its signature, though its host is not listed."""
    said = answer(signed(), peer=THIEF_HOST)
    assert (said.spf, said.dkim, said.dmarc) == (FAIL, PASS, PASS)


def test_neither_is_a_fail() -> None:
    """An unsigned message from a host that is not listed fails."""
    assert answer(peer=THIEF_HOST).dmarc is FAIL


@pytest.mark.parametrize("form", [b"simple", b"relaxed"])
@pytest.mark.parametrize(
    "body", [b"", b"\r\n\r\n", b"a \t b  \r\n\t\r\nc\r\n\r\n\r\n", b" \r\n \r\n", b"\t x\r\n"]
)
def test_bodies_of_every_shape_hold(form: bytes, body: bytes) -> None:
    """What is prepared before the library sees it changes no signature."""
    raw = PLAIN.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" + body
    said = answer(signed(raw, canonicalize=(b"relaxed", form)), peer=THIEF_HOST)
    assert said.dkim is PASS, said.reasons


@pytest.mark.parametrize("form", [b"simple", b"relaxed"])
def test_a_changed_body_fails(form: bytes) -> None:
    """One letter more, and the signature does not hold."""
    raw = signed(canonicalize=(b"relaxed", form)) + b"x\r\n"
    assert answer(raw, peer=THIEF_HOST).dmarc is FAIL


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"dmarc": ["v=DMARC1; p=none; adkim=s; aspf=s"]}, PASS),
        ({"dmarc": []}, OPEN),
        ({"dmarc": ["v=DMARC1; p=reject", "v=DMARC1; p=none"]}, OPEN),
        ({"dmarc": ["v=DMARC1"]}, OPEN),
        ({"dmarc": ["v=DMARC12; p=reject"]}, OPEN),
        ({"dmarc": ["v=DMARC1; rua=mailto:r@quince.example"]}, PASS),
        ({"dmarc": ["google-verification=seven", "v=DMARC1;p=quarantine"]}, PASS),
    ],
)
def test_the_policy_record_decides(changes: dict[str, list[str]], expected: AuthResult) -> None:
    """Only exactly one readable record lets an aligned pass establish the sender."""
    assert answer(signed(), resolver=ZoneResolver(zone(**changes))).dmarc is expected


def test_without_a_policy_record_a_setting_decides() -> None:
    """Where the setting allows it, an aligned pass is enough; the reason says so."""
    names = ZoneResolver(zone(dmarc=[]))
    said = answer(signed(), resolver=names, given={"dmarc_policy_required": False})
    assert said.dmarc is PASS
    assert "publishes no record" in said.reasons[-1]


def test_a_subdomain_is_under_its_organizations_policy() -> None:
    """The record of the organizational domain counts, and its strictness too."""
    raw = signed(letter(b"petra@sales.quince.example"))
    assert answer(raw, peer=THIEF_HOST).dmarc is PASS
    strict = ZoneResolver(zone(dmarc=["v=DMARC1; p=reject; adkim=s"]))
    assert answer(raw, peer=THIEF_HOST, resolver=strict).dmarc is FAIL


@pytest.mark.parametrize(
    "silent", ["_dmarc.quince.example", "pip._domainkey.quince.example", "quince.example"]
)
def test_what_the_dns_does_not_tell_is_not_established(silent: str) -> None:
    """A name server that is silent makes neither a pass nor a fail."""
    said = answer(signed(), peer=THIEF_HOST, resolver=ZoneResolver(zone(), silent=[silent]))
    assert said.dmarc is (PASS if silent == "quince.example" else OPEN)
    assert said.spf is (OPEN if silent == "quince.example" else FAIL)


@pytest.mark.parametrize(
    ("spf", "expected"),
    [
        (["v=spf1 a:mail.quince.example -all"], PASS),
        (["v=spf1 mx -all"], PASS),
        (["v=spf1 include:thief.example ~all"], FAIL),
        (["v=spf1 ?all"], OPEN),
        (["v=spf1 +all"], OPEN),
        (["v=spf1 all"], OPEN),
        (["v=spf1 nonsense"], OPEN),
        (["v=spf1 -all", "v=spf1 +mx"], OPEN),
        (["v=spf1 include:quince.example -all"], OPEN),
        (["v=spf1 a:one.example a:two.example a:three.example mx -all"], OPEN),
        (["v=spf1 exists:%{i}._spf.quince.example -all"], PASS),
        (["v=spf1 ip4:192.0.2.17/\u0662 -all"], OPEN),
        ([], OPEN),
    ],
)
def test_spf_records_of_every_kind(spf: list[str], expected: AuthResult) -> None:
    """Records are evaluated with their limits; one that lets the whole world send says nothing."""
    names = ZoneResolver(
        {
            **zone(spf=[one.encode().decode("latin-1") for one in spf]),
            ("mail.quince.example", "A"): ["192.0.2.17"],
            ("quince.example", "MX"): ["10 mail.quince.example"],
            ("192.0.2.17._spf.quince.example", "A"): ["127.0.0.2"],
        }
    )
    assert answer(resolver=names).spf is expected


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([], FAIL),
        (["{}", "{}"], FAIL),
        (["{}; t=y"], OPEN),
        (["{}; t=s"], PASS),
        (["{}; t=s : y"], OPEN),
        (["h=sha1; {}"], FAIL),
        (["h=sha1 : sha256; {}"], PASS),
        (["v=DKIM1; p="], FAIL),
        (["v=DKIM1; p=AAAA"], FAIL),
        (["{}; n=" + "x" * 2000], FAIL),
        (["nothing like a key"], FAIL),
    ],
)
def test_keys_of_every_kind(records: list[str], expected: AuthResult) -> None:
    """Only one usable key makes a signature hold; a test key counts as none."""
    texts = [text.format(record()) for text in records]
    said = answer(signed(), peer=THIEF_HOST, resolver=ZoneResolver(zone(key=texts)))
    assert said.dmarc is expected, said.reasons


@pytest.mark.parametrize(
    "changes",
    [
        {"peer": "127.0.0.1"},
        {"peer": "10.1.2.3"},
        {"peer": "::ffff:192.168.4.4"},
        {"peer": "fd00::4"},
        {"peer": "unknown"},
        {"channel": Channel.IMAP},
        {"channel": Channel.WEBHOOK},
        {"mail_from": '"petra@quince.example"@thief.example'},
        {"mail_from": "petra@thief.example@quince.example"},
    ],
)
def test_spf_is_not_asked_where_it_cannot_speak(changes: dict[str, object]) -> None:
    """A local peer, another door or an odd reverse-path leaves SPF and DMARC open."""
    said = answer(**changes)  # type: ignore[arg-type]
    assert (said.spf, said.dmarc) == (OPEN, OPEN)


def test_one_message_causes_a_bounded_number_of_questions() -> None:
    """A record that includes without end is stopped by its limits, and nothing passes."""
    chain = {
        (f"{number}.thief.example", "TXT"): [
            f"v=spf1 include:{number + 1}.thief.example"
            f" include:{number + 50}.thief.example mx mx:{number}.example -all"
        ]
        for number in range(200)
    }
    names = ZoneResolver({**zone(spf=["v=spf1 include:0.thief.example -all"]), **chain})
    assert answer(resolver=names).spf is OPEN
    assert len(names.asked) <= 40


@pytest.mark.parametrize("form", [b"relaxed/loose", b"relaxed/", b"loose/simple", b"a/b/c", b""])
def test_an_unknown_form_of_the_body_is_no_form(form: bytes) -> None:
    """A signature that names a form nobody knows does not hold."""
    raw = signed().replace(b"c=relaxed/relaxed", b"c=" + form)
    assert answer(raw, peer=THIEF_HOST).dkim is FAIL


def test_long_runs_of_blanks_cost_little() -> None:
    """A body made to upset patterns is checked in linear time."""
    raw = signed(PLAIN + b"x" + b" " * 2_000_000 + b"y\r\n", canonicalize=(b"simple", b"simple"))
    raw = raw.replace(b"c=simple/simple", b"c=relaxed/relaxed")
    assert answer(raw, peer=THIEF_HOST).dkim is FAIL

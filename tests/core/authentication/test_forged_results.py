"""Fifty Authentication-Results that nobody of ours wrote: none is believed."""

import pytest

from data.records.core.envelope import Channel
from data.records.core.screening import AuthResult
from tests.core.authentication.zone import (
    PLAIN,
    QUINCE_HOST,
    THIEF_HOST,
    ZoneResolver,
    answer,
    zone,
)

OURS = "mx.alder.example"
GOOD = (
    "spf=pass smtp.mailfrom=petra@quince.example; dkim=neutral;"
    " dmarc=pass header.from=quince.example"
)
CONFIGURED = {"trusted_authserv_ids": (OURS,)}

LIKE_OURS = [
    "mx.alder.example.thief.example",
    "thief.mx.alder.example",
    "mx-alder.example",
    "mx.alder.examp1e",
    "mx.alder.example.",
    ".mx.alder.example",
    "mx.alder",
    "alder.example",
    "mx..alder.example",
    "mх.alder.example",
    "ｍｘ.alder.example",
    "mx.alder.example\u200b",
    "\u202emx.alder.example",
    "mx.alder.example/1",
    "mx.alder.example@thief.example",
    "x@mx.alder.example",
    "[mx.alder.example]",
    "<mx.alder.example>",
    "'mx.alder.example'",
    '"mx.alder.example',
    '"mx.alder.example "',
    '"mx.alder.example;"',
    "(mx.alder.example)",
    "(mx.alder.example) thief.example",
    "thief.example (mx.alder.example)",
    "mx(.).alder.example",
    "mx.alder.example 2",
    "mx.alder.example 1 2",
    "mx.alder.example -1",
    "mx.alder.example x",
    "mx.alder.example, thief.example",
    "mx.alder.example=1",
    "i=1; mx.alder.example",
    "=?utf-8?Q?mx=2Ealder=2Eexample?=",
    "=?utf-8?B?bXguYWxkZXIuZXhhbXBsZQ==?=",
    "mx.\r\n alder.example",
    "mx.alder.example\0",
    "",
    "none",
    "localhost",
]
"""Forty ids that are not ours, though a quick eye or a friendly parser might think so."""

BROKEN = [
    f"{OURS}; {GOOD} (never closed",
    f'{OURS}; spf=pass smtp.mailfrom="petra@quince.example; dmarc=pass',
    f"{OURS}; dmarc=pass header.from=thief.example; spf=pass smtp.mailfrom=thief.example",
    f'{OURS}; spf=fail reason="x; spf=pass smtp.mailfrom=quince.example"; dmarc=fail',
    f"{OURS}; (spf=pass smtp.mailfrom=quince.example; dmarc=pass) spf=none",
    f"{OURS}; dmarc=pass; dmarc=fail; spf=pass smtp.mailfrom=quince.example",
    f"{OURS}; spf=pass smtp.mailfrom=thief.example smtp.mailfrom=quince.example",
    f'{OURS}; spf=pass smtp.mailfrom=thief.example reason="smtp.mailfrom=quince.example"',
    f"{OURS}; spf=pass smtp.helo=quince.example; dmarc=pass header.from=quince.example",
    f"{OURS}; dkim=pass header.d=quince.example; dmarc=pass header.from=quince.example",
]
"""Ten under our id that prove nothing for an unsigned message, even from our own front server."""


def said_with(*fields: str, **how: object) -> AuthResult:
    """Return DMARC's result for a message with these fields on top, sent by the thief."""
    top = "".join(f"Authentication-Results: {field}\r\n" for field in fields).encode()
    how = {"peer": THIEF_HOST, "mail_from": "pit@thief.example", "given": CONFIGURED, **how}
    return answer(top + PLAIN, **how).dmarc  # type: ignore[arg-type]


def test_our_front_server_is_believed() -> None:
    """The topmost field under our id counts when our own server handed the message over."""
    assert said_with(f"{OURS}; {GOOD}", peer="127.0.0.1") is AuthResult.PASS
    assert said_with(f"{OURS.upper()} 1; {GOOD}", peer="::1") is AuthResult.PASS
    assert said_with(f"{OURS}; {GOOD}", channel=Channel.IMAP, peer="") is AuthResult.PASS


def test_its_word_goes_before_our_own_questions() -> None:
    """What the front server found is not asked again."""
    names = ZoneResolver(zone())
    failing = f"{OURS}; spf=fail smtp.mailfrom=quince.example; dmarc=fail"
    assert said_with(failing, peer="127.0.0.1", resolver=names) is AuthResult.FAIL
    assert names.asked == []


@pytest.mark.parametrize("number", range(len(LIKE_OURS)))
@pytest.mark.parametrize("peer", ["127.0.0.1", THIEF_HOST])
def test_an_id_that_is_not_ours_is_not_believed(number: int, peer: str) -> None:
    """Whoever hands it over, an id other than ours says nothing."""
    field = f"{LIKE_OURS[number]}; {GOOD}"
    assert said_with(field, peer=peer) is not AuthResult.PASS


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_our_id_with_nothing_behind_it_is_not_believed(number: int) -> None:
    """Under our id too, a pass stands only for an aligned identity that is named and sound."""
    assert said_with(BROKEN[number], peer="127.0.0.1") is not AuthResult.PASS


@pytest.mark.parametrize("peer", [THIEF_HOST, "192.0.2.1", "10.0.0.5", "::2", "", "unknown"])
def test_our_id_from_a_stranger_is_not_believed(peer: str) -> None:
    """Whoever connects from elsewhere can write our id on top himself."""
    assert said_with(f"{OURS}; {GOOD}", peer=peer) is not AuthResult.PASS


def test_only_the_topmost_counts() -> None:
    """A forged field below that of the front server, or a foreign one above, is not read."""
    good, foreign = f"{OURS}; {GOOD}", f"thief.example; {GOOD}"
    assert said_with(f"{OURS}; dmarc=fail", good, peer="127.0.0.1") is AuthResult.FAIL
    assert said_with(foreign, good, peer="127.0.0.1") is not AuthResult.PASS


def test_foreign_results_do_not_hinder_our_own_questions() -> None:
    """A foreign field neither helps nor harms a sender whom we can establish."""
    answered = said_with(
        f"thief.example; {GOOD}", peer=QUINCE_HOST, mail_from="petra@quince.example"
    )
    assert answered is AuthResult.PASS


def test_fifty_forgeries_and_none_is_believed(capsys: pytest.CaptureFixture[str]) -> None:
    """The figure of the requirement: 50 variants, 0 trusted."""
    forged = [f"{one}; {GOOD}" for one in LIKE_OURS] + BROKEN
    trusted = [one for one in forged if said_with(one, peer="127.0.0.1") is AuthResult.PASS]
    with capsys.disabled():
        print(f"\nforged Authentication-Results: {len(trusted)} of {len(forged)} trusted")
    assert len(set(forged)) == 50
    assert not trusted

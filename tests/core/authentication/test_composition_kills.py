"""Spoofed senders of the kinds of "Composition Kills" (USENIX Security 2020): none may auto-send.

The thief owns thief.example with host, policy and key, and has one honest message signed by
quince.example to replay. Each case goes through reading, authentication and the two gates.
"""

from collections.abc import Callable, Mapping

import pytest

from tasks.core.parse.parsing import parse
from tasks.mail.compose.recipients import Recipients
from tasks.mail.route.gates import GATES, RouteEvidence
from tasks.mail.route.signals import RouteSignals
from tests.core.authentication.zone import (
    PLAIN,
    QUINCE_HOST,
    THIEF_HOST,
    ZoneResolver,
    answer,
    key,
    letter,
    signed,
    zone,
)

QUINCE, THIEF = b"petra@quince.example", b"pit@thief.example"
HEADER, _, BODY = PLAIN.partition(b"\r\n\r\n")
NOBODY = Recipients(reason="not asked here")
Case = Callable[[], tuple[bytes, dict[str, object]]]
"""A message and how it arrives, signed when it is asked for: forty keys take their time."""


def eligible(raw: bytes, **how: object) -> bool:
    """Whether the gates that judge the sender and the form would let a reply leave."""
    mail = parse(raw)
    evidence = RouteEvidence.model_construct(
        authentication=answer(raw, **how),  # type: ignore[arg-type]
        signals=RouteSignals(
            now="2026-03-02T09:00:00Z",  # type: ignore[arg-type]
            recipients=NOBODY,
            defects=mail.defects,
        ),
    )
    gates = dict(GATES)
    return all(gates[name](evidence)[0] for name in ("sender_authenticated", "message_form"))


def thiefs(raw: bytes, **how: object) -> Case:
    """Return the message as the thief sends it: from his host, signed with his key."""
    return lambda: (
        signed(raw, domain=b"thief.example", selector=b"pit", private=key(1)),
        {"peer": THIEF_HOST, "mail_from": "pit@thief.example", **how},
    )


def bare(raw: bytes, **how: object) -> Case:
    """Return the message from the thief's host as it is; his library refuses to sign it."""
    return lambda: (raw, {"peer": THIEF_HOST, "mail_from": "pit@thief.example", **how})


def replay(raw: bytes) -> Case:
    """Return a changed copy of quince's signed message, sent by the thief."""
    return lambda: (raw, {"peer": THIEF_HOST, "mail_from": "pit@thief.example"})


def from_lines(*lines: bytes) -> bytes:
    """Return the message with these lines for its From."""
    first, _, rest = PLAIN.partition(b"\r\n")
    assert first.startswith(b"From:")
    return b"".join(line + b"\r\n" for line in lines) + rest


HONEST = signed()
COMPLETE = [b"from", b"to", b"subject", b"date", b"message-id"]

CASES: Mapping[str, Case] = {
    # From, several times or in odd places
    "two From, victim first": thiefs(from_lines(b"From: " + QUINCE, b"From: " + THIEF)),
    "two From, victim last": thiefs(from_lines(b"From: " + THIEF, b"From: " + QUINCE)),
    "space before the colon": bare(from_lines(b"From : " + QUINCE)),
    "spaced From beside an honest one": bare(from_lines(b"From: " + THIEF, b"From : " + QUINCE)),
    "leading space": bare(from_lines(b" From: " + QUINCE, b"From: " + THIEF)),
    "folded before the address": thiefs(from_lines(b"From:", b" " + THIEF)),
    "folded within the address": thiefs(from_lines(b"From: <pit@", b" thief.example>")),
    "folded name of the field": bare(from_lines(b"From", b" : " + QUINCE, b"From: " + THIEF)),
    "no From": bare(PLAIN.partition(b"\r\n")[2]),
    "NUL in From's name": bare(from_lines(b"From\0: " + QUINCE, b"From: " + THIEF)),
    # From, several readings
    "two addresses": thiefs(letter(QUINCE + b", " + THIEF)),
    "two bracketed addresses": thiefs(letter(b"<" + QUINCE + b"> <" + THIEF + b">")),
    "brackets within brackets": thiefs(letter(b"<<" + QUINCE + b">" + THIEF + b">")),
    "NUL between addresses": thiefs(letter(THIEF + b"\0" + QUINCE)),
    "NUL in the domain": thiefs(letter(b"petra@quince.example\0.thief.example")),
    "encoded address": thiefs(letter(b"=?utf-8?Q?=3Cpetra=40quince.example=3E?= <" + THIEF + b">")),
    "only an encoded address": thiefs(letter(b"=?utf-8?B?cGV0cmFAcXVpbmNlLmV4YW1wbGU=?=")),
    "encoded local part": thiefs(letter(b"<=?utf-8?Q?petra=40quince.example=3E?=@thief.example>")),
    "route portion": thiefs(letter(b"<@quince.example,@thief.example:" + THIEF + b">")),
    "route portion of the victim": thiefs(letter(b"<@quince.example:" + THIEF + b">")),
    "quoted pair": thiefs(letter(b'"petra@quince.example\\"" <' + THIEF + b">")),
    "quoted local part": thiefs(letter(b'"petra@quince.example,"@thief.example')),
    "backslash in the address": thiefs(letter(b"<petra\\@quince.example@thief.example>")),
    "address as the name": thiefs(letter(b'"petra@quince.example" <' + THIEF + b">")),
    "address as a comment": thiefs(letter(b"<" + THIEF + b"> (petra@quince.example)")),
    "address within a longer name": thiefs(letter(b'"Petra <petra@quince.example>" <%b>' % THIEF)),
    "comment in the domain": thiefs(letter(b"petra@quince.example(.thief.example)")),
    "group of addresses": thiefs(letter(b"quince: " + THIEF + b";")),
    "empty group and an address": thiefs(letter(b"petra@quince.example:;, " + THIEF)),
    "8-bit name": thiefs(letter(b"Petra\xe2\x80\xae <" + THIEF + b">")),
    "8-bit domain": thiefs(letter(b"petra@qu\xc3\xadnce.example")),
    "full-width letters": thiefs(letter("petra@ｑuince.example".encode())),
    "name with a hidden turn": thiefs(letter(b"=?utf-8?B?4oCuUGV0cmE=?= <" + THIEF + b">")),
    "address literal": thiefs(letter(b"petra@[192.0.2.17]")),
    "domain of one label": thiefs(letter(b"petra@quince")),
    "very long From": thiefs(letter(b'"' + b"x" * 2_000 + b'" <' + THIEF + b">")),
    "semicolon instead of a comma": thiefs(letter(QUINCE + b"; " + THIEF)),
    "bare CR in From": bare(from_lines(b"From: " + THIEF + b"\rFrom: " + QUINCE)),
    # SPF and the envelope
    "neither signed nor from home": bare(PLAIN),
    "victim as the HELO name": bare(PLAIN, mail_from="", helo="quince.example", peer=QUINCE_HOST),
    "null sender, HELO passes": bare(PLAIN, mail_from="", helo="mx.thief.example"),
    "victim as HELO beside an own MAIL FROM": bare(PLAIN, helo="quince.example"),
    "MAIL FROM with two at signs": bare(PLAIN, mail_from="pit@thief.example@quince.example"),
    "MAIL FROM quoted": bare(PLAIN, mail_from='"petra@quince.example,"@thief.example'),
    "MAIL FROM with brackets inside": bare(
        PLAIN, mail_from="petra@quince.example>,x@thief.example"
    ),
    "MAIL FROM of a subdomain that is not": bare(PLAIN, mail_from="x@nothing.quince.example"),
    "MAIL FROM of a name that ends alike": bare(PLAIN, mail_from="pit@notquince.example"),
    # DKIM
    "signature of another domain": thiefs(PLAIN),
    "signature that names the victim as identity": bare(
        signed(domain=b"thief.example", selector=b"pit", private=key(1)).replace(
            b"@thief.example", b"@quince.example", 1
        )
    ),
    "victim's d= signed with an own key": bare(signed(private=key(1))),
    "d= with NUL": bare(signed().replace(b"d=quince.example", b"d=quince.example\0.thief.example")),
    "s= that leaves the domain": bare(
        signed().replace(b"s=pip", b"s=pit._domainkey.thief.example\0")
    ),
    "From not signed": bare(signed().replace(b"from : ", b"", 1)),
    "appended behind l=": replay(signed(length=True) + b"Now pay to the thief.\r\n"),
    "appended behind l=, untouched": replay(signed(length=True)),
    "second From above a signed message": replay(b"From: " + THIEF + b"\r\n" + HONEST),
    "second From below": replay(
        HONEST.replace(b"\r\n\r\n", b"\r\nFrom: " + THIEF + b"\r\n\r\n", 1)
    ),
    "second Subject": replay(b"Subject: Pay now\r\n" + HONEST),
    "Subject that is not signed": replay(
        signed(headers=[b"from", b"date"]).replace(b"Seven crates", b"Pay the thief")
    ),
    "Reply-To that is not signed": replay(b"Reply-To: " + THIEF + b"\r\n" + HONEST),
    "second Content-Type": replay(b"Content-Type: text/html\r\nContent-Type: a/b\r\n" + HONEST),
    "changed body": replay(HONEST.replace(b"crates arrive", b"crates cost")),
    "changed From": replay(
        signed(letter(THIEF), domain=b"quince.example").replace(THIEF, b"ceo@quince.example", 1)
    ),
    "weak hash": bare(signed().replace(b"rsa-sha256", b"rsa-sha1")),
    "no signature left": bare(HONEST.replace(b"DKIM-Signature", b"X-Signature", 1)),
    # what others claim
    "own Authentication-Results": bare(
        b"Authentication-Results: mx.alder.example; dmarc=pass header.from=quince.example;"
        b" dkim=pass header.d=quince.example; spf=pass smtp.mailfrom=quince.example\r\n" + PLAIN
    ),
    "ARC by nobody we know": bare(
        b"ARC-Seal: i=1; a=rsa-sha256; cv=none; d=thief.example; s=pit; b=AAAA\r\n"
        b"ARC-Authentication-Results: i=1; thief.example; dmarc=pass header.from=quince.example\r\n"
        + PLAIN
    ),
}


def test_an_honest_message_is_eligible() -> None:
    """The gates open for a plain signed message, from home or forwarded."""
    assert eligible(signed())
    assert eligible(PLAIN)
    assert eligible(*replay_of_nothing())


def replay_of_nothing() -> tuple[bytes]:
    """Return a message with a long name, folded as mail programs do."""
    name = b'"Petra Quince of the orchard at the far end of the valley"\r\n <petra@quince.example>'
    return (signed(letter(name), headers=COMPLETE),)


@pytest.mark.parametrize("case", CASES)
def test_a_spoofed_sender_is_never_eligible(case: str) -> None:
    """What can be read in two ways, or is not proven for From, goes to a person."""
    raw, how = CASES[case]()
    assert not eligible(raw, **how)


def test_the_thief_may_be_answered_under_his_own_name() -> None:
    """The cases fail for what they fake, not because the thief's mail is broken."""
    raw, how = thiefs(letter(b"Pit <pit@thief.example>"))()
    assert eligible(raw, **how)


def test_there_are_enough_cases(capsys: pytest.CaptureFixture[str]) -> None:
    """The figure of the requirement: at least 19 kinds, 0 eligible."""
    sent = {name: case() for name, case in CASES.items()}
    open_gates = [name for name, (raw, how) in sent.items() if eligible(raw, **how)]
    with capsys.disabled():
        print(f"\nspoofed senders: {len(open_gates)} of {len(CASES)} eligible for auto-send")
    assert len(CASES) >= 19
    assert not open_gates


def test_nothing_is_asked_for_an_unreadable_from() -> None:
    """A From without an identity costs no question."""
    names = ZoneResolver(zone())
    answer(letter(b"petra@[192.0.2.17]"), resolver=names)
    assert names.asked == []

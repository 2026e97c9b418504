"""A zone given as a dict, keys made on the spot, and mail signed with them."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache

import dkim
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric import rsa

from connectors.dkim_signer import build_key_record
from connectors.dns_resolver import NoDnsAnswerError, RecordType
from data.records.core.envelope import Channel, Envelope
from data.records.core.screening import Authentication
from data.settings import Settings
from flows.mail.stages.authenticate import authenticate_fully, authenticate_shortly
from tasks.core.parse.parsing import parse

QUINCE_HOST = "192.0.2.17"
"""The one host that may send for quince.example."""
THIEF_HOST = "198.51.100.66"
"""A host that may send for thief.example only."""


class ZoneResolver:
    """Answers from a dict; names in `silent` are not answered."""

    def __init__(
        self,
        zone: Mapping[tuple[str, str], Sequence[str]],
        silent: Sequence[str] = (),
        refusal: str = "",
    ) -> None:
        self.zone = {(name.lower(), kind): tuple(texts) for (name, kind), texts in zone.items()}
        self.silent = frozenset(silent)
        self.refusal = refusal
        self.asked: list[tuple[str, str]] = []

    def refuses(self, name: str) -> str:  # as Resolver has it
        """Return the reason given to the zone."""
        return self.refusal

    def answers(self, name: str, kind: RecordType, seconds: float) -> tuple[str, ...]:
        """Return what the zone holds."""
        name = name.lower().rstrip(".")
        self.asked.append((name, kind))
        if seconds <= 0 or name in self.silent:
            raise NoDnsAnswerError(f"{kind} of {name!r} was not answered; look again later")
        return self.zone.get((name, kind), ())


def key(number: int = 0) -> bytes:
    """Return a private key, the same for the same number."""
    return _made(number)


@cache
def _made(_: int) -> bytes:
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return private.private_bytes(
        pem.Encoding.PEM, pem.PrivateFormat.TraditionalOpenSSL, pem.NoEncryption()
    )


@cache
def record(number: int = 0) -> str:
    """Return the key record of that private key."""
    return build_key_record(key(number))


def zone(**changes: Sequence[str]) -> dict[tuple[str, str], Sequence[str]]:
    """Return the records of quince.example and thief.example.

    `changes` are TXT records by a short name: dmarc, spf, key.
    """
    return {
        ("quince.example", "TXT"): changes.get("spf", [f"v=spf1 ip4:{QUINCE_HOST} -all"]),
        ("_dmarc.quince.example", "TXT"): changes.get("dmarc", ["v=DMARC1; p=reject"]),
        ("pip._domainkey.quince.example", "TXT"): changes.get("key", [record()]),
        ("thief.example", "TXT"): [f"v=spf1 ip4:{THIEF_HOST} -all"],
        ("mx.thief.example", "TXT"): [f"v=spf1 ip4:{THIEF_HOST} -all"],
        ("_dmarc.thief.example", "TXT"): ["v=DMARC1; p=none"],
        ("pit._domainkey.thief.example", "TXT"): [record(1)],
        ("seal._domainkey.list.example", "TXT"): [record(2)],
    }


PLAIN = (
    b"From: Petra Quince <petra@quince.example>\r\n"
    b"To: office@alder.example\r\n"
    b"Subject: Seven crates of pears\r\n"
    b"Date: Mon, 02 Mar 2026 09:00:00 +0000\r\n"
    b"Message-ID: <seven@quince.example>\r\n"
    b"\r\n"
    b"When do the seven crates arrive?\r\n"
)


def letter(sender: bytes = b"Petra Quince <petra@quince.example>", extra: bytes = b"") -> bytes:
    """Return a message with that From value and further header lines on top."""
    return extra + PLAIN.replace(b"Petra Quince <petra@quince.example>", sender)


def signed(
    raw: bytes = PLAIN,
    *,
    domain: bytes = b"quince.example",
    selector: bytes = b"pip",
    private: bytes | None = None,
    headers: Sequence[bytes] | None = None,
    length: bool = False,
    canonicalize: tuple[bytes, bytes] = (b"relaxed", b"relaxed"),
) -> bytes:
    """Return the message with a DKIM signature on top, as a foreign server would make it."""
    field = dkim.DKIM(raw).sign(
        selector,
        domain,
        private or key(),
        canonicalize=canonicalize,
        include_headers=list(headers) if headers else [b"from", b"to", b"subject", b"date"],
        length=length,
    )
    return bytes(field) + raw


def envelope(
    raw: bytes = PLAIN,
    *,
    mail_from: str = "petra@quince.example",
    peer: str = QUINCE_HOST,
    helo: str = "mail.quince.example",
    channel: Channel = Channel.SMTP,
) -> Envelope:
    """Return an envelope, of quince.example's own host if nothing else is said."""
    return Envelope(
        spool_id="0" * 26,
        channel=channel,
        received_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
        mail_from=mail_from,
        rcpt_to=("office@alder.example",),
        peer=peer,
        helo=helo,
        size_bytes=len(raw),
        sha256=hashlib.sha256(raw).hexdigest(),
    )


def answer(
    raw: bytes = PLAIN,
    *,
    resolver: ZoneResolver | None = None,
    given: Mapping[str, object] | None = None,
    **of_envelope: object,
) -> Authentication:
    """Take a message through reading and the stage's two steps, as the stage does."""
    settings = Settings(**(given or {}))  # type: ignore[arg-type]
    names = resolver or ZoneResolver(zone())
    mail, how = parse(raw), envelope(raw, **of_envelope)  # type: ignore[arg-type]
    short = authenticate_shortly(mail, how, settings, names)
    return short or authenticate_fully(mail, how, raw, settings, names)

"""The stage *authenticate* asks whether the sender is who From says.

Two ways lead to an answer, and both begin with an unequivocal From
(`tasks.core.authenticate.sender_identity`): a front server of ours has checked and says so in the
topmost Authentication-Results field (RFC 8601 section 5), or we ask SPF, DKIM, DMARC and ARC
ourselves (`tasks.core.authenticate.questions`, `tasks.core.authenticate.verdict`). Three values:
what is not established is neither a pass nor a fail.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from data.records.core.envelope import Channel, Envelope
from data.records.core.parsed_mail import ParsedMail
from data.records.core.screening import Authentication
from tasks.core.authenticate.authentication_results import Method, read_results, weigh
from tasks.core.authenticate.dkim_form import signatures
from tasks.core.authenticate.sender_identity import Identity, sender_identity
from tasks.core.parse.header_fields import Field, fields_named, header_fields

LOOPBACK = ("127.0.0.0/8", "::1/128")
"""Where a front server on the same machine connects from."""


def authenticate(
    mail: ParsedMail,
    envelope: Envelope,
    trusted_authserv_ids: Collection[str],
    *,
    raw: bytes | None = None,
    front_servers: tuple[str, ...] = LOOPBACK,
) -> Authentication:
    """Say for SPF, DKIM and DMARC what a front server of ours established, without asking anybody.

    Args:
        mail: the message as read.
        envelope: how it came in.
        trusted_authserv_ids: names under which our front servers write Authentication-Results.
        raw: the message as it came; without it, the reading of its header is judged.
        front_servers: networks that our front servers connect from.

    """
    fields = None if raw is None else header_fields(raw)
    identity = sender_identity(mail, fields)
    if identity.problem:
        return refuse_identity(identity)
    front_verdict = front_server_said(
        mail, envelope, identity, trusted_authserv_ids, fields, front_servers
    )
    return (
        front_verdict
        if isinstance(front_verdict, Authentication)
        else Authentication(reasons=(front_verdict,))
    )


def refuse_identity(identity: Identity) -> Authentication:
    """Return the answer for a From that has no identity."""
    return Authentication(dmarc=identity.result, reasons=(identity.problem,))


def front_server_said(
    mail: ParsedMail,
    envelope: Envelope,
    identity: Identity,
    trusted_authserv_ids: Collection[str],
    fields: tuple[Field, ...] | None,
    front_servers: tuple[str, ...] = LOOPBACK,
    *,
    needs_policy: bool = True,
) -> Authentication | str:
    """Return what a front server of ours established, or why there is no word of one.

    Only the topmost field counts, only under a configured authserv-id and, for mail that came over
    SMTP, only from a peer that is a front server: anybody else can write what he likes on top.
    """
    values = _results(mail, fields)
    if not values:
        return "no Authentication-Results header"
    if not trusted_authserv_ids:
        return "no authserv-id is trusted"
    if envelope.channel is Channel.SMTP and not is_within(envelope.peer, front_servers):
        return f"Authentication-Results came from {envelope.peer!r}, which is no front server"
    authserv_id, methods, problem = read_results(values[0])
    if problem:
        return f"topmost Authentication-Results cannot be read: {problem}"
    if authserv_id.casefold() not in {server_id.casefold() for server_id in trusted_authserv_ids}:
        return f"topmost Authentication-Results is of {authserv_id[:80]!r}, not trusted"
    if fields is not None:
        methods = _held_to_form(methods, fields)
    return weigh(identity.domain, methods, needs_policy=needs_policy)


def is_within(peer: str, networks: tuple[str, ...]) -> bool:
    """Whether an address lies in one of the networks; an unreadable one does not."""
    try:
        address = ip_address(peer)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return any((mapped or address) in network for network in _networks(networks))


@lru_cache(maxsize=16)
def _networks(networks: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(network, strict=False) for network in networks)


def _results(mail: ParsedMail, fields: tuple[Field, ...] | None) -> tuple[str, ...]:
    """Return the fields as written, for an encoded word in one is no word of a front server."""
    if fields is None:
        return mail.header_values("authentication-results")
    return tuple(
        field.value.replace(b"\r\n", b"").decode("utf-8", "replace") if field.plain else ""
        for field in fields_named(fields, "authentication-results")
    )


def _held_to_form(methods: list[Method], fields: tuple[Field, ...]) -> list[Method]:
    """Return the methods; a DKIM pass stands only for a signature that covers enough."""
    sound = {signature.domain for signature in signatures(fields) if not signature.problem}
    return [
        replace(method, result="neutral")
        if method.name == "dkim" and method.properties.get("header.d", "") not in sound
        else method
        for method in methods
    ]

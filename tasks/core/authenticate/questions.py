"""The questions on SPF, DKIM, DMARC and ARC that are worth asking about one message.

A question whose answer could not speak for From is not asked: it would cost strangers' name servers
and our time. A signature of another domain says nothing about From, nor does one that covers too
little; the envelope says nothing when we do not know who sent it.
"""

from collections import Counter
from collections.abc import Collection

from data.records.core.envelope import Channel, Envelope
from data.records.core.mechanisms import DkimQuestion, Questions, SpfQuestion
from tasks.core.authenticate.authenticating import is_within
from tasks.core.authenticate.dkim_form import Signature, read_signature, signatures
from tasks.core.authenticate.organizational_domain import is_aligned
from tasks.core.authenticate.sender_identity import Identity, is_host
from tasks.core.parse.header_fields import Field, fields_named
from tasks.core.patterns import compiled

MOST_SIGNATURES = 4
"""Aligned signatures that are asked about, from the top."""
MOST_ARC_SETS = 10
"""ARC sets up to which a chain is checked; each costs two signatures."""
LOCAL = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.168.0.0/16", "224.0.0.0/3", "::/127", "fc00::/7", "fe80::/10", "ff00::/8",
)  # fmt: skip
"""Networks whose addresses no SPF record of a stranger can speak of."""

_LOCAL_PART = compiled(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,256}")


def questions(
    identity: Identity,
    envelope: Envelope,
    fields: tuple[Field, ...],
    *,
    arc_sealers: Collection[str] = (),
    front_servers: tuple[str, ...] = (),
) -> Questions:
    """Return what to ask.

    Args:
        identity: From's domain, without a problem.
        envelope: how the message came in.
        fields: its header as it came.
        arc_sealers: domains whose ARC seals are believed.
        front_servers: networks of our own servers, for whose addresses SPF says nothing.

    """
    spf, spf_notes = _spf(envelope, front_servers)
    dkim, dkim_notes, undecided = _dkim(identity, signatures(fields))
    arc = bool(arc_sealers) and _chain_is_sound(fields)
    policy = dict.fromkeys((identity.domain, identity.organization))
    return Questions(
        spf=spf,
        dkim=dkim,
        policy=tuple(policy),
        arc=arc,
        notes=(*spf_notes, *dkim_notes),
        undecided=undecided or spf is None,
    )


def _spf(
    envelope: Envelope, front_servers: tuple[str, ...]
) -> tuple[SpfQuestion | None, tuple[str, ...]]:
    """Return SPF's question, or why it has none."""
    if envelope.channel is not Channel.SMTP:
        return None, (f"spf: it came by {envelope.channel.value}, the sending host is not known",)
    if not is_within(envelope.peer, ("0.0.0.0/0", "::/0")):
        return None, (f"spf: the peer {envelope.peer!r} is no address",)
    if is_within(envelope.peer, (*LOCAL, *front_servers)):
        return None, (f"spf: the peer {envelope.peer} is not the sending host",)
    local, at, domain = envelope.mail_from.rpartition("@")
    if envelope.mail_from:
        if not at or not is_host(domain) or _LOCAL_PART.fullmatch(local) is None:
            return None, (f"spf: MAIL FROM {envelope.mail_from[:80]!r} is no plain address",)
    elif not is_host(envelope.helo):
        return None, (f"spf: HELO {envelope.helo[:80]!r} is no host name",)
    return SpfQuestion(peer=envelope.peer, mail_from=envelope.mail_from, helo=envelope.helo), ()


def _chain_is_sound(fields: tuple[Field, ...]) -> bool:
    """Whether there is an ARC chain, not too long, whose signatures all cover enough."""
    present = Counter(field.name for field in fields)
    signed = fields_named(fields, "arc-message-signature")
    return 0 < len(signed) <= MOST_ARC_SETS and not any(
        read_signature(index, field.value, present).problem for index, field in enumerate(signed)
    )


def _dkim(
    identity: Identity, signatures_found: tuple[Signature, ...]
) -> tuple[tuple[DkimQuestion, ...], tuple[str, ...], bool]:
    """Return the signatures to ask about, notes on the others, whether one might have counted."""
    asked: list[DkimQuestion] = []
    notes: list[str] = [] if signatures_found else ["dkim: not signed"]
    undecided = False
    for signature in signatures_found:
        whose = signature.domain or "an unnamed domain"
        if signature.domain and not is_aligned(signature.domain, identity.domain):
            note = f"dkim: signature of {whose} says nothing about {identity.domain}"
        elif signature.problem:
            note = f"dkim: signature of {whose} {signature.problem}"
            undecided = undecided or bool(signature.domain)
        elif len(asked) == MOST_SIGNATURES:
            note = f"dkim: signature of {whose} is beyond the first {MOST_SIGNATURES}"
            undecided = True
        else:
            asked.append(
                DkimQuestion(
                    index=signature.index, domain=signature.domain, selector=signature.selector
                )
            )
            continue
        if len(notes) < MOST_SIGNATURES:
            notes.append(note)
    return tuple(asked), tuple(notes), undecided

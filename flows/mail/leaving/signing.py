"""DKIM for replies: where the keys are, signing before a reply is kept, and what to publish.

A reply is signed once, when it is approved: the signed bytes are hashed, kept in the archive and
sent on every attempt, so that a retry is the same message.
"""

import hashlib
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric import rsa

from connectors import disk
from connectors.dkim_signer import SHORTEST_KEY, build_key_record, sign_message
from connectors.dns_resolver import NoDnsAnswerError, Resolver
from data.errors import PosternError, SettingsError
from data.records.core.organization import Dkim, Organization
from data.records.mail.delivery import Outgoing
from data.settings import Settings
from tasks.core.authenticate.dkim_form import read_tags
from tasks.core.authenticate.organizational_domain import is_aligned as domains_align

LOOKUP_SECONDS = 5.0
_one_key_at_a_time = threading.Lock()


def locate_key(settings: Settings, dkim: Dkim) -> Path:
    """Return the key's file; a name without a folder is one in `secrets/dkim`."""
    return settings.secrets / "dkim" / dkim.key_file  # an absolute path stays what it is


def read_key(settings: Settings, dkim: Dkim) -> bytes:
    """Return the private key in PEM.

    Raises:
        SettingsError: the file cannot be read.

    """
    path = locate_key(settings, dkim)
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"the DKIM key {str(path)!r} cannot be read: {error.strerror}; put it there, "
            "or turn signing off with `postern dkim off`"
        ) from error


def make_key(settings: Settings, dkim: Dkim) -> bool:
    """Make the key unless its file is there; return whether it was made."""
    path = locate_key(settings, dkim)
    with _one_key_at_a_time:  # whoever asks meanwhile is told of the key that stays
        if path.exists():
            return False
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        private = rsa.generate_private_key(public_exponent=65_537, key_size=SHORTEST_KEY)
        text = private.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption())
        disk.write_durably(path.parent, path.name, text)
        return True


def find_made_key(settings: Settings, organization: Organization) -> Dkim | None:
    """Return the key that was made last for the domain of an organization's sender, if any.

    Its file is called by domain and selector; a selector with a dot could be part of a domain.
    """
    domain = organization.addresses[0].rpartition("@")[2].lower()
    keys = [
        (path.stat().st_mtime, path.name, selector)
        for path in (settings.secrets / "dkim").glob("*.pem")
        if (selector := path.stem.removeprefix(f"{domain}.")) != path.stem and "." not in selector
    ]
    if not keys:
        return None
    _, name, selector = max(keys)
    return Dkim(domain=domain, selector=selector, key_file=name)


def sign_outgoing(settings: Settings, organization: Organization, outgoing: Outgoing) -> Outgoing:
    """Return the reply with a signature when the organization signs; else as it is.

    Raises:
        SettingsError: the key cannot be read or used.
        OutsidePermanentError: the message cannot be signed so that the signature holds.

    """
    dkim = organization.dkim
    if dkim is None:
        return outgoing
    raw = sign_message(outgoing.raw, dkim.domain, dkim.selector, read_key(settings, dkim))
    return outgoing.model_copy(update={"raw": raw, "sha256": hashlib.sha256(raw).hexdigest()})


def is_signing_ready(settings: Settings, organization: Organization) -> bool:
    """Return whether replies can be signed, or need not be."""
    if organization.dkim is None:
        return True
    try:
        build_key_record(read_key(settings, organization.dkim))
    except PosternError:
        return False
    return True


def build_dns_record(settings: Settings, dkim: Dkim) -> tuple[str, str]:
    """Return name and text of the TXT record in which receivers look for the public key.

    Raises:
        SettingsError: the key cannot be read or used.

    """
    name = f"{dkim.selector}._domainkey.{dkim.domain}"
    return name, build_key_record(read_key(settings, dkim))


def format_zone_line(name: str, text: str) -> str:
    """Return the record as a line of a zone file, in strings of at most 255 octets (RFC 1035)."""
    pieces = [text[at : at + 255] for at in range(0, len(text), 255)]
    return f"{name}. IN TXT ( " + " ".join(f'"{piece}"' for piece in pieces) + " )"


@dataclass(frozen=True)
class PublishedKey:
    """What the DNS says about a key of ours."""

    state: Literal["matches", "differs", "missing", "unknown"]
    sentence: str


def compare_published(settings: Settings, dkim: Dkim, resolver: Resolver) -> PublishedKey:
    """Ask the DNS for the key that is published, and compare it with ours.

    Raises:
        SettingsError: our key cannot be read or used.

    """
    name, text = build_dns_record(settings, dkim)
    why = resolver.refuses(name)
    if why:
        return PublishedKey("unknown", f"{name} was not asked for: {why}.")
    try:
        answers = resolver.answers(name, "TXT", LOOKUP_SECONDS)
    except NoDnsAnswerError as error:
        return PublishedKey("unknown", f"{name} could not be looked up: {error}.")
    if not answers:
        return PublishedKey("missing", f"No TXT record is published at {name}.")
    our_key = _public_key_of(text)
    if len(answers) == 1 and _public_key_of(answers[0]) == our_key:
        return PublishedKey("matches", f"The key is published at {name}.")
    if any(_public_key_of(answer) == our_key for answer in answers):
        return PublishedKey("differs", f"{len(answers)} TXT records are published at {name}.")
    return PublishedKey("differs", f"Another key is published at {name}.")


def is_aligned(organization: Organization, dkim: Dkim) -> bool:
    """Return whether a signature of that domain can pass DMARC for our From (RFC 7489 3.1.1).

    That is so where both belong to one organization; a domain whose own policy is strict wants the
    very same one, which its record says and is not asked here.
    """
    return domains_align(organization.addresses[0].rpartition("@")[2], dkim.domain)


def _public_key_of(text: str) -> str:
    """Return the public key of a TXT record, in base64; empty where it has none."""
    return "".join(read_tags(text.encode()).get("p", "").split())

"""The certificates of a private CA that a person gives: what they are, before any is trusted."""

import ssl
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

from data.errors import UnfitError
from data.records.core.authorities import Authority

MOST = 20
"""Certificates that one text may hold."""
_FAULTS = (ValueError, UnsupportedAlgorithm, x509.DuplicateExtension, x509.InvalidVersion)
"""What the library raises over what is not a certificate."""


def read_authorities(pem: str) -> tuple[Authority, ...]:
    """Return the certificates in a text, in its order.

    Raises:
        UnfitError: it holds none, holds a key, or holds what nobody could be verified by.

    """
    if not pem.isascii():  # the library of TLS takes no other
        raise UnfitError(
            "the text holds letters that a certificate has not, as in a comment; give what stands "
            "from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE----- alone"
        )
    if "PRIVATE KEY" in pem:
        raise UnfitError(
            "there is a private key in the text: keep it to yourself, and give the certificate "
            "alone"
        )
    if "-----BEGIN CERTIFICATE-----" not in pem:
        raise UnfitError(
            "this is no certificate: give it as PEM, which begins with -----BEGIN CERTIFICATE-----"
        )
    try:
        certificates = x509.load_pem_x509_certificates(pem.encode())
        authorities = tuple(_authority(certificate) for certificate in certificates)
        ssl.create_default_context(cadata=pem)
    except (*_FAULTS, ssl.SSLError) as error:
        raise UnfitError(
            "the certificate cannot be read; give the whole text, from -----BEGIN CERTIFICATE----- "
            "to -----END CERTIFICATE-----, as it was made"
        ) from error
    if len(authorities) > MOST:
        raise UnfitError(f"{len(authorities)} certificates are too many; give {MOST} at most")
    return authorities


def check_authorities(pem: str, now: datetime) -> tuple[Authority, ...]:
    """Return the certificates in a text that are to be trusted from now on.

    Raises:
        UnfitError: as `read_authorities`, or one has expired.

    """
    authorities = read_authorities(pem)
    for authority in authorities:
        if authority.expires_at <= now:
            raise UnfitError(
                f"the certificate of {authority.subject} has expired on "
                f"{authority.expires_at:%Y-%m-%d}; give the one that came after it"
            )
    return authorities


def _authority(certificate: x509.Certificate) -> Authority:
    """Return what a certificate is; raises UnfitError for one that somebody else has signed."""
    subject = certificate.subject.rfc4514_string()[:300] or "nobody"
    signs_others = _signs_others(certificate)
    if not signs_others and not _signed_itself(certificate):
        issuer = certificate.issuer.rfc4514_string()[:300]
        raise UnfitError(
            f"the certificate of {subject} is no CA's: {issuer} has signed it; give the "
            "certificate of that one"
        )
    return Authority(
        subject=subject, expires_at=certificate.not_valid_after_utc, signs_others=signs_others
    )


def _signs_others(certificate: x509.Certificate) -> bool:
    """Return whether it may sign other certificates (RFC 5280 sections 4.2.1.3 and 4.2.1.9)."""
    extensions = certificate.extensions
    try:
        if not extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            return False
        return extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign
    except x509.ExtensionNotFound as missing:
        return missing.oid == x509.KeyUsage.oid


def _signed_itself(certificate: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(certificate)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True

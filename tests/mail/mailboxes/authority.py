"""A private CA and what it signs, made for a test."""

import datetime
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Key = ec.EllipticCurvePrivateKey


@dataclass
class PrivateAuthority:
    """A CA that no system knows."""

    name: str = "Teasel House CA"
    days: int = 90
    """How long its own certificate lasts from now on."""
    key: Key = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def pem(self) -> str:
        """Its certificate."""
        return make(self.name, self.key, self, ca=True, days=self.days)

    def sign_server(self, folder: Path, host: str) -> None:
        """Write key and certificate of a server of that name."""
        key = ec.generate_private_key(ec.SECP256R1())
        (folder / "certificate.pem").write_text(make(host, key, self, ca=False))
        (folder / "key.pem").write_text(private_pem(key))


def make(name: str, key: Key, signer: PrivateAuthority, *, ca: bool, days: int = 30) -> str:
    """Return a certificate as PEM."""
    now = datetime.datetime.now(datetime.UTC)
    host = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, signer.name)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=400))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )
    if not ca:
        builder = builder.add_extension(host, critical=False)
    made = builder.sign(signer.key, hashes.SHA256())
    return made.public_bytes(serialization.Encoding.PEM).decode()


def private_pem(key: Key) -> str:
    """Return a private key as PEM."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()

"""The certificates that a client verifies a server with."""

import ssl


def verifier_for(url: str) -> ssl.SSLContext | bool:
    """Return what httpx takes as `verify` for a server at `url`.

    For `https:` it is the system's certificates. Over plain HTTP, as the engine speaks on its own
    machine, nothing is verified, and loading them would cost each command 80 ms of processor time;
    the context returned then trusts nobody, should it ever be asked.
    """
    return True if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def pem_of(content: bytes) -> str:
    """Return a certificate's file as PEM text; what is DER (X.690) is written as PEM."""
    if content[:1] == b"\x30":  # a sequence, which no text begins with
        return ssl.DER_cert_to_PEM_cert(content)
    return content.decode("utf-8", "replace")


def checked_pem(text: str) -> str:
    """Refuse what is not empty and holds no certificate (PEM)."""
    if text:
        try:
            ssl.create_default_context(cadata=text)
        except (ValueError, ssl.SSLError) as error:
            raise ValueError(
                "write a certificate (PEM), from -----BEGIN CERTIFICATE----- to its end"
            ) from error
    return text

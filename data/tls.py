"""What a client of HTTP verifies a server with."""

import ssl


def verifier_for(url: str) -> ssl.SSLContext | bool:
    """Return what httpx takes as `verify` for a server at `url`.

    For `https:` it is the system's certificates. Over plain HTTP, as the engine speaks on its own
    machine, nothing is verified, and loading them would cost each command 80 ms of processor time;
    the context returned then trusts nobody, should it ever be asked.
    """
    return True if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

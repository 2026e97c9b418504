"""STARTTLS: the context from the settings, and the handshake (RFC 3207, RFC 8996)."""

import logging
import ssl
from typing import TYPE_CHECKING

from data.errors import SettingsError
from data.settings import Settings

if TYPE_CHECKING:
    from connectors.receiver.connection import SmtpConnection

log = logging.getLogger("postern.receiver")

HANDSHAKE_SECONDS = 30


def context_from_settings(settings: Settings) -> ssl.SSLContext | None:
    """Return a context for TLS 1.2 and later; None when no certificate is set."""
    if settings.smtp_tls_certificate is None:
        if settings.smtp_tls_key is not None:
            raise SettingsError("'smtp_tls_key' is set without 'smtp_tls_certificate'; set both")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        # An empty password, so that an encrypted key is an error and not a question.
        context.load_cert_chain(settings.smtp_tls_certificate, settings.smtp_tls_key, password="")
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"the certificate {str(settings.smtp_tls_certificate)!r} or its key cannot be used: "
            f"{error.strerror or error}; mend 'smtp_tls_certificate' and 'smtp_tls_key'"
        ) from error
    return context


async def shake_hands(connection: "SmtpConnection", context: ssl.SSLContext) -> None:
    """Encrypt a connection; `connection.encrypted` hears how that went."""
    wire, failure = None, None
    # From here on nothing is read that is not encrypted: `start_tls` pauses reading at once.
    connection.drop_unread()
    try:
        wire = await connection.loop.start_tls(
            connection.wire,
            connection,
            context,
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            ssl_shutdown_timeout=5,
        )
    except (ssl.SSLError, OSError) as error:
        failure = error
        log.info("tls_failed", extra={"fields": {"peer": connection.peer, "error": str(error)}})
    connection.encrypted(wire, failure)

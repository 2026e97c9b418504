"""STARTTLS: the context from the settings (RFC 8996)."""

import ssl

from data.errors import SettingsError
from data.settings import Settings


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

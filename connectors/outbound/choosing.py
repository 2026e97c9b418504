"""The choice of the transport and the relay for replies, by the settings."""

from typing import TYPE_CHECKING

from connectors.outbound.maildir import FileTransport
from connectors.outbound.smtp_client import SmtpTransport, Timeouts
from connectors.outbound.transport import Transport
from connectors.verified_tls import verified_tls
from data.settings import Settings

if TYPE_CHECKING:
    from connectors.outbound.relay_tokens import RelayTokens


def transport_from(settings: Settings) -> Transport:
    """Return the transport of these settings; `file` writes to `<home>/outgoing`."""
    if settings.transport == "file":
        return FileTransport(settings.home / "outgoing")
    return relay_from(settings)


def relay_from(settings: Settings, timeouts: Timeouts | None = None) -> SmtpTransport:
    """Return the relay of these settings, whether or not replies leave over it.

    Raises:
        SettingsError: the private CA cannot be used.

    """
    ca_pem = settings.relay_ca
    return SmtpTransport(
        settings.relay_host,
        settings.relay_port,
        hostname=settings.smtp_hostname,
        user=settings.relay_user,
        password=settings.relay_password.get_secret_value(),
        tls=settings.relay_tls,
        context=verified_tls("", "the relay", ca_pem) if ca_pem else None,
        tokens=_tokens_of(settings),
        timeouts=timeouts,
    )


def _tokens_of(settings: Settings) -> "RelayTokens | None":
    if not settings.relay_mailbox:
        return None
    from connectors.outbound.relay_tokens import RelayTokens  # brings the IMAP client

    return RelayTokens(settings.organizations, settings.relay_mailbox)

"""Which way out the settings name."""

from connectors.outbound.maildir import FileTransport
from connectors.outbound.smtp_client import SmtpTransport, Timeouts
from connectors.outbound.transport import Transport
from data.settings import Settings


def transport_from(settings: Settings) -> Transport:
    """Return the transport of these settings; `file` writes to `<home>/outgoing`."""
    if settings.transport == "file":
        return FileTransport(settings.home / "outgoing")
    return relay_from(settings)


def relay_from(settings: Settings, timeouts: Timeouts | None = None) -> SmtpTransport:
    """Return the relay of these settings, whether or not replies leave over it."""
    return SmtpTransport(
        settings.relay_host,
        settings.relay_port,
        hostname=settings.smtp_hostname,
        user=settings.relay_user,
        password=settings.relay_password.get_secret_value(),
        tls=settings.relay_tls,
        timeouts=timeouts,
    )

"""The check that the receiver can start: certificate, users and addresses, before anything runs."""

from connectors.receiver.encryption import context_from_settings
from connectors.receiver.listening import check_listening
from connectors.receiver.users import Users
from data.settings import Settings


def check_receiver(settings: Settings) -> None:
    """Read the certificate and the users, and bind every address once.

    Raises:
        PortTakenError: a port or socket is in use.
        SettingsError: another setting of the receiver cannot be used; the sentence names it.

    """
    context_from_settings(settings)
    if settings.smtp_users is not None:
        Users(settings.smtp_users)
    check_listening(settings)

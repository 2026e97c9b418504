"""TLS to a mailbox's server: certificate and name are verified."""

import ssl

from data.errors import SettingsError
from data.records.mailboxes import MailboxAccount


def verified_tls(account: MailboxAccount) -> ssl.SSLContext:
    """Return a context that verifies certificate and name, TLS 1.2 and later."""
    try:
        context = ssl.create_default_context(cafile=account.ca_file or None)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"'ca_file' {account.ca_file!r} of mailbox {account.name!r} cannot be used: "
            f"{error.strerror or error}; name a file of certificates (PEM)"
        ) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

"""TLS to a mailbox's server: certificate and name are verified."""

import ssl

from data.errors import SettingsError


def verified_tls(ca_file: str, whose: str) -> ssl.SSLContext:
    """Return a context that verifies certificate and name, TLS 1.2 and later.

    Args:
        ca_file: certificates to trust in the place of the system's; empty for those.
        whose: where the setting `ca_file` stands, as a refusal names it.

    Raises:
        SettingsError: the file cannot be used.

    """
    try:
        context = ssl.create_default_context(cafile=ca_file or None)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"'ca_file' {ca_file!r} of {whose} cannot be used: "
            f"{error.strerror or error}; name a file of certificates (PEM)"
        ) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

"""TLS to a server that may have a private CA: certificate and name are verified."""

import ssl

from data.errors import SettingsError


def verified_tls(ca_file: str, whose: str, ca_pem: str = "") -> ssl.SSLContext:
    """Return a context that verifies certificate and name, TLS 1.2 and later.

    Args:
        ca_file: certificates to trust in the place of the system's; empty for those.
        whose: where the setting `ca_file` stands, as a refusal names it.
        ca_pem: the same certificates themselves, in place of a file.

    Raises:
        SettingsError: the file or text cannot be used.

    """
    try:
        context = ssl.create_default_context(cafile=ca_file or None, cadata=ca_pem or None)
    except (OSError, ValueError, TypeError) as error:  # the last over a text that is not ASCII
        if ca_pem:
            raise SettingsError(
                f"the private CA of {whose} cannot be read; give its certificate (PEM) again"
            ) from error
        raise SettingsError(
            f"'ca_file' {ca_file!r} of {whose} cannot be used: "
            f"{getattr(error, 'strerror', '') or error}; name a file of certificates (PEM)"
        ) from error
    if ca_pem:  # a CA below another may be given, without that one
        context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

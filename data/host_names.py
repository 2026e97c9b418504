"""Names of hosts as settings hold them."""

from typing import Annotated

from pydantic import AfterValidator


def _host_name(host: str) -> str:
    """Refuse what can be neither a greeting nor the end of a Message-ID."""
    if not host or not all(
        letter.isascii() and (letter.isalnum() or letter in ".-:[]_") for letter in host
    ):
        raise ValueError("write a host's name: letters, digits, dots and hyphens")
    return host


HostName = Annotated[str, AfterValidator(_host_name)]

"""Addresses of servers that get a key and words of ours: whole, unnamed, and not in the clear."""

import ipaddress
from urllib.parse import urlsplit

from data.errors import SettingsError


def check_server_address(setting: str, address: str, plain_http: bool, switch: str) -> None:
    """Refuse an address to which a key or text would go in the clear, or that is none.

    Args:
        setting: the name of the setting that holds it.
        address: of the server.
        plain_http: whether another machine may be asked without encryption.
        switch: the setting that allows this.

    Raises:
        SettingsError: the sentence says what to write instead; it never repeats a password.

    """
    try:
        parts = urlsplit(address)
        host, names_user = parts.hostname, parts.username is not None
    except ValueError:
        parts, host, names_user = urlsplit(""), None, False
    if parts.scheme not in ("http", "https") or not host:
        raise SettingsError(
            f"setting {setting!r} is {address!r}; write the whole address, like "
            "'http://127.0.0.1:11434/v1'"
        )
    if names_user:
        raise SettingsError(
            f"setting {setting!r} holds a user name, and addresses are told in logs; give the key "
            "in its own setting"
        )
    if parts.scheme == "http" and not plain_http and not is_this_machine(host):
        raise SettingsError(
            f"setting {setting!r} is {address!r}: text and key would go to another machine in the "
            f"clear; use https, or set {switch!r} for a network of your own"
        )


def is_this_machine(host: str) -> bool:
    """Return whether a host is a loopback address, or the name that always means one."""
    if host == "localhost" or host.endswith(".localhost"):  # RFC 6761 section 6.3
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

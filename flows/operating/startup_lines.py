"""Lines that tell a person, once everything runs, what to open and how to stop."""

from data.settings import Settings
from flows.core.first_secret import read_setup_secret
from flows.core.services import build_setup_address, list_addresses
from flows.operating.engine_api import operator_token


def ready_lines(settings: Settings) -> list[str]:
    """Return the addresses to open, and how to stop, one line each."""
    begin = begin_lines(settings)
    listed = list_addresses(settings, "" if begin else operator_token(settings))
    lines = [f"  {name:<14} {address}" for name, address in listed.items()]
    mail = f"  {'Mail':<14} smtp://{settings.smtp_host}:{settings.smtp_port}"
    opened = "Ready. Open in a browser:"
    return [*begin, opened, *lines, mail, "Ctrl-C stops everything."]


def begin_lines(settings: Settings) -> list[str]:
    """Return what to open to make the first organization; nothing where there is one."""
    secret = read_setup_secret(settings)
    if not secret:
        return []
    return [
        "There is no organization yet. Make it in the browser; this link works once:",
        f"  {build_setup_address(settings, secret)}",
    ]

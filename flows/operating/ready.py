"""What a person is told once everything runs."""

from data.settings import Settings
from flows.core.services import addresses
from flows.operating.engine_api import operator_token


def ready_lines(settings: Settings) -> list[str]:
    """Return the addresses to open, and how to stop, one line each."""
    found = addresses(settings, operator_token(settings))
    listed = [f"  {name:<14} {address}" for name, address in found.items()]
    mail = f"  {'Mail':<14} smtp://{settings.smtp_host}:{settings.smtp_port}"
    return ["Ready. Open in a browser:", *listed, mail, "Ctrl-C stops everything."]

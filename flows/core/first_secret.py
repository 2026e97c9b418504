"""The secret that lets whoever installs Postern make the first organization, once.

It is a file that only the engine's account may read, there as long as there is no organization. An
engine that starts makes a new one, so that a link of an earlier start opens nothing.
"""

import hmac
import os
import secrets

from data.settings import Settings
from data.store.core import control
from flows.core.house import House


async def renew_setup_secret(house: House) -> None:
    """Make a new secret where there is no organization; where there is one, remove it."""
    path = house.settings.setup_file
    if await house.control.read(control.list_organizations):
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("pset_" + secrets.token_urlsafe(32))


def read_setup_secret(settings: Settings) -> str:
    """Return the secret; empty where nothing is to be set up, or it may not be read."""
    try:
        return settings.setup_file.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def is_setup_secret(settings: Settings, secret: str) -> bool:
    """Return whether somebody has the secret that is good now."""
    setup_secret = read_setup_secret(settings)
    return bool(setup_secret) and hmac.compare_digest(setup_secret.encode(), secret.encode())

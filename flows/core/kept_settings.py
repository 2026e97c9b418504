"""Settings that administrators change while Postern runs.

A setting has one place: what the environment, `postern.toml` or the command line names is changed
there, and what is kept here does not count for it.
"""

import asyncio
import logging
from contextlib import suppress

from pydantic import SecretStr

from connectors import disk
from connectors.receiver.greeting import write_greeting_name
from data.errors import ConflictError, ManifestError, SettingsError, UnfitError
from data.mailbox_files import load_mailboxes
from data.records.core.kept_settings import SettingsChange
from data.records.core.principals import Principal
from data.settings import Settings
from data.store.core import kept_settings
from flows.core.house import House, open_thinker

log = logging.getLogger("postern.settings")
CHANGEABLE = tuple(name for name in SettingsChange.model_fields if name != "defaults")
"""The settings that may be kept here."""
PASSWORD_FILES = {
    "rspamd_password": "rspamd.password",
    "relay_password": "relay.password",
    "llm_api_key": "llm.key",
}
"""Settings that are kept as files with the other secrets, by name."""
SAME = {"llm_api_key": "llm_api_key_file"}
"""Settings that say the same in another way; whoever names that one has named both."""
OUTGOING = (
    "transport",
    "relay_host",
    "relay_port",
    "relay_user",
    "relay_password",
    "relay_tls",
    "relay_ca",
    "relay_mailbox",
)
"""The settings that say how replies leave."""
HOST_NAME = "smtp_hostname"
"""The setting whose value the receiver, a process of its own, reads from a file."""
MODELS = (
    "llm_provider",
    "llm_base_url",
    "llm_dialect",
    "llm_plain_http",
    "llm_api_key",
    "llm_model",
    "llm_model_fast",
    "llm_model_capable",
    "llm_prices",
)
"""The settings that say who thinks, and for which prices."""


async def take_kept_settings(house: House) -> None:
    """Have the house work with the settings that are kept.

    What slices keep with the house takes them over, and who asks models is made anew where it is
    another.
    """
    kept_values = await house.control.read(kept_settings.read_kept)
    passwords = await asyncio.to_thread(_read_passwords, house)
    values: dict[str, object] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in kept_values.items()
        if name in list_changeable(house)
    }
    values |= {
        name: SecretStr(password)
        for name, password in passwords.items()
        if name in list_changeable(house)
    }
    defaults = {name: read_default(house, name) for name in house.kept if name not in values}
    copied = house.settings.model_copy(update={**defaults, **values})
    copied.model_fields_set.difference_update(defaults)  # of no other place, as before
    before = house.settings
    house.settings, house.kept = copied, frozenset(values)
    for part in list(house.parts.values()):
        part.take_settings(before)
    hostname = copied.smtp_hostname if HOST_NAME in values else ""
    await asyncio.to_thread(write_greeting_name, copied.hostname_file, hostname)
    if any(getattr(before, name) != getattr(copied, name) for name in MODELS):
        await _change_thinker(house)


async def _change_thinker(house: House) -> None:
    """Have others think from now on; what is being asked is answered by those who were asked.

    Where the kept settings cannot be used, as when a file with the key is gone, Postern thinks by
    itself, and the page of models says why.
    """
    if "thinker" not in vars(house):
        return  # it is made when it is first used
    try:
        thinker = await asyncio.to_thread(open_thinker, house.settings, house.clock)
    except SettingsError as error:
        log.warning("no model is asked: %s", error)
        thinker = None
    house.change_thinker(thinker)


def read_default(house: House, name: str) -> object:
    """Return what a setting is where no place names it."""
    return type(house.settings).model_fields[name].get_default(call_default_factory=True)


def list_changeable(house: House) -> tuple[str, ...]:
    """Return the settings that may be kept here, because no other place names them."""
    elsewhere = house.settings.model_fields_set - house.kept
    return tuple(
        name for name in CHANGEABLE if name not in elsewhere and SAME.get(name) not in elsewhere
    )


def list_token_mailboxes(settings: Settings) -> tuple[str, ...]:
    """Return the mailboxes that are signed in to by access tokens, as `organization/name`."""
    names = []
    for folder in sorted(settings.organizations.glob("*/")):
        with suppress(ManifestError):  # whoever reads mail is told
            accounts = load_mailboxes(folder)
            names += [f"{folder.name}/{account.name}" for account in accounts if account.oauth]
    return tuple(names)


def build_changed_settings(house: House, change: SettingsChange) -> Settings:
    """Return the settings as they would be by a change; nothing is kept.

    Raises:
        ConflictError: a setting has its place elsewhere.
        UnfitError: a password has more lines than one.

    """
    refuse_fixed_settings(house, change)
    values = change.values
    for name in PASSWORD_FILES:
        if isinstance(password := values.get(name), str):
            if "\n" in password or "\r" in password:
                raise UnfitError("a password cannot hold a line end; write it in one line")
            values[name] = SecretStr(password)
    values |= {name: read_default(house, name) for name in change.defaults}
    return house.settings.model_copy(update=values)


def refuse_fixed_settings(house: House, change: SettingsChange) -> None:
    """Refuse a change of what another place names.

    Raises:
        ConflictError: one is set in `postern.toml`, the environment or on the command line.

    """
    allowed = list_changeable(house)
    for name in (*change.values, *change.defaults):
        if name not in allowed:
            raise ConflictError(
                f"{name!r} is set outside, in postern.toml or the environment; change it there, or "
                "take it out there and restart Postern"
            )


async def keep_settings(house: House, change: SettingsChange, principal: Principal) -> None:
    """Keep values, or keep some no longer, and work with them from now on.

    A password that is kept together with other settings may be for another machine. So the one
    that was goes first and the one that comes is written last: whatever ends this in between,
    neither is offered to a machine that it was not given for.
    """
    values = {**change.values, **dict.fromkeys(change.defaults)}
    passwords = {
        name: str(values.pop(name) or "") for name in PASSWORD_FILES.keys() & values.keys()
    }
    if values:
        for name in passwords:
            await asyncio.to_thread(_write_password, house, name, "")
    await house.control.write(kept_settings.keep, values, principal.name, house.clock())
    for name, password in passwords.items():
        await asyncio.to_thread(_write_password, house, name, password)
    await take_kept_settings(house)


def _read_passwords(house: House) -> dict[str, str]:
    """Return the passwords that are kept, by the name of their setting."""
    passwords = {}
    for name, file in PASSWORD_FILES.items():
        with suppress(FileNotFoundError, NotADirectoryError):
            passwords[name] = (house.settings.secrets / file).read_text(encoding="utf-8").strip()
    return {name: password for name, password in passwords.items() if password}


def _write_password(house: House, name: str, password: str) -> None:
    folder = house.settings.secrets
    if password:
        disk.write_durably(folder, PASSWORD_FILES[name], password.encode() + b"\n")
    else:
        (folder / PASSWORD_FILES[name]).unlink(missing_ok=True)

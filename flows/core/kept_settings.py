"""Settings that administrators change while Postern runs.

A setting has one place: what the environment, `postern.toml` or the command line names is changed
there, and what is kept here does not count for it.
"""

import asyncio

from pydantic import SecretStr

from connectors.spool import disk
from data.errors import ConflictError
from data.records.core.kept_settings import SettingsChange
from data.store.core import kept_settings
from flows.core.house import House

CHANGEABLE = tuple(name for name in SettingsChange.model_fields if name != "defaults")
"""The settings that may be kept here."""
PASSWORD, PASSWORD_FILE = "rspamd_password", "rspamd.password"


async def take_kept_settings(house: House) -> None:
    """Have the house work with the settings that are kept; the filters are made anew."""
    kept_values = await house.control.read(kept_settings.read_kept)
    password = await asyncio.to_thread(_read_password, house)
    values: dict[str, object] = {
        name: value for name, value in kept_values.items() if name in changeable(house)
    }
    if password and PASSWORD in changeable(house):
        values[PASSWORD] = SecretStr(password)
    defaults = {name: default_of(house, name) for name in house.kept if name not in values}
    copied = house.settings.model_copy(update={**defaults, **values})
    copied.model_fields_set.difference_update(defaults)  # of no other place, as before
    house.settings, house.kept = copied, frozenset(values)
    vars(house).pop("filters", None)


def default_of(house: House, name: str) -> object:
    """Return what a setting is where no place names it."""
    return type(house.settings).model_fields[name].get_default(call_default_factory=True)


def changeable(house: House) -> tuple[str, ...]:
    """Return the settings that may be kept here, because no other place names them."""
    elsewhere = house.settings.model_fields_set - house.kept
    return tuple(name for name in CHANGEABLE if name not in elsewhere)


def must_be_changeable(house: House, change: SettingsChange) -> None:
    """Refuse a change of what another place names.

    Raises:
        ConflictError: one is set in `postern.toml`, the environment or on the command line.

    """
    allowed = changeable(house)
    for name in (*change.values, *change.defaults):
        if name not in allowed:
            raise ConflictError(
                f"{name!r} is set outside, in postern.toml or the environment; change it there, or "
                "take it out there and restart Postern"
            )


async def keep_settings(house: House, change: SettingsChange, author: str) -> None:
    """Keep values, or keep some no longer, and work with them from now on."""
    values = {**change.values, **dict.fromkeys(change.defaults)}
    if PASSWORD in values:
        await asyncio.to_thread(_write_password, house, str(values.pop(PASSWORD) or ""))
    await house.control.write(kept_settings.keep, values, author, house.clock())
    await take_kept_settings(house)


def _read_password(house: House) -> str:
    try:
        return (house.settings.secrets / PASSWORD_FILE).read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _write_password(house: House, password: str) -> None:
    folder = house.settings.secrets
    if password:
        disk.write_durably(folder, PASSWORD_FILE, password.encode() + b"\n")
    else:
        (folder / PASSWORD_FILE).unlink(missing_ok=True)

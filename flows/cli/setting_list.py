"""The settings with their values, where each value comes from, and their help."""

import os
import tomllib
from dataclasses import asdict, dataclass

from pydantic import SecretStr

from data import setting_faults
from data.settings import Settings, config_path

MASK = "********"


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One setting as `postern config` shows it."""

    name: str
    value: str
    source: str
    """`default`, the environment variable, the file, or `command line`."""
    help: str

    def as_dict(self) -> dict[str, str]:
        """Return it as JSON takes it."""
        return asdict(self)


def list_settings(settings: Settings) -> list[Setting]:
    """Return every setting in the order of `data/settings.py`."""
    in_file = _file_names()
    return [
        Setting(
            name=name,
            value=_shown(getattr(settings, name)),
            source=_source(settings, name, in_file),
            help=" ".join((field.description or "").split()),
        )
        for name, field in Settings.model_fields.items()
    ]


def _source(settings: Settings, name: str, in_file: set[str]) -> str:
    """Return where the value was found; the order is that of `Settings`."""
    environment = {key.upper() for key in os.environ}
    variable = next((one for one in variables(name) if one in environment), None)
    if name not in settings.model_fields_set:
        return "default"
    if name == "home" and _given_home(settings):
        return "command line"
    if variable:
        return variable
    if name in in_file or any(one in in_file for one in variables(name)):
        return str(config_path())
    return "command line"


def variables(name: str) -> list[str]:
    """Return the environment variables that a setting is read from."""
    return setting_faults.variables(name, Settings.model_fields[name])


def _given_home(settings: Settings) -> bool:
    named = os.environ.get("POSTERN_HOME")
    return named is not None and str(settings.home) != named


def _file_names() -> set[str]:
    path = config_path()
    try:
        return set(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:  # any other failure was told when the settings were read
        return set()


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value)
    return str(value)

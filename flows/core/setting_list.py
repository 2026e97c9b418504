"""The settings with their values, where each value comes from, and their help."""

import os
import tomllib

from pydantic import SecretStr

from data import setting_faults
from data.records.core.setting_views import SettingView
from data.settings import Settings, config_path

MASK = "********"
KEPT_HERE = "kept in Postern"


def list_settings(
    settings: Settings, kept_names: frozenset[str] = frozenset()
) -> list[SettingView]:
    """Return every setting in the order of `data/settings.py`.

    `kept_names` are the names of those that administrators keep in Postern.
    """
    in_file = _list_file_names()
    return [
        SettingView(
            name=name,
            value=_format_value(getattr(settings, name)),
            source=KEPT_HERE if name in kept_names else _find_source(settings, name, in_file),
            variable=list_variables(name)[0],
            help=" ".join((field.description or "").split()),
        )
        for name, field in Settings.model_fields.items()
    ]


def _find_source(settings: Settings, name: str, in_file: set[str]) -> str:
    """Return where the value was found; the order is that of `Settings`."""
    environment = {key.upper() for key in os.environ}
    variable = next(
        (variable_name for variable_name in list_variables(name) if variable_name in environment),
        None,
    )
    if name not in settings.model_fields_set:
        return "default"
    if name == "home" and _is_home_on_command_line(settings):
        return "command line"
    if variable:
        return variable
    if name in in_file or any(variable_name in in_file for variable_name in list_variables(name)):
        return str(config_path())
    return "command line"


def list_variables(name: str) -> list[str]:
    """Return the environment variables that a setting is read from."""
    return setting_faults.variables(name, Settings.model_fields[name])


def _is_home_on_command_line(settings: Settings) -> bool:
    home_named = os.environ.get("POSTERN_HOME")
    return home_named is not None and str(settings.home) != home_named


def _list_file_names() -> set[str]:
    path = config_path()
    try:
        return set(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:  # any other failure was told when the settings were read
        return set()


def _format_value(value: object) -> str:
    if isinstance(value, SecretStr):
        return MASK if value.get_secret_value() else ""
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    text, more, _ = str(value).partition("\n")
    return f"{text} …" if more else text

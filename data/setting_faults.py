"""Faults in the settings, each in one sentence: which, what it is, where to mend it."""

import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from pydantic import AliasChoices, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from data.errors import SettingsError
from data.fault_words import describe_wanted

FieldInfos = Mapping[str, FieldInfo]
PREFIX = "POSTERN_"
ELSEWHERE = frozenset({"POSTERN_CONFIG"})
"""Variables with our prefix that are no setting."""
ALIKE = 0.8
"""How much a name has to resemble a setting's to be taken for a mistyped one."""


def variables(name: str, field: FieldInfo) -> list[str]:
    """Return the environment variables that a setting is read from."""
    alias = field.validation_alias
    if isinstance(alias, AliasChoices):
        return [str(choice) for choice in alias.choices if str(choice).isupper()]
    return [f"{PREFIX}{name.upper()}"]


def checked_file(path: Path, is_named: bool) -> None:
    """Look whether the settings file can be read as TOML; `is_named` says it has to be there.

    Raises:
        SettingsError: it cannot; the sentence names the file and the line.

    """
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        if is_named:
            raise SettingsError(
                f"POSTERN_CONFIG names {str(path)!r}, but there is no such file; "
                "name one that exists, or unset the variable"
            ) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"the settings file {str(path)!r} is not valid TOML: {error}; "
            'write each setting as `name = value`, and text in quotes: `transport = "smtp"`'
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"the settings file {str(path)!r} is not UTF-8 text; save it as UTF-8"
        ) from error
    except OSError as error:
        raise SettingsError(
            f"the settings file {str(path)!r} cannot be read: {error.strerror or error}; "
            "see that this account may read it"
        ) from error


def checked_variables(fields: FieldInfos, environment: Iterable[str]) -> None:
    """Look for variables that are nearly the name of a setting: they would be passed over.

    Others with our prefix are left alone; container platforms set such for their own ends.

    Raises:
        SettingsError: there is one; the sentence says which name was probably meant.

    """
    known_variables = {
        spelling for name, field in fields.items() for spelling in variables(name, field)
    }
    bare = {full_name.removeprefix(PREFIX): full_name for full_name in known_variables}
    for variable in sorted(environment):
        name = variable.upper()
        if not name.startswith(PREFIX) or name in known_variables | ELSEWHERE:
            continue
        near = get_close_matches(name.removeprefix(PREFIX), bare, n=1, cutoff=ALIKE)
        if near:
            raise SettingsError(
                f"the environment variable {variable!r} is no setting; "
                f"did you mean {bare[near[0]]!r}? Rename or unset it"
            )


def unreadable_variable(sentence: str) -> SettingsError:
    """Return the error for a list in the environment that is not JSON."""
    name = next(iter(sentence.split('"')[1::2]), "")
    variable = f"{PREFIX}{name.upper()}"
    variable = variable if variable in os.environ else name.upper()
    return SettingsError(
        f"the environment variable {variable!r} has to be a list in JSON; "
        f'write it like {variable}=\'["one", "two"]\''
    )


def wrong_value(fields: FieldInfos, error: ValidationError, path: Path) -> SettingsError:
    """Return the error for the first setting that cannot be used."""
    first = error.errors()[0]
    setting, value = str(first["loc"][0]) if first["loc"] else "settings", first["input"]
    name = setting if setting in fields else setting.lower()
    if name not in fields:
        return _unknown(fields, name, value, path)
    variable = next(
        (candidate for candidate in variables(name, fields[name]) if candidate in os.environ), ""
    )
    place = f"in the environment variable {variable!r}" if variable else f"in {str(path)!r}"
    secret = isinstance(fields[name].default, SecretStr)
    shown = "" if secret else f"is {_shorten_value(value)}, but "
    return SettingsError(f"setting {name!r} {shown}{describe_wanted(first)}; mend it {place}")


def _unknown(fields: FieldInfos, name: str, value: object, path: Path) -> SettingsError:
    if isinstance(value, dict):
        return SettingsError(
            f"{str(path)!r} has a section [{name}], but settings stand in no section; "
            "remove that line"
        )
    near = get_close_matches(name, fields, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "remove it;"
    return SettingsError(
        f"there is no setting {name!r}; {hint} `postern config` lists them all "
        f"(it stands in {str(path)!r})"
    )


def _shorten_value(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."

"""Keys by name: files that only the engine's account may read, never a setting or a manifest."""

from pathlib import Path

from data.errors import ManifestError, SettingsError
from tasks.core.patterns import compiled

_NAME = compiled(r"[a-z0-9][a-z0-9._-]{0,62}")


def locate_key_file(folder: Path, name: str) -> Path:
    """Return the file of a key.

    Raises:
        ManifestError: the name is not valid.

    """
    if not _NAME.fullmatch(name):
        raise ManifestError(
            f"{name!r} cannot be the name of a key; use a-z, 0-9, '.', '_' and '-', 63 at most"
        )
    return folder / name


def read_key_file(path: Path, hint: str) -> str:
    """Return a key.

    Args:
        path: its file.
        hint: what to do where it is not there.

    Raises:
        SettingsError: there is no such file, or it cannot be read.

    """
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"the key {str(path)!r} cannot be read; {hint}") from error

"""The name that the receiver greets with: as settings say, or as it is kept while Postern runs."""

import os
from contextlib import suppress
from pathlib import Path

from connectors import disk
from data.settings import Settings


class GreetingName:
    """The name of the settings, or where these name none the one that the engine has written."""

    def __init__(self, settings: Settings) -> None:
        self._own = settings.smtp_hostname
        named_outside = "smtp_hostname" in settings.model_fields_set
        self._file = None if named_outside else settings.hostname_file
        self._stamp: tuple[int, int, int] | None = None
        self._name = self._own

    def __str__(self) -> str:
        """Return the name as it is now; the file is read again when it was replaced."""
        if self._file is None:
            return self._own
        try:
            file_status = os.stat(self._file)  # noqa: PTH116 - for every client
        except OSError:
            return self._own
        stamp = (file_status.st_mtime_ns, file_status.st_size, file_status.st_ino)
        if stamp != self._stamp:
            with suppress(OSError, UnicodeDecodeError):
                self._name = self._file.read_text(encoding="ascii").strip() or self._own
                self._stamp = stamp
        return self._name


def write_greeting_name(path: Path, name: str) -> None:
    """Have the receiver greet with a name that is kept here; an empty one ends that."""
    if not name:
        with suppress(FileNotFoundError, NotADirectoryError):  # as where nothing can be written
            path.unlink()
        return
    content = name.encode("ascii") + b"\n"
    with suppress(FileNotFoundError):
        if path.read_bytes() == content:
            return
    path.parent.mkdir(parents=True, exist_ok=True)
    disk.write_durably(path.parent, path.name, content)

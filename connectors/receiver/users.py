"""Users who may log in to the receiver: a file of names and scrypt hashes.

A line is `name:scrypt:<salt>:<hash>`, both in base64; empty lines and `#` are skipped. Make one
with `python -m connectors.receiver.users NAME`, which asks for the password.
"""

import base64
import binascii
import getpass
import hashlib
import hmac
import os
import sys
from pathlib import Path

from data.errors import SettingsError

#: Cost of scrypt (RFC 7914): 16 MiB and some 50 ms for each try.
_N, _R, _P = 1 << 14, 8, 1
_LENGTH = 32
MAX_PASSWORD = 1024


def line_for(name: str, password: str) -> str:
    """Return the line of a user; the salt is random."""
    salt = os.urandom(16)
    fields = (name, "scrypt", _base64_text(salt), _base64_text(_digest(password, salt)))
    return ":".join(fields)


def _base64_text(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def _digest(password: str, salt: bytes) -> bytes:
    secret = password.encode("utf-8", "surrogateescape")
    return hashlib.scrypt(secret, salt=salt, n=_N, r=_R, p=_P, dklen=_LENGTH)


class Users:
    """The users of a file, read once."""

    def __init__(self, path: Path) -> None:
        """Read the file; raises SettingsError naming the line that cannot be used."""
        self._hashes: dict[str, tuple[bytes, bytes]] = {}
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise SettingsError(
                f"the users file {str(path)!r} cannot be read: {why}; mend 'smtp_users'"
            ) from error
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                self._add(line, f"line {number} of {str(path)!r}")

    def _add(self, line: str, where: str) -> None:
        name, *rest = line.strip().rsplit(":", 3)
        try:
            kind, salt, digest = rest
            decoded = base64.b64decode(salt, validate=True), base64.b64decode(digest, validate=True)
        except (ValueError, binascii.Error):
            kind, decoded = "", (b"", b"")
        if kind != "scrypt" or not name or len(decoded[1]) != _LENGTH:
            raise SettingsError(
                f"{where} is not 'name:scrypt:salt:hash'; "
                "make it with 'python -m connectors.receiver.users NAME'"
            )
        self._hashes[name] = decoded

    def verify(self, name: str, password: str) -> bool:
        """Return whether the password is right; costs the same for a name that nobody has."""
        salt, expected = self._hashes.get(name, (b"no such user, same work", bytes(_LENGTH)))
        if len(password) > MAX_PASSWORD:
            return False
        matches = hmac.compare_digest(_digest(password, salt), expected)
        return matches and name in self._hashes


if __name__ == "__main__":
    sys.stdout.write(line_for(sys.argv[1], getpass.getpass()) + "\n")

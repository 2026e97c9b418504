"""Addresses in log files, made unreadable where they stand."""

import os
from collections.abc import Collection
from pathlib import Path

from data.errors import StoreError
from data.store.core.mentioning import find_places


def blot_addresses(folder: Path, addresses: Collection[str]) -> int:
    """Overwrite each of these addresses (lower-cased) in the files of a folder; return how often.

    As many letters `x` take its place, so that no file changes its size: who writes to it, at its
    end, may go on meanwhile.

    Raises:
        StoreError: a file cannot be written.

    """
    names = [address.encode() for address in addresses if address]
    done = 0
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        if path.is_file():
            try:
                done += sum(_blot(path, name) for name in names)
            except OSError as error:
                raise StoreError(
                    f"the log {str(path)!r} cannot be cleaned: {error.strerror or error}; "
                    "let this account write it, or remove it"
                ) from error
    return done


def _blot(path: Path, name: bytes) -> int:
    text = path.read_bytes().lower().decode("latin-1")  # of which each letter is an octet
    places = list(find_places(text, name.decode("latin-1")))
    if not places:
        return 0
    descriptor = os.open(path, os.O_WRONLY)
    try:
        for at in places:
            os.pwrite(descriptor, b"x" * len(name), at)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return len(places)

"""The levels of token buckets in memory that several receiver processes share.

A file without a name, mapped by the parent and inherited by its children: a table of fixed size, in
which a key has a few places by its hash. The lock is one on that file (POSIX), which the kernel
gives back when a process dies with it.
"""

import contextlib
import fcntl
import hashlib
import mmap
import os
import struct
import tempfile
from collections.abc import Iterator

PLACES = 32_768
NEAR = 8
"""Places that a key may have; of full ones the longest unused is given to the next key."""
_ENTRY = struct.Struct("<Qdd")


class SharedLevels:
    """Level and time of each bucket, by key; whoever reads and writes holds `locked()`."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = places
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the processes live
        self._file.truncate(places * _ENTRY.size)
        self._memory = mmap.mmap(self._file.fileno(), places * _ENTRY.size)
        # Not known outside: nobody can choose keys that push each other out.
        self._secret = os.urandom(16)

    def close(self) -> None:
        """Let go of the memory in this process."""
        self._memory.close()
        self._file.close()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the other processes away; it takes microseconds."""
        fcntl.lockf(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)

    def get(self, key: str) -> tuple[float, float] | None:
        """Return level and time of a bucket; None when it is not known, or was pushed out."""
        number = self._hash(key)
        for place in self._near(number):
            key_found, level, at = _ENTRY.unpack_from(self._memory, place)
            if key_found == number:
                return level, at
        return None

    def put(self, key: str, level: float, at: float) -> None:
        """Set level and time of a bucket."""
        number = self._hash(key)
        chosen, oldest = -1, float("inf")
        for place in self._near(number):
            key_found, _, used = _ENTRY.unpack_from(self._memory, place)
            if key_found == number:
                chosen = place
                break
            if (used if key_found else -1.0) < oldest:
                chosen, oldest = place, used if key_found else -1.0
        _ENTRY.pack_into(self._memory, chosen, number, level, at)

    def __len__(self) -> int:
        entries = _ENTRY.iter_unpack(self._memory)
        return sum(1 for found, *_ in entries if found)

    def _hash(self, key: str) -> int:
        digest = hashlib.blake2b(
            key.encode("utf-8", "surrogatepass"), digest_size=8, key=self._secret
        )
        return int.from_bytes(digest.digest(), "little") or 1

    def _near(self, number: int) -> list[int]:
        first = number % self._places
        return [(first + step) % self._places * _ENTRY.size for step in range(NEAR)]
